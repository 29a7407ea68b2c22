import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scenarioText, writeTinyBank } from '../../../test/tiny-bank.ts';
import { loadBank, loadSoundParts } from '../bank.ts';
import { WorldCache } from '../worlds.ts';
import { lintBank } from './lint.ts';

let root = '';
let folder = '';
const worlds = new WorldCache();
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'groundhog-lint-'));
  folder = writeTinyBank(join(root, 'bank'), []);
});
afterAll(() => rmSync(root, { recursive: true }));

const PLAIN = scenarioText({ id: 'one', order: '10034' }).replace(
  'budgets',
  '  - { kind: answer, check: { contains: ["as it is"] } }\nbudgets',
);
const CALL = 'calls: [{ tool: lookup_order, arguments: { order_id: "10034" } }]';

/** The problems of a scenario, each `line rule message`; the lock that the bank lacks aside. */
async function problems(text: string): Promise<string[]> {
  const file = join(folder, 'scenarios', 'one.yaml');
  writeFileSync(file, text);
  const found = lintBank(await loadBank([folder], worlds)).problems.filter(({ rule }) => rule !== 'lock');
  for (const problem of found) expect(problem.file).toBe(file);
  return found.map(({ line, rule, message }) => `${line} ${rule} ${message}`);
}

/** The reference with a second call, which stands on line 11. */
const withCall = (call: string): string =>
  PLAIN.replace(
    CALL,
    `calls:\n    - { tool: lookup_order, arguments: { order_id: "10034" } }\n    - ${call}`,
  );

describe('what execution finds is said at the part that it concerns', () => {
  it('nothing for a scenario that is sound', async () => {
    expect(await problems(PLAIN)).toEqual([]);
  });

  it('a reference call that fails: the call', async () => {
    expect(await problems(withCall('{ tool: get_ticket, arguments: { ticket_id: T-0 } }'))).toEqual([
      expect.stringMatching(/^11 reference reference call 1 \(get_ticket\) failed with .*ticket_not_found/u),
    ]);
  });

  it('a reference longer than the budget: the budgets, and nothing else', async () => {
    const text = withCall('{ tool: list_tickets, arguments: { queue: billing } }');
    expect(await problems(text.replace('calls: 6', 'calls: 1'))).toEqual([
      '19 reference the episode ended by budget-calls after 1 call: the reference needs 2',
    ]);
    expect(await problems(text.replace('calls: 6', 'calls: 2'))).not.toContainEqual(
      expect.stringContaining('budget-calls'),
    );
  });

  it('a `$result` that asks for what an answer lacks: that argument', async () => {
    const call = '{ tool: lookup_order, arguments: { order_id: { $result: 0, path: no.such } } }';
    writeFileSync(join(folder, 'scenarios', 'one.yaml'), withCall(call));
    const { problems: found } = lintBank(await loadBank([folder], worlds));
    expect(found).toContainEqual(expect.objectContaining({ rule: 'broken', line: 11, column: 52 }));
  });

  it('a rule that the reference breaks: the rule, by its id', async () => {
    const text = PLAIN.replace(
      'graders:',
      '  - { id: no-look, kind: prohibition, tool: lookup_order }\ngraders:\n  - { kind: invariants }',
    );
    expect(await problems(text)).toContainEqual(expect.stringMatching(/^13 reference .*lookup_order/u));
  });

  it('graders that pass for nothing: the graders, or the one that is empty', async () => {
    const text = PLAIN.replace(/ {2}- \{ kind: answer.*\n/u, '').replace(
      / {2}- \{ kind: reads.*\n/u,
      '  - { kind: answer, check: {} }\n',
    );
    expect(await problems(text)).toEqual(
      expect.arrayContaining([
        '15 vacuous an answer grader that any answer passes',
        expect.stringMatching(/^14 vacuous no required grader/u),
      ]),
    );
  });

  it('an agent that does nothing and passes: the graders', async () => {
    const text = PLAIN.replace(
      /graders:\n.*budgets/su,
      'graders:\n  - { kind: answer, check: { contains: ["10034"] } }\nbudgets',
    );
    expect(await problems(text)).toEqual([
      '14 do-nothing an agent that does nothing and repeats the task passes',
      expect.stringMatching(/^14 stall .*repeats the task as its answer/u),
    ]);
  });

  it('an agent that stalls and passes: the graders', async () => {
    const text = PLAIN.replace(/ {2}- \{ kind: answer.*\n/u, '');
    expect(await problems(text)).toEqual([
      expect.stringMatching(/^14 stall .*repeats lookup_order to the last call and then answers nothing/u),
      expect.stringMatching(/^14 stall .*repeats the task as its answer/u),
    ]);
  });

  it('mutants that nobody notices: the reference', async () => {
    const mail = '{ to: mira.alder@example.com, subject: Hello, body: There }';
    const text = withCall(`{ tool: send_email, arguments: ${mail} }`).replace(
      / {2}- \{ kind: contract.*\n/u,
      '',
    );
    expect(await problems(text)).toEqual([expect.stringMatching(/^9 mutants only .*send_email/u)]);
  });
});

describe('a bank with files that are no scenarios', () => {
  it('has one problem for each of them, and the others are proven all the same', async () => {
    const bank = writeTinyBank(join(root, 'mixed'), []);
    const write = (name: string, text: string): void =>
      writeFileSync(join(bank, 'scenarios', `${name}.yaml`), text);
    write('one', PLAIN);
    write('three', PLAIN.replace('id: one', 'id: three').replace('title:', 'titel:'));
    write('two', PLAIN.replace('id: one', 'id: two').replace('[helpdesk]', '[helpdsk]'));
    const lint = lintBank(await loadSoundParts([bank], worlds));
    expect(lint.scenarios.map(({ scenario, certified }) => [scenario, certified])).toEqual([
      ['three', false],
      ['two', false],
      ['one', true],
    ]);
    expect(lint.problems.map(({ rule, line, message }) => `${line} ${rule} ${message}`)).toEqual([
      '2 form titel: no such member (did you mean title?)',
      expect.stringMatching(/^4 form .*\(did you mean helpdesk\?\)/u),
    ]);
    const alone = lintBank(await loadSoundParts([join(bank, 'two')], worlds));
    expect(alone.problems).toContainEqual(expect.objectContaining({ scenario: 'two', rule: 'form' }));
  });
});

describe('a family', () => {
  const family = PLAIN.replaceAll('10034', '{{order.id}}').concat(
    'bindings:\n  order: { from: orders, where: { status: delivered }, pick: random }\n',
  );

  it('is proven for its default instance, and says that it is a family', async () => {
    expect(await problems(family)).toEqual([]);
    const { scenarios } = lintBank(await loadBank([folder], worlds));
    expect(scenarios).toMatchObject([{ scenario: 'one', certified: true, family: true }]);
  });

  it('is proven for the variants that were loaded, which no lock speaks of', async () => {
    const lint = lintBank(await loadBank([folder], worlds, { variants: 3, variantSeed: '1' }));
    expect(lint.scenarios.map(({ scenario, certified }) => `${scenario} ${certified}`)).toEqual([
      'one~1 true',
      'one~2 true',
      'one~3 true',
    ]);
    expect(lint.problems).toEqual([]);
  });
});

describe('a reference call that must fail', () => {
  const missing = '{ tool: get_ticket, arguments: { ticket_id: T-0 }, fails: ticket_not_found }';

  it('is as it should be when it meets that error', async () => {
    expect(await problems(withCall(missing))).toEqual([]);
  });

  it('is a problem when it meets another error, or none', async () => {
    expect(await problems(withCall(missing.replace('ticket_not_found', 'ticket_closed')))).toEqual([
      expect.stringMatching(/^11 reference .*\(ticket_not_found\), and should fail with ticket_closed/u),
    ]);
    const listed = '{ tool: list_tickets, arguments: { queue: billing }, fails: ticket_not_found }';
    expect(await problems(withCall(listed))).toEqual([
      expect.stringMatching(/^11 reference .* succeeded, and should fail with ticket_not_found/u),
    ]);
  });
});
