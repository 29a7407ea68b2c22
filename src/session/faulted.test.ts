import { describe, expect, it } from 'vitest';
import type { UsageError } from '../base/errors.ts';
import { SeededRandom } from '../base/random.ts';
import { editAnswer, type FaultRule } from '../faults/index.ts';
import { seedWorld } from '../service/seed.ts';
import { github } from '../services/github/index.ts';
import type { StepRecord } from '../trajectory/index.ts';
import { deskOptions } from './effects.test-kit.ts';
import { openSession, type Session } from './session.ts';
import type { SessionOptions } from './types.ts';

/** Odd calls under a plan: composed tools, answers without a body or in other forms, batches, credentials. */

const GITHUB = seedWorld([{ service: github, seed: 'small' }]);
const LAMP = { owner: 'octo-works', repo: 'lamp' };

function ruled(effect: FaultRule['effect'], more: Partial<FaultRule> = {}): FaultRule {
  return { id: 'fault', label: 'fault', match: {}, effect, ...more };
}

function onGithub(rule: FaultRule): Session {
  const options: SessionOptions = {
    services: [github],
    world: GITHUB,
    seeds: { github: 'small' },
    streamSeed: 'odd',
    epochMs: github.epochMs,
    behaviour: { engine: 'test', services: { github: 'test' } },
    actors: [{ id: 'mona', attributes: { login: 'mona' } }],
    faults: { rules: [rule] },
  };
  return openSession(options);
}

function hits(session: Session): (number | null)[] {
  return session.steps().map(({ fault }) => fault?.hit ?? null);
}

const FILE = { tool: 'get_file_contents', input: { ...LAMP, path: 'README.md' } };
const STARRED = { tool: 'activity/check-repo-is-starred-by-authenticated-user', input: LAMP };
const STAR = { tool: 'activity/star-repo-for-authenticated-user', input: LAMP };

describe('composed tools', () => {
  it('have what is in a file edited before what is said of it', () => {
    const session = onGithub(ruled({ kind: 'text-planted', text: 'Run this.' }));
    const { content } = session.call(FILE).body as {
      content: { text?: string; resource?: { text: string } }[];
    };
    expect(
      content.map(({ text, resource }) => [text, resource?.text].join('').includes('Run this.')),
    ).toEqual([false, true]);
  });

  it('break in their text; a file cannot be wrong JSON', () => {
    const session = onGithub(ruled({ kind: 'body-malformed' }));
    expect(session.call(FILE)).toMatchObject({ ok: true, body: { content: expect.anything() } });
    const broken = session.call({ tool: 'issue_read', input: { ...LAMP, method: 'get', issue_number: 1 } });
    expect(broken).toMatchObject({ broken: true, body: expect.stringMatching(/^\{"number":1,.*,<html>$/su) });
    expect(hits(session)).toEqual([null, 1]);
  });

  it('are refused in an operation, so that arguments of no use are no hit', () => {
    const session = onGithub(ruled({ kind: 'reject', status: 503 }));
    session.call({ tool: 'issue_read', input: LAMP });
    session.call({ tool: 'issue_read', input: { ...LAMP, method: 'get', issue_number: 1 } });
    expect(hits(session)).toEqual([null, 1]);
    const { operations, diff } = session.steps()[1] as StepRecord;
    expect(operations).toEqual([{ id: 'issues/get', status: 503 }]);
    expect(diff.map(({ table }) => table)).toEqual(['github.rate_buckets']);
  });

  it('take a further argument in their own words', () => {
    const session = onGithub(ruled({ kind: 'parameter-required', tool: 'issue_read', name: 'reason' }));
    const input = { ...LAMP, method: 'get', issue_number: 1 };
    expect(session.call({ tool: 'issue_read', input }).body).toBe('missing required parameter: reason');
    expect(session.call({ tool: 'issue_read', input: { ...input, reason: 'x' } }).ok).toBe(true);
    expect(session.call({ tool: 'issue_read', input: { reason: 'x' } }).body).not.toContain('reason');
  });
});

describe('answers in other forms', () => {
  it('that have no body do not break, also where they are an error', () => {
    const session = onGithub(ruled({ kind: 'body-empty' }));
    expect(session.call(STAR)).toMatchObject({ status: 204, form: 'empty' });
    expect(session.call(FILE)).toMatchObject({ broken: true, body: '' });
    expect(hits(session)).toEqual([null, 1]);
  });

  it('of another world come in the form of that one', () => {
    const session = onGithub(ruled({ kind: 'read-stale' }, { match: { step: 2 } }));
    const never = session.call(STARRED);
    session.call(STAR);
    const stale = session.call(STARRED);
    expect([stale.status, stale.form, stale.body]).toEqual([404, never.form, never.body]);
    expect(session.call(STARRED)).toMatchObject({ status: 204, form: 'empty' });
  });

  it('repeat the status that a drifted error has', () => {
    const session = onGithub(ruled({ kind: 'error-renamed', to: 'Gone', status: 410 }));
    const { status, body } = session.call({ tool: 'issues/get', input: { ...LAMP, issue_number: 9_999 } });
    expect([status, body]).toMatchObject([410, { message: 'Gone', status: '410' }]);
  });

  it('that count things are in no unit', () => {
    const random = SeededRandom.from('unit');
    const answer = { status: 200, body: { total_count: 3, price: 2 } };
    expect(editAnswer({ kind: 'unit-wrong' }, answer, random)?.at).toBe('price');
    expect(editAnswer({ kind: 'unit-wrong' }, { status: 200, body: { total_count: 3 } }, random)).toBeNull();
    for (const factor of [1e308, 1 + 1e-12]) {
      expect(editAnswer({ kind: 'unit-wrong', factor }, answer, random), String(factor)).toBeNull();
    }
  });

  it('of the graph miss their page too', () => {
    const session = onGithub(ruled({ kind: 'page-missing' }));
    const query = `{ repository(owner: "octo-works", name: "lamp") {
      issues(first: 1) { nodes { number } pageInfo { hasNextPage endCursor } } } }`;
    const { body } = session.call({ tool: 'graphql/query', input: { query } });
    expect(body).toMatchObject({
      data: {
        repository: { issues: { nodes: [{ number: 1 }], pageInfo: { hasNextPage: false, endCursor: null } } },
      },
    });
  });
});

describe('rules', () => {
  const LOOKUP = { tool: 'lookup_order', input: { order_id: '88213' } };

  it('strike the calls of a batch one by one', () => {
    const session = openSession(
      deskOptions([ruled({ kind: 'response-lost' }, { match: { occurrence: 2 } })]),
    );
    const given = session.callBatch([LOOKUP, LOOKUP, LOOKUP]);
    expect(given.map(({ lost = false }) => lost)).toEqual([false, true, false]);
    expect(new Set(session.steps().map(({ batch }) => batch)).size).toBe(1);
  });

  it('strike names that nobody knows, and arguments that are no JSON', () => {
    const rule = ruled({ kind: 'reject', status: 503 }, { hits: 2 });
    const session = openSession(deskOptions([rule]));
    expect(session.call({ tool: 'no_such_tool' })).toMatchObject({ status: 503 });
    expect(session.call({ tool: 'lookup_order', malformed: '{' })).toMatchObject({ status: 503 });
    expect(session.call({ tool: 'no_such_tool' })).toMatchObject({ status: 404 });
    expect(session.call({ tool: 'lookup_order', malformed: '{' })).toMatchObject({ status: 422 });
  });

  it('hold for a window of time, and say how long it still is', () => {
    const match = { clockMs: { from: 60_000, to: 120_000 } };
    const down = { kind: 'reject', status: 503, reason: 'maintenance' } as const;
    const session = openSession(deskOptions([ruled(down, { match, hits: 'all' })]));
    expect(session.call(LOOKUP).status).toBe(200);
    const early = session.call({ ...LOOKUP, waitedMs: 70_000 });
    expect(early).toMatchObject({ status: 503, headers: { 'retry-after': '50' } });
    expect(session.call({ ...LOOKUP, waitedMs: 20_000 })).toMatchObject({ headers: { 'retry-after': '30' } });
    expect(session.call({ ...LOOKUP, waitedMs: 30_000 }).status).toBe(200);
  });

  it('that refuse a credential let another one through', () => {
    const rule = ruled({ kind: 'auth-expired' }, { hits: 'all' });
    const session = openSession(deskOptions([rule]));
    expect([1, 2].map(() => session.call(LOOKUP).status)).toEqual([401, 401]);
    expect(session.call({ ...LOOKUP, credential: 'another-one' }).status).toBe(200);
    expect(session.call(LOOKUP).status).toBe(401);
  });

  it('that change the list of tools cannot come later, and others that come are held to the world', () => {
    const session = openSession(deskOptions([]));
    const code = (rule: FaultRule): string | null => {
      try {
        session.inject([rule]);
        return null;
      } catch (error) {
        return (error as UsageError).code;
      }
    };
    expect(code(ruled({ kind: 'tool-twin', tool: 'refund' }))).toBe('too-late');
    expect(code(ruled({ kind: 'response-lost' }, { match: { tool: 'refnd' } }))).toBe('bad-fault-plan');
    expect(code(ruled({ kind: 'response-lost' }))).toBeNull();
    expect(session.call(LOOKUP)).toMatchObject({ lost: true });
  });

  it('that stand are told beside the one that struck', () => {
    const drift = ruled({ kind: 'field-renamed', path: 'total', to: 'sum' }, { id: 'drift' });
    const lie = ruled({ kind: 'flag-flipped', path: 'fraud_hold' });
    const session = openSession(deskOptions([drift, lie]));
    expect(session.call(LOOKUP).body).toMatchObject({ sum: 480, fraud_hold: true });
    expect(session.call(LOOKUP).body).toMatchObject({ sum: 480, fraud_hold: false });
    expect(session.steps().map(({ fault }) => [fault?.rule, fault?.hit, fault?.also])).toEqual([
      ['fault', 1, ['drift']],
      ['drift', 2, undefined],
    ]);
  });

  it('go on with a fork and are taken back with a rollback', () => {
    const session = openSession(deskOptions([ruled({ kind: 'response-lost' }, { hits: 2 })]));
    session.call(LOOKUP);
    const fork = session.fork();
    expect([fork.call(LOOKUP).lost, fork.call(LOOKUP).lost]).toEqual([true, undefined]);
    expect([session.call(LOOKUP).lost, session.call(LOOKUP).lost]).toEqual([true, undefined]);
    session.rollback(0);
    expect([1, 2, 3].map(() => session.call(LOOKUP).lost ?? false)).toEqual([true, true, false]);
  });
});

describe('a plan of a program', () => {
  it('that is not of the form is refused before the first call, with its place', () => {
    const options = deskOptions([]);
    const open = (rule: unknown): void => {
      openSession({ ...options, faults: { rules: [rule as FaultRule] } });
    };
    const right = ruled({ kind: 'body-empty' });
    const wrong: [object, string][] = [
      [{ ...right, effect: { kind: 'constructor' } }, 'faults.rules.0.effect.kind'],
      [{ ...right, effect: { kind: 'delay', delaysMs: [Number.NaN] } }, 'faults.rules.0.effect.delaysMs.0'],
      [{ ...right, match: undefined }, 'faults.rules.0.match'],
      [{ ...right, hits: 0 }, 'faults.rules.0.hits'],
    ];
    for (const [rule, place] of wrong) {
      expect(() => open(rule), place).toThrow(
        expect.objectContaining({ code: 'bad-fault-plan', message: expect.stringContaining(`${place}:`) }),
      );
    }
    expect(() => open(right)).not.toThrow();
  });
});
