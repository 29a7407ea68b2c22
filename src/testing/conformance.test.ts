import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { CALLS_MOST, shelf } from '../../test/shelf-service.ts';
import { providerError } from '../service/index.ts';
import type { HttpBinding, Operation, Service } from '../service/types.ts';
import { errors } from '../services/notes/errors.ts';
import { notes, probes } from '../services/notes/index.ts';
import { conformanceProblems, describeConformance } from './conformance.ts';
import { contentProblems } from './laws-runs.ts';
import type { Outcome } from './subject.ts';
import { type ConformanceOptions, LAWS, type Law } from './types.ts';

const listing = {
  operation: 'notes.list',
  input: {},
  items: 'notes',
  limit: 'limit',
  cursor: 'after',
  next: 'next_after',
};
const sound: ConformanceOptions = { probes, listings: [listing] };

const [
  DECLARATIONS,
  EXAMPLES,
  PROBES,
  DETERMINISM,
  ,
  FORKS,
  JSON_ONLY,
  OUTPUTS,
  PAGING,
  REACH,
  VOLATILE,
  RANDOM,
] = LAWS;

/** Notes with one operation changed. */
function changed(id: string, change: (operation: Operation) => Partial<Operation>): Service {
  const operations = notes.operations.map((operation) =>
    operation.id === id ? { ...operation, ...change(operation) } : operation,
  );
  return { ...notes, operations };
}

/** Notes with the answer of one operation changed. */
function answering(
  id: string,
  change: (answer: Record<string, unknown>, input: Record<string, unknown>) => unknown,
) {
  return changed(id, (operation) => ({
    run: (ctx, input) => change({ ...(operation.run(ctx, input) as Record<string, unknown>) }, input),
  }));
}

function withTable(table: 'notes' | 'notebooks' | 'tags', change: object): Service {
  return {
    ...notes,
    schema: { ...notes.schema, [table]: { ...notes.schema[table], ...change } } as Service['schema'],
  };
}

function problemsOf(law: Law, service: Service, options: ConformanceOptions = sound): string {
  return conformanceProblems(service, options, law).join('\n');
}

describe('a sound service', () => {
  it.each(LAWS)('has no problem with: %s', (law) => {
    expect(problemsOf(law, notes)).toBe('');
  });
});

/** Facts of a service whose protocol completes its answers. */
const PAPER = { shelf: 'shelf-1', path: 'a/b.txt' };
const NO_PAPER = { tool: 'papers.get', input: { ...PAPER, path: 'none' } };
const completing: ConformanceOptions = {
  probes: shelf.operations.map(({ id, example, http }) => ({
    operation: id,
    title: 'works',
    input: example,
    expect: { status: http?.status ?? 200, facts: { '': { exists: id !== 'papers.check' } } },
    source: 'this test',
    date: '2026-11-30',
  })),
  scripts: [
    { title: 'no paper', calls: [NO_PAPER, { ...NO_PAPER, headers: { 'x-mood': 'bad' } }] },
    { title: 'others', calls: [{ ...NO_PAPER, actor: 'nobody' }] },
    { title: 'too many calls', calls: Array.from({ length: CALLS_MOST + 1 }, () => NO_PAPER) },
  ],
};

function withProtocol(protocol: Partial<Service['protocol']>): Service {
  return { ...shelf, protocol: { ...shelf.protocol, ...protocol } };
}

function withBinding(http: Partial<HttpBinding>): Service {
  const [first, ...others] = shelf.operations;
  if (!first?.http) throw new Error('the first operation of the shelf has a path');
  return { ...shelf, operations: [{ ...first, http: { ...first.http, ...http } }, ...others] };
}

describe('numbered pages', () => {
  const numbered = (size: (limit: number) => number) =>
    changed('notes.list', () => ({
      input: z.looseObject({ page: z.int().optional(), limit: z.int().optional() }),
      run: (ctx, { page = 1, limit = 30 }: { page?: number; limit?: number }) => {
        const all = [...(ctx.tx.notes?.scan() ?? [])].map(({ id }) => id);
        return all.slice((page - 1) * size(limit), page * limit);
      },
    }));
  const { next: _next, ...rest } = listing;
  const options: ConformanceOptions = { probes, listings: [{ ...rest, items: '', cursor: 'page' }] };

  it('are read to the first empty one', () => {
    expect(
      problemsOf(
        PAGING,
        numbered((limit) => limit),
        options,
      ),
    ).toBe('');
    expect(
      problemsOf(
        PAGING,
        numbered(() => 1),
        options,
      ),
    ).not.toBe('');
  });
});

describe('a service that completes its answers', () => {
  it.each(LAWS)('has no problem with: %s', (law) => {
    expect(problemsOf(law, shelf, completing)).toBe('');
  });

  const planted: readonly (readonly [defect: string, law: Law, service: Service, says: string])[] = [
    [
      'a row that is not ambient',
      EXAMPLES,
      withProtocol({
        complete: ({ answer, table }) => {
          table('papers').delete([PAPER.shelf, PAPER.path]);
          return answer;
        },
      }),
      'completing an answer changed shelf.papers',
    ],
    [
      'the clock of the machine in a header',
      DETERMINISM,
      withProtocol({ complete: ({ answer }) => ({ ...answer, headers: { now: String(Date.now()) } }) }),
      'headers went differently',
    ],
    [
      'a recorded secret',
      DECLARATIONS,
      withProtocol({ requestHeaders: (headers) => ({ authorization: headers.authorization ?? '' }) }),
      'authorization would be recorded',
    ],
    [
      'two routes at one place',
      DECLARATIONS,
      withBinding({ aliases: [{ path: '/shelves/{s}/known/{p*}', values: { shelf: '{s}', path: '{p}' } }] }),
      'two operations are at GET /shelves/{}/known/{*}',
    ],
    [
      'a value that its path does not give',
      DECLARATIONS,
      withBinding({ aliases: [{ path: '/p/{path*}', values: { shelf: '{number}' } }] }),
      'a value uses {number}, which /p/{path*} has not',
    ],
    [
      'an alias parameter that is no input',
      DECLARATIONS,
      withBinding({ aliases: [{ path: '/p/{q}', values: { shelf: 's', path: 'p' } }] }),
      'gives q, which the input has not',
    ],
    ['a body that is no input', DECLARATIONS, withBinding({ bareBody: 'list' }), 'the body goes to list'],
    ['a rest before the end', DECLARATIONS, withBinding({ path: '/{path*}/of/{shelf}' }), 'before its end'],
  ];
  it.each(planted)('is caught with %s', (...[, law, service, says]) => {
    expect(problemsOf(law, service, completing)).toContain(says);
  });
});

describe('planted defects are found', () => {
  const planted: readonly (readonly [defect: string, law: Law, service: Service, says: string])[] = [
    [
      'an operation twice',
      DECLARATIONS,
      { ...notes, operations: [...notes.operations, ...notes.operations.slice(0, 1)] },
      'two operations are named notebooks.create',
    ],
    [
      'a tool without its operation',
      DECLARATIONS,
      { ...notes, operations: notes.operations.filter(({ id }) => id !== 'notes.tag') },
      'uses the operation notes.tag, which does not exist',
    ],
    ['no summary', DECLARATIONS, changed('notes.get', () => ({ summary: ' ' })), 'notes.get has no summary'],
    [
      'an unknown error declared',
      DECLARATIONS,
      changed('notes.get', () => ({ errors: ['lost'] })),
      'declares the unknown error lost',
    ],
    [
      'no coverage entry',
      DECLARATIONS,
      { ...notes, coverage: notes.coverage.filter(({ operation }) => operation !== 'notes.get') },
      'notes.get has no coverage entry',
    ],
    [
      'coverage of nothing',
      DECLARATIONS,
      { ...notes, coverage: [...notes.coverage, { operation: 'notes.print', status: 'supported' }] },
      'calls notes.print supported, which does not exist',
    ],
    [
      'a path parameter that is no input',
      DECLARATIONS,
      changed('notes.get', () => ({ http: { method: 'GET', path: '/notes/{note}' } })),
      'the path has {note}',
    ],
    [
      'a refusal that state could cause',
      DECLARATIONS,
      { ...notes, errors: { ...notes.errors, rate_limited: { status: 429, message: 'slow down' } } },
      "declare reach 'fault'",
    ],
    [
      'an example that fails',
      EXAMPLES,
      changed('notes.get', () => ({ example: { id: 'note_nowhere' } })),
      'example of notes.get ends with note_not_found',
    ],
    [
      'a read that writes',
      EXAMPLES,
      changed('notes.share', () => ({ effect: 'read' })),
      'the read notes.share changed rows',
    ],
    [
      'a probe that fails',
      PROBES,
      changed('notes.tag', (tag) => ({ run: forgiving(tag) })),
      'status 200 instead of 422',
    ],
    [
      'the clock of the machine',
      DETERMINISM,
      answering('notes.get', (answer) => ({ ...answer, title: String(Date.now()) })),
      'went differently the second time',
    ],
    [
      'a date made from nothing',
      DETERMINISM,
      answering('notes.get', (answer) => ({ ...answer, title: new Date().toISOString() })),
      'went differently the second time',
    ],
    [
      'random numbers of the machine',
      DETERMINISM,
      answering('notes.get', (answer) => ({ ...answer, title: String(Math.random()) })),
      'went differently the second time',
    ],
    ['memory outside the world', DETERMINISM, remembering(), 'went differently the second time'],
    ['memory outside the world', FORKS, remembering(), 'goes on differently'],
    [
      'an answer that is not JSON',
      JSON_ONLY,
      answering('notes.get', (answer) => ({ ...answer, revision: Number.NaN })),
      '.revision is NaN',
    ],
    [
      'a member that is undefined',
      JSON_ONLY,
      answering('notes.get', (answer) => ({ ...answer, body: undefined })),
      '.body is a undefined',
    ],
    [
      'an answer that its schema does not know',
      OUTPUTS,
      answering('notes.share', (answer) => ({ ...answer, secret: 1 })),
      'does not fit its output',
    ],
    ['pages that overlap', PAGING, answering('notes.list', overlap), 'gives other items than at once'],
    [
      'pages of any size',
      PAGING,
      changed('notes.list', (list) => ({
        run: (ctx, input: { after?: string }) => list.run(ctx, { after: input.after } as never),
      })),
      'gives more than 1 items',
    ],
    [
      'an error that nothing causes',
      REACH,
      { ...notes, errors: { ...notes.errors, haunted: { status: 418, message: 'boo' } } },
      'no call reaches the error haunted',
    ],
    [
      'an error that is called fault-only',
      REACH,
      { ...notes, errors: { ...notes.errors, note_not_found: { ...errors.note_not_found, reach: 'fault' } } },
      'note_not_found is declared fault-only and state reaches it',
    ],
    [
      'a moment that is not declared volatile',
      VOLATILE,
      withTable('notes', { volatile: ['id', 'share_code', 'created_at'] }),
      'notes.updated_at comes from clock, ids or randomness',
    ],
    [
      'an id that is not declared volatile',
      VOLATILE,
      withTable('notebooks', { volatile: ['created_at'] }),
      'notebooks.id comes from clock',
    ],
    [
      'randomness that is not declared volatile',
      VOLATILE,
      withTable('notes', { volatile: ['id', 'created_at', 'updated_at'] }),
      'notes.share_code comes from clock',
    ],
    [
      'a steady column that is declared volatile',
      VOLATILE,
      withTable('tags', { volatile: ['tag'] }),
      'tags.tag is declared volatile and never differs',
    ],
    ['a key taken twice', RANDOM, changed('notebooks.create', careless), 'an invariant broke'],
  ];

  it.each(planted)('%s (%s)', (_defect, law, service, says) => {
    expect(problemsOf(law, service)).toContain(says);
  });

  it('prints seed, path and the shortest calls of a broken invariant', () => {
    const problem = problemsOf(RANDOM, changed('notebooks.create', careless));
    expect(problem).toMatch(
      /seed 4711, path [\d:]+, \d+ times shortened\n {2}1\. \S+ \{"name":"(?:Home|Work)"\}$/u,
    );
  });

  it('a failed call that changed the content', () => {
    const step = { tool: 'notes.get', index: 3, outcome: 'error', operations: [], before: 'a', after: 'b' };
    const outcome = {
      script: 's',
      call: { tool: 'notes.get', input: {} },
      step,
      committed: false,
    } as unknown;
    const subject = { outcomes: () => [outcome as Outcome], operation: () => undefined };
    expect(contentProblems(subject)).toEqual(['the failed notes.get {} (s, step 3) changed the content']);
    const kept = {
      outcomes: () => [{ ...(outcome as Outcome), committed: true }],
      operation: () => undefined,
    };
    expect(contentProblems(kept)).toEqual([]);
  });
});

describe('what the author leaves out is a problem too', () => {
  it('an operation without a probe', () => {
    const options = { ...sound, probes: probes.filter(({ operation }) => operation !== 'notes.get') };
    expect(problemsOf(DECLARATIONS, notes, options)).toBe('notes.get has no probe');
    expect(problemsOf(DECLARATIONS, notes, { ...options, unprobed: { 'notes.get': 'trivial' } })).toBe('');
  });

  it('a probe without facts', () => {
    const [first] = probes;
    const empty = first ? [{ ...first, expect: { status: 201, facts: {} } }] : [];
    expect(problemsOf(PROBES, notes, { probes: empty })).toContain('states no fact');
  });

  it('a listing that is not named', () => {
    expect(problemsOf(PAGING, notes, { probes })).toBe('notes.list takes pages: name it among the listings');
  });

  it('an error that is excused and reached', () => {
    const options = { ...sound, unreached: { note_locked: 'too hard' } };
    expect(problemsOf(REACH, notes, options)).toBe('note_locked is excused and reached all the same');
  });
});

describe('describeConformance', () => {
  it('registers every law, runs it, and fails with all problems', () => {
    const tests = new Map<string, () => void>();
    const runner = {
      describe: (_name: string, body: () => void) => body(),
      it: (name: string, body: () => void) => void tests.set(name, body),
    };
    const broken = changed('notes.get', () => ({ summary: '', errors: ['lost', 'note_not_found'] }));
    describeConformance(broken, { ...sound, skip: { 'forks do not leak': 'it is shown elsewhere' } }, runner);
    expect(tests.size).toBe(LAWS.length);
    expect(tests.has('forks do not leak: does not apply, it is shown elsewhere')).toBe(true);
    expect(tests.get(DECLARATIONS)).toThrow(
      /notes, "declarations fit together":\n- .*summary\n- .*unknown error lost/u,
    );
    expect(tests.get(EXAMPLES)).not.toThrow();
  });
});

/** Tags beyond the limit are taken silently. */
function forgiving(tag: Operation): Operation['run'] {
  return (ctx, input) => {
    try {
      return tag.run(ctx, input);
    } catch {
      return { id: 'note_seed0004' };
    }
  };
}

/** A counter beside the world. */
function remembering(): Service {
  let calls = 0;
  return answering('notes.get', (answer) => {
    calls += 1;
    return { ...answer, revision: calls };
  });
}

function overlap(answer: Record<string, unknown>, input: Record<string, unknown>): unknown {
  const items = answer.notes as readonly unknown[];
  if (input.after === undefined || items.length < 2) return answer;
  return { ...answer, notes: [...items.slice(1), ...items.slice(0, 1)] };
}

/** Creates without looking whether the name is taken. */
function careless(): Partial<Operation> {
  return {
    run: (ctx, { name }: { name: string }) => {
      if (name === '') throw providerError(errors, 'notebook_exists');
      const id = ctx.nextId('notebooks');
      const row = { id, name, owner: ctx.actor.id, created_at: new Date(ctx.nowMs).toISOString() };
      (ctx.tx.notebooks as { insert(row: unknown): void }).insert(row);
      return { id, name, owner: ctx.actor.id };
    },
  };
}
