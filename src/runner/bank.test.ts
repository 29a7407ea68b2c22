import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BANK_TEXT, scenarioText, writeTinyBank } from '../../test/tiny-bank.ts';
import { UsageError } from '../base/errors.ts';
import { openSession } from '../session/index.ts';
import { loadBank, type VariantOptions } from './bank.ts';
import { optionsFor, type PreparedScenario } from './prepare.ts';
import { WorldCache } from './worlds.ts';

let root = '';
let folder = '';
let file = '';
const worlds = new WorldCache();
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'groundhog-bank-'));
  folder = writeTinyBank(join(root, 'bank'), []);
  file = join(folder, 'scenarios', 'one.yaml');
});
afterAll(() => rmSync(root, { recursive: true }));

const PLAIN = scenarioText({ id: 'one', order: '10034' });

async function load(
  text: string | Uint8Array,
  options?: VariantOptions,
): Promise<readonly PreparedScenario[]> {
  writeFileSync(file, text);
  return (await loadBank([folder], worlds, options)).chosen;
}

/** The refusal of a file: `line:column message (hint)`. */
async function refusal(text: string | Uint8Array): Promise<string> {
  try {
    await load(text);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    expect(error.place?.file).toBe(file);
    return error.describe().slice(file.length + 1);
  }
  throw new Error('the file was taken');
}

const FAMILY = scenarioText({
  id: 'one',
  order: '{{order.id}}',
  extra: `bindings:
  order: { from: helpdesk.orders, where: { status: delivered }, pick: random }
  customer: { from: helpdesk.customers, match: { id: order.customer_id }, pick: first }
  other: { from: helpdesk.orders, distinctFrom: [order], pick: random }
`,
});

describe('a scenario file that is not as it should be', () => {
  it.each([
    [
      'a member that is not known',
      (text: string) => text.replace('cluster:', 'clustre:'),
      /^3:1: clustre: no such member \(did you mean cluster\?\)/u,
    ],
    [
      'a member deep inside that is not known',
      (text: string) => text.replace('seed: small', 'seeed: small'),
      /^4:\d+: world\.\w+: /u,
    ],
    [
      'a wrong type',
      (text: string) => text.replace('calls: 6', 'calls: six'),
      /^16:19: budgets\.calls: invalid input: expected number/u,
    ],
    [
      'a missing member',
      (text: string) => text.replace(/^title: .*\n/mu, ''),
      /^1:1: title: missing, expected string/u,
    ],
    [
      'a word that is not in the list',
      (text: string) => text.replace('seed: small', 'seed: smal'),
      /^4:\d+: world\.seed: .*\(did you mean small\?\)/u,
    ],
    [
      'a kind that is not in the list',
      (text: string) => text.replace('kind: termination', 'kind: terminaton'),
      /^12:\d+: invariants\.0\.kind: .*\(did you mean termination\?\)/u,
    ],
    ['a member twice', (text: string) => `${text}title: Again\n`, /^17:1: .*unique/u],
    ['broken YAML', (text: string) => text.replace('budgets: {', 'budgets: [{'), /^\d+:\d+: /u],
    ['nothing', () => '', /^1:1: the file: /u],
    ['a list', () => '- a\n- b\n', /^1:1: the file: /u],
    [
      'an alias without an anchor',
      (text: string) => text.replace('title: Looks', 'title: *nowhere #'),
      /^2:8: /u,
    ],
    ['two documents', (text: string) => `${text}---\n${text}`, /^17:1: a second document/u],
    [
      'an identifier that is none',
      (text: string) => text.replace('id: one', 'id: Öne'),
      /^1:5: id: expected lower-case/u,
    ],
    [
      'a date that is none',
      (text: string) => text.replace('seed: small', 'seed: small, epoch: soon'),
      /^4:\d+: world\.epoch/u,
    ],
  ])('with %s names the place and what was expected', async (_what, change, expected) => {
    expect(await refusal(change(PLAIN))).toMatch(expected);
  });

  it('with aliases that multiply is refused at once', async () => {
    const levels = Array.from({ length: 9 }, (_, level) => {
      const before = level === 0 ? '"x"' : `*a${level - 1}`;
      return `a${level}: &a${level} [${Array.from({ length: 9 }, () => before).join(', ')}]`;
    });
    expect(await refusal(`${PLAIN}${levels.join('\n')}\n`)).toMatch(/^1:1: .*alias/u);
  });

  it('that is not UTF-8 names the line', async () => {
    const bytes = Buffer.from(PLAIN);
    bytes[bytes.indexOf('Looks')] = 0xff;
    expect(await refusal(bytes)).toMatch(/^2: the file is not UTF-8/u);
  });

  it('whose names the world does not have names place and nearest name', async () => {
    const more = (line: string): string => `${PLAIN}${line}\n`;
    const rule = (line: string): string => PLAIN.replace('graders:', `  - ${line}\ngraders:`);
    const grader = (line: string): string => PLAIN.replace('budgets:', `  - ${line}\nbudgets:`);
    const graded = (line: string): string => `${grader('{ kind: milestones }')}${line}\n`;
    const cases: [string, RegExp][] = [
      [PLAIN.replace('services: [helpdesk]', 'services: [helpdsk]'), /^4:8: .*\(did you mean helpdesk\?\)/u],
      [
        PLAIN.replace('{ tool: lookup_order, arguments', '{ tool: lookup_ordr, arguments'),
        /^9:19: .*\(did you mean lookup_order\?\)/u,
      ],
      [
        more('tools: [check_policy]'),
        /^9:\d+: reference\.calls\.0\.tool: there is no tool on offer named lookup_order/u,
      ],
      [more('tools: [lookup_order, check_polcy]'), /^17:\d+: .*\(did you mean check_policy\?\)/u],
      [
        more('alternatives: [{ tool: refund, instead: { tool: issue_store_credt } }]'),
        /^17:\d+: alternatives\.0\.instead\.tool: .*\(did you mean issue_store_credit\?\)/u,
      ],
      [
        rule('{ id: r, kind: prohibition, tool: refnd }'),
        /^13:\d+: invariants\.1\.tool: .*\(did you mean refund\?\)/u,
      ],
      [
        rule('{ id: r, kind: cardinality, tool: refund, each: order_di, max: 1 }'),
        /^13:\d+: .*\(did you mean order_id\?\)/u,
      ],
      [
        rule('{ id: r, kind: arguments, tool: refund, require: { amont: { gt: 0 } } }'),
        /^13:\d+: .*\(did you mean amount\?\)/u,
      ],
      [
        rule('{ id: r, kind: ordering, first: { tool: refund }, then: { tool: refund, where: { x: 1 } } }'),
        /^13:\d+: .*argument of refund named x/u,
      ],
      [
        rule('{ id: r, kind: grounding, in: answer, match: "(", from: results }'),
        /^13:\d+: .*regular expression/iu,
      ],
      [
        rule('{ id: r, kind: state, always: { table: helpdesk.order, check: { id: a } } }'),
        /^13:\d+: .*\(did you mean helpdesk\.orders\?\)/u,
      ],
      [
        rule('{ id: r, kind: state, always: { table: helpdesk.orders, check: { stats: a } } }'),
        /^13:\d+: .*\(did you mean status\?\)/u,
      ],
      [
        grader('{ kind: reads, calls: [{ tool: lookup_order, where: { ordr_id: "1" } }] }'),
        /^16:\d+: .*\(did you mean order_id\?\)/u,
      ],
      [grader('{ kind: answer, check: { matches: ["["] } }'), /^16:\d+: /u],
      [more('freeText: { send_email: [subjct] }'), /^17:\d+: .*\(did you mean subject\?\)/u],
      [more('contract: { mask: [helpdesk.emails.subjct] }'), /^17:\d+: .*\(did you mean subject\?\)/u],
      [
        more('contract: { allow: [{ table: helpdesk.emials }] }'),
        /^17:\d+: .*\(did you mean helpdesk\.emails\?\)/u,
      ],
      [
        FAMILY.replace('from: helpdesk.orders, where', 'from: helpdesk.oders, where'),
        /^18:\d+: .*\(did you mean helpdesk\.orders\?\)/u,
      ],
      [FAMILY.replace('where: { status', 'where: { statu'), /^18:\d+: .*\(did you mean status\?\)/u],
      [FAMILY.replace('match: { id: order.', 'match: { id: ordr.'), /^19:\d+: .*\(did you mean order\?\)/u],
      [FAMILY.replace('order.customer_id', 'order.customer'), /^19:\d+: .*\(did you mean customer_id\?\)/u],
      [
        FAMILY.replace('distinctFrom: [order]', 'distinctFrom: [ordre]'),
        /^20:\d+: .*\(did you mean order\?\)/u,
      ],
      [FAMILY.replace('status: delivered', 'status: eaten'), /^18:\d+: .*fits no row/u],
      [
        FAMILY.replace('order {{order.id}}?', 'order {{ordr.id}}?'),
        /^6:\d+: .*\(did you mean order\.id\?\)/u,
      ],
      [
        FAMILY.replace('order {{order.id}}?', 'order {{order.id|dollar}}?'),
        /^6:\d+: .*\(did you mean dollars\?\)/u,
      ],
      [FAMILY.replace('order {{order.id}}?', 'order {{order.id|constructor}}?'), /^6:\d+: .*unknown filter/u],
      [
        more(
          'faults: { rules: [{ id: f, match: { tool: refnd }, effect: { kind: response-lost }, label: x }] }',
        ),
        /^17:\d+: .*\(did you mean refund\?\)/u,
      ],
      [more('user: { opening: hi, start: a, fallback: what, states: { b: [] } }'), /^17:\d+: /u],
      [
        more('contract: { expect: [{ op: insert, table: orders, key: "1", row: { stats: 1 } }] }'),
        /^17:\d+: contract\.expect\.0\.row\.stats: .*\(did you mean status\?\)/u,
      ],
      [
        graded(
          'milestones: [{ id: m, expect: [{ op: update, table: orders, key: "1", cells: { statu: {} } }] }]',
        ),
        /^\d+:\d+: milestones\.0\.expect\.0\.cells\.statu: .*\(did you mean status\?\)/u,
      ],
      [
        PLAIN.replace(
          'order_id: "10034" } }]\n  answer',
          'order_id: "1" }, fails: order_not_fond }]\n  answer',
        ),
        /^9:\d+: reference\.calls\.0\.fails: .*\(did you mean order_not_found\?\)/u,
      ],
      [
        rule('{ id: r, kind: state, always: { table: acounts, check: { status: open } } }'),
        /^13:\d+: .*no table named acounts \(did you mean accounts\?\)/u,
      ],
    ];
    for (const [text, expected] of cases) expect(await refusal(text)).toMatch(expected);
  });

  it('whose reference calls have arguments that do not fit their tools names the argument', async () => {
    const second = (call: string): string =>
      PLAIN.replace('"10034" } }]\n  answer', `"10034" } }, ${call}]\n  answer`);
    const at = /^9:\d+: reference\.calls\.1\.arguments\./u;
    for (const [call, expected] of [
      ['{ tool: lookup_order, arguments: { ordr_id: "1" } }', /\.ordr_id: .*\(did you mean order_id\?\)/u],
      ['{ tool: lookup_order, arguments: { order_id: 10034 } }', /\.order_id: .*expected string/u],
      ['{ tool: list_tickets, arguments: { queue: biling } }', /\.queue: .*\(did you mean billing\?\)/u],
      ['{ tool: lookup_order, arguments: {} }', /\.order_id: missing, expected string/u],
      [
        '{ tool: lookup_order, arguments: { order_id: { $result: 7, path: id } } }',
        /\.order_id\.\$result: 7 is no call before this one, which is call 1 of 2 calls/u,
      ],
      [
        '{ tool: lookup_order, arguments: { order_id: { $result: "0", path: id } } }',
        /\.\$result: "0" is no/u,
      ],
    ] as const) {
      const said = await refusal(second(call));
      expect(said).toMatch(at);
      expect(said).toMatch(expected);
    }
    // What only running tells is looked at when it runs, and a call may be meant to fail.
    await load(second('{ tool: lookup_order, arguments: { order_id: { $result: 0, path: id } } }'));
    await load(second('{ tool: lookup_order, arguments: { order_id: 5 }, fails: order_not_found }'));
  });

  it('whose tests are no tests names the nearest one', async () => {
    const refused = (test: string): Promise<string> =>
      refusal(
        PLAIN.replace(
          'graders:',
          `  - { id: r, kind: arguments, tool: refund, require: { amount: ${test} } }\ngraders:`,
        ),
      );
    const here = /^13:\d+: invariants\.1\.require\.amount\./u;
    for (const [test, expected] of [
      ['{ gt: 0, lteq: 500 }', /\.lteq: there is no test named lteq \(did you mean lte\?\)/u],
      ['{ in: 5 }', /\.in: expected a list/u],
      ['{ gt: true }', /\.gt: expected a number or a text/u],
      ['{ exists: 1 }', /\.exists: expected true or false/u],
      ['{ matches: 1 }', /\.matches: expected a regular expression/u],
    ] as const) {
      expect(await refused(test)).toMatch(here);
      expect(await refused(test)).toMatch(expected);
    }
    // An object without any operator is compared as a whole.
    await expect(refused('{ currency: EUR }')).rejects.toThrow('the file was taken');
    await expect(refused('{ gt: 0, lte: 500 }')).rejects.toThrow('the file was taken');
  });

  it('may leave out the service of a table: it is the same scenario, hash included', async () => {
    const kept = (table: string): string =>
      PLAIN.replace(
        'graders:',
        `  - { id: r, kind: state, always: { table: ${table}, check: { status: open } } }\ngraders:`,
      );
    const [bare] = await load(kept('accounts'));
    const [full] = await load(kept('helpdesk.accounts'));
    expect(bare?.watches).toMatchObject([{ id: 'r', table: 'helpdesk.accounts' }]);
    expect(bare?.scenario.hash).toBe(full?.scenario.hash);
  });

  it('that contradicts itself names the part that does not fit the rest', async () => {
    const milestone = (id: string, after = ''): string =>
      `  - { id: ${id}, ${after}expect: [{ op: delete, table: orders, key: "1", row: {} }] }\n`;
    const graded = (milestones: string): string =>
      `${PLAIN.replace('budgets:', '  - { kind: milestones }\nbudgets:')}milestones:\n${milestones}`;
    const fault = '    - { id: f, match: {}, effect: { kind: response-lost }, label: x }\n';
    const cases: [string, RegExp][] = [
      [`${PLAIN}milestones:\n${milestone('a')}`, /^18:3: milestones: no grader looks at them \(add/u],
      [
        PLAIN.replace('budgets:', '  - { kind: milestones }\nbudgets:'),
        /^16:13: graders\.2\.kind: there are no milestones/u,
      ],
      [
        graded(milestone('first') + milestone('b', 'after: [frist], ')),
        /^20:\d+: milestones\.1\.after\.0: there is no milestone named frist \(did you mean first\?\)/u,
      ],
      [
        graded(milestone('x') + milestone('a', 'after: [b], ') + milestone('b', 'after: [x, a], ')),
        /^20:\d+: milestones\.1\.after: a waits for b waits for a/u,
      ],
      [graded(milestone('a', 'after: [a], ')), /^19:\d+: milestones\.0\.after: a waits for a/u],
      [graded(milestone('a') + milestone('a')), /^20:11: milestones\.1\.id: a is the id of number 0/u],
      [
        PLAIN.replace('graders:', '  - { id: ends-by-answer, kind: prohibition, tool: refund }\ngraders:'),
        /^13:11: invariants\.1\.id: ends-by-answer is the id of number 0 already/u,
      ],
      [
        `${PLAIN}faults:\n  rules:\n${fault.repeat(2)}`,
        /^20:13: faults\.rules\.1\.id: f is the id of number 0 already/u,
      ],
    ];
    for (const [text, expected] of cases) expect(await refusal(text)).toMatch(expected);
    await load(graded(milestone('a') + milestone('b', 'after: [a], ')));
  });

  it('whose overlay does not fit names the entry', async () => {
    const overlay = (entry: string): string =>
      PLAIN.replace('seed: small', `seed: small, overlay: [${entry}]`);
    const order = '{ table: helpdesk.orders, key: "10034"';
    for (const [entry, expected] of [
      ['{ table: helpdesk.order, key: "1", delete: true }', /\(did you mean helpdesk\.orders\?\)/u],
      ['{ table: helpdesk.orders, key: "0", delete: true }', /not there/u],
      [`${order}, set: { colour: red } }`, /colour/u],
      [`${order}, set: { status: 5 } }`, /status/u],
      [`${order}, set: { id: "5" } }`, /./u],
      ['{ table: helpdesk.orders, insert: { id: "1" } }', /./u],
      ['{ table: helpdesk.orders, key: { a: 1 }, delete: true }', /./u],
    ] as const) {
      const said = await refusal(overlay(entry));
      expect(said).toMatch(/^4:\d+: /u);
      expect(said).toMatch(expected);
    }
  });

  it('whose reference module is not there, breaks or makes nonsense says so at the module', async () => {
    const text = PLAIN.replace(/reference:\n.*\n.*\n/u, 'reference: { module: make.mjs }\n');
    expect(await refusal(text)).toMatch(/^8:\d+: there is no reference module/u);
    for (const [index, source] of [
      'export const x = 1;',
      'syntax error',
      'export const reference = () => { throw new Error("planted"); };',
      'export const reference = () => ({ calls: 5 });',
    ].entries()) {
      writeFileSync(join(folder, `make-${index}.mjs`), source);
      expect(await refusal(text.replace('make.mjs', `make-${index}.mjs`))).toMatch(/^8:\d+: .*make-/u);
    }
  });
});

describe('a bank that is not as it should be', () => {
  it('names the file', async () => {
    await load(PLAIN);
    writeFileSync(join(folder, 'scenarios', 'two.yaml'), PLAIN);
    await expect(loadBank([folder], worlds)).rejects.toMatchObject({
      code: 'same-id',
      place: { line: 1, column: 5 },
    });
    rmSync(join(folder, 'scenarios', 'two.yaml'));
    await expect(load(PLAIN.replace('title:', 'titel:'))).rejects.not.toThrow('more file');
    writeFileSync(join(folder, 'scenarios', 'two.yaml'), 'id: two');
    // One that is only wrong in its world counts as well.
    const three = scenarioText({ id: 'three', order: '10034' }).replace('helpdesk', 'helpdsk');
    writeFileSync(join(folder, 'scenarios', 'three.yaml'), three);
    await expect(loadBank([folder], worlds)).rejects.toMatchObject({
      code: 'form',
      message: expect.stringMatching(/^titel: no such member \(and 2 more files\)$/u),
      hint: 'did you mean title?',
      place: { file, line: 2, column: 1 },
    });
    for (const name of ['two', 'three']) rmSync(join(folder, 'scenarios', `${name}.yaml`));
    await load(PLAIN);
    writeFileSync(join(folder, 'bank.yaml'), BANK_TEXT.replace('1.0.0', 'one'));
    await expect(loadBank([folder], worlds)).rejects.toMatchObject({
      place: { file: join(folder, 'bank.yaml'), line: 2, column: 10 },
    });
    writeFileSync(join(folder, 'bank.yaml'), BANK_TEXT);
    await expect(loadBank([folder, root], worlds)).rejects.toThrow(UsageError);
  });
});

describe('families', () => {
  const variants = (seed: string): VariantOptions => ({ variants: 4, variantSeed: seed });
  const texts = (chosen: readonly PreparedScenario[]): string[] =>
    chosen.map(({ scenario }) => scenario.task.text);

  it('pick the same rows from the same seed, and others from another', async () => {
    const once = await load(FAMILY, variants('1'));
    expect(once.map(({ scenario }) => scenario.id)).toEqual(['one~1', 'one~2', 'one~3', 'one~4']);
    expect(texts(await load(FAMILY, variants('1')))).toEqual(texts(once));
    expect(texts(await load(FAMILY, variants('2')))).not.toEqual(texts(once));
    expect(new Set(texts(once)).size).toBeGreaterThan(1);
    const hashes = once.map(({ scenario }) => scenario.hash);
    expect((await load(FAMILY, variants('1'))).map(({ scenario }) => scenario.hash)).toEqual(hashes);
  });

  it('give no two variants the same rows, however many are asked for', async () => {
    const single = FAMILY.replace(/ {2}other: .*\n/u, '');
    const [some, more] = [
      await load(single, { variants: 5, variantSeed: '1' }),
      await load(single, { variants: 12, variantSeed: '1' }),
    ];
    expect(new Set(texts(more)).size).toBe(12);
    expect(texts(more).slice(0, 5)).toEqual(texts(some));
    // Two random bindings: the rows of the first differ as long as there are any, then the pairs do.
    const pair = FAMILY.replace('status: delivered', 'id: { in: ["10034", "10067", "10103"] }').replace(
      'kind: lookup,',
      'kind: lookup, other: "{{other.id}}",',
    );
    const pairs = await load(pair, { variants: 30, variantSeed: '1' });
    expect(new Set(texts(pairs).slice(0, 3)).size).toBe(3);
    expect(new Set(pairs.map(({ scenario }) => JSON.stringify(scenario.task.intent))).size).toBe(30);
  });

  it('of which fewer fit than are asked for are refused at the binding, with how many fit', async () => {
    const three = FAMILY.replace('status: delivered', 'id: { in: ["10034", "10067", "10103"] }');
    const options = { variants: 4, variantSeed: '1' };
    const one = three.replace(/ {2}other: .*\n/u, '');
    await expect(load(one, options)).rejects.toMatchObject({
      message: 'only 3 rows fit the binding order',
      hint: 'ask for at most 3 variants, or loosen its where',
      place: { file, line: 18 },
    });
    const two = three.replace('distinctFrom: [order]', 'match: { id: order.id }');
    await expect(load(two, options)).rejects.toThrow(
      'only 3 combinations of rows fit the bindings order, other',
    );
    await expect(load(FAMILY.replace('delivered', 'eaten'), options)).rejects.toThrow(/fits no row/u);
  });

  it('that are not run take as many rows as fit, and keep no other from running', async () => {
    const single = FAMILY.replace(/ {2}other: .*\n/u, '');
    const narrow = single.replace('id: one', 'id: narrow').replace('status: delivered', 'id: "10034"');
    const second = join(folder, 'scenarios', 'narrow.yaml');
    writeFileSync(file, single);
    writeFileSync(second, narrow);
    const options = { variants: 3, variantSeed: '1' };
    const bank = await loadBank([`${folder}/one`], worlds, options);
    expect([bank.chosen.length, bank.all.length]).toEqual([3, 4]);
    await expect(loadBank([folder], worlds, options)).rejects.toThrow('only 1 row fits the binding order');
    rmSync(second);
  });

  it('leave no template unfilled, and give a whole template its own type', async () => {
    const text = FAMILY.replace(
      'kind: lookup,',
      'kind: lookup, total: "{{order.total_cents}}", who: "{{customer.email}}",',
    );
    for (const { scenario } of await load(text, variants('3'))) {
      expect(JSON.stringify(scenario)).not.toContain('{{');
      expect(scenario.task.intent?.total).toBeTypeOf('number');
      expect(scenario.task.intent?.order_id).toBe(scenario.reference.calls[0]?.arguments.order_id);
    }
  });
});

describe('overlays', () => {
  it('insert, change and delete rows, in their order', async () => {
    const text = PLAIN.replace(
      'seed: small }',
      `seed: small, overlay: [
  { table: helpdesk.orders, key: "10034", set: { status: shipped } },
  { table: helpdesk.orders, key: "10034", set: { status: delivered, note: odd } },
  ] }`,
    );
    expect(await refusal(text)).toMatch(/^6:\d+: .*note/u);
    const [prepared] = await load(text.replace(', note: odd', ''));
    if (!prepared) throw new Error('the scenario is not there');
    const { overlay } = prepared.scenario.world;
    expect(overlay.map((change) => ('cells' in change ? change.cells.status?.to : null))).toEqual([
      'shipped',
      'delivered',
    ]);
    const session = openSession(optionsFor(prepared, { streamSeed: 's', asAgent: true }));
    expect(session.world.table('helpdesk.orders').get('10034')?.status).toBe('delivered');
  });
});
