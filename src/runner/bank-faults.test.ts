import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scenarioText, writeTinyBank } from '../../test/tiny-bank.ts';
import { UsageError } from '../base/errors.ts';
import { loadBank } from './bank.ts';
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
const RULE_LINE = PLAIN.split('\n').length + 2;

/** The refusal of a plan of these rules: `line:column message (hint)`, lines counted from the first rule. */
async function refusal(...rules: readonly string[]): Promise<string> {
  writeFileSync(file, `${PLAIN}faults:\n  rules:\n${rules.map((rule) => `    - ${rule}\n`).join('')}`);
  try {
    await loadBank([folder], worlds);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    expect(error.place?.file).toBe(file);
    const told = error.describe().slice(file.length + 1);
    return told.replace(/^\d+/u, (line) => String(Number(line) - RULE_LINE + 1));
  }
  return 'taken';
}

/** A rule in one line, so that columns can be counted. */
const rule = (match: string, effect: string, more = ''): string =>
  `{ id: f, label: x, match: { ${match} }, effect: { ${effect} }${more} }`;
const LOST = 'kind: response-lost';
const CASES: readonly (readonly [string, string, RegExp])[] = [
  [
    'an unknown tool',
    rule('tool: refnd', LOST),
    /^1:41: faults\.rules\.0\.match\.tool: there is no tool named refnd \(did you mean refund\?\)$/u,
  ],
  [
    'an unknown operation',
    rule('operation: refunds.creat', LOST),
    /^1:46: faults\.rules\.0\.match\.operation: .*refunds\.creat \(did you mean refunds\.create\?\)$/u,
  ],
  [
    'an operation that the tool never runs',
    rule('tool: refund, operation: orders.lookup', LOST),
    /^1:\d+: faults\.rules\.0\.match\.operation: refund never runs orders\.lookup \(it runs refunds\./u,
  ],
  [
    'an operation where its tool is meant',
    rule('tool: refunds.create', LOST),
    /^1:41: faults\.rules\.0\.match\.tool: calls of refunds\.create are those of the tool refund \(/u,
  ],
  [
    'an argument that the tool does not have',
    rule('tool: refund, input: { amonut: 3 }', LOST),
    /^1:\d+: faults\.rules\.0\.match\.input\.amonut: refund has no argument .* \(did you mean amount\?\)$/u,
  ],
  [
    'a step that no call can be',
    rule('step: 6', LOST),
    /^1:41: faults\.rules\.0\.match\.step: there is no step 6: the last call is step 5 \(/u,
  ],
  [
    'a second occurrence of one step',
    rule('step: 1, occurrence: 2', LOST),
    /^1:\d+: faults\.rules\.0\.match\.occurrence: one step is one call/u,
  ],
  [
    'a window that ends before it begins',
    rule('clockMs: { from: 500, to: 500 }', LOST),
    /^1:\d+: faults\.rules\.0\.match\.clockMs: the window ends at 500 ms, before it begins/u,
  ],
  [
    'a table that does not exist',
    rule('state: { table: helpdesk.order, where: {} }', LOST),
    /^1:\d+: faults\.rules\.0\.match\.state\.table: .*helpdesk\.order \(did you mean helpdesk\.orders\?\)$/u,
  ],
  [
    'a column that does not exist',
    rule('state: { table: helpdesk.orders, where: { statu: x } }', LOST),
    /^1:\d+: faults\.rules\.0\.match\.state\.where\.statu: .*statu \(did you mean status\?\)$/u,
  ],
  [
    'an unknown effect',
    rule('', 'kind: respons-lost'),
    /^1:\d+: faults\.rules\.0\.effect\.kind: .*\(did you mean response-lost\?\)$/u,
  ],
  [
    'an unknown parameter of an effect',
    rule('', 'kind: reject, status: 429, retryAfterSecond: 3'),
    /^1:\d+: faults\.rules\.0\.effect\.retryAfterSecond: no such member \(.* retryAfterSeconds\?\)$/u,
  ],
  [
    'a missing parameter of an effect',
    rule('', 'kind: field-renamed, path: total'),
    /^1:\d+: faults\.rules\.0\.effect\.to: missing, expected string/u,
  ],
  [
    'an effect on writes at a tool that reads',
    rule('tool: lookup_order', 'kind: write-dropped'),
    /^1:\d+: faults\.rules\.0\.effect\.kind: write-dropped strikes writes, and lookup_order is a read$/u,
  ],
  [
    'parameters that contradict each other',
    rule('', 'kind: unit-wrong, factor: 10, hours: 2'),
    /^1:\d+: faults\.rules\.0\.effect\.hours: a value is off by a factor or by hours, not by both$/u,
  ],
  [
    'a status that has no such reason',
    rule('', 'kind: reject, status: 500, reason: quota'),
    /^1:\d+: faults\.rules\.0\.effect\.reason: quota is answered with 429, not with 500$/u,
  ],
  [
    'a reading of what is yet to come',
    rule('step: 2', 'kind: read-stale, ofStep: 2'),
    /^1:\d+: faults\.rules\.0\.effect\.ofStep: step 2 cannot show the world before step 2/u,
  ],
  [
    'an argument that there is already',
    rule('', 'kind: parameter-required, tool: refund, name: amount'),
    /^1:\d+: faults\.rules\.0\.effect\.name: refund has an argument named amount already$/u,
  ],
  [
    'a twin that there is already',
    rule('', 'kind: tool-twin, tool: refund, name: lookup_order'),
    /^1:\d+: faults\.rules\.0\.effect\.name: there is a tool named lookup_order already$/u,
  ],
];

describe('a fault plan in a scenario file', () => {
  it('is taken as it should be', async () => {
    expect(await refusal(rule('tool: refund', LOST, ', hits: 2'))).toBe('taken');
  });

  it.each(CASES)('with %s is refused where it stands', async (_what, text, says) => {
    expect(await refusal(text)).toMatch(says);
  });

  it('with two rules for one call is refused at the second', async () => {
    const other = rule('step: 1', LOST).replace('id: f', 'id: g');
    expect(await refusal(rule('step: 1', LOST), other)).toMatch(
      /^2:\d+: faults\.rules\.1\.match\.step: step 1 is struck by f already/u,
    );
  });
});
