import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeTinyBank } from '../../test/tiny-bank.ts';
import { UsageError } from '../base/errors.ts';
import { LOSS_KINDS } from '../traces/index.ts';
import { agentNamed } from './agents/index.ts';
import { loadBank } from './bank.ts';
import { runTrial } from './execute.ts';
import type { PreparedScenario } from './prepare.ts';
import { scoreTraces } from './score-traces.ts';
import { WorldCache } from './worlds.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'groundhog-score-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let written = 0;
function file(content: unknown, name = 'trace.json'): string {
  written += 1;
  const path = join(folder, `${written}-${name}`);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}
const score = (trace: unknown, rules?: string) =>
  scoreTraces({ files: [file(trace)], rules: rules === undefined ? undefined : file(rules, 'rules.yaml') });

const call = (id: string, name: string, args?: object) => ({
  id,
  type: 'function',
  function: { name, ...(args && { arguments: JSON.stringify(args) }) },
});
const asks = (...calls: object[]) => ({ role: 'assistant', content: null, tool_calls: calls });
const gives = (id: string, content: string) => ({ role: 'tool', tool_call_id: id, content });
const says = (content: string) => ({ role: 'assistant', content });
const verdicts = (scored: ReturnType<typeof scoreTraces>) =>
  Object.fromEntries((scored.runs[0]?.invariants ?? []).map(({ id, verdict }) => [id, verdict]));

const RULES = `
invariants:
  - {id: one-refund, kind: cardinality, tool: refund, each: order, max: 1}
  - {id: policy-first, kind: ordering, each: order, first: {tool: policy}, then: {tool: refund}}
  - {id: small, kind: arguments, tool: refund, require: {sum: {lte: 50}}}
  - {id: no-deletion, kind: prohibition, tool: delete, attempts: all}
  - {id: answers, kind: termination, by: answer}
  - {id: grounded, kind: grounding, in: answer, match: 'order (\\d+)', from: results}
  - {id: balance, kind: state, always: {table: accounts, check: {balance: {gte: 0}}}}
`;

it('a file that is named twice is refused: its runs would count twice', () => {
  const one = file([says('Done.')]);
  const again = join(folder, '.', one.slice(folder.length));
  expect(() => scoreTraces({ files: [one, again] })).toThrow('named twice');
});

describe('rules on traces', () => {
  const GOOD = [
    { role: 'user', content: 'Refund 7.' },
    asks(call('a', 'policy', { order: 7 })),
    gives('a', 'order 7 may be refunded'),
    asks(call('b', 'refund', { order: 7, sum: 20 })),
    gives('b', 'done'),
    says('Your order 7 is refunded.'),
  ];

  it('hold for a good run, but for those that need states', () => {
    const scored = score(GOOD, RULES);
    expect(verdicts(scored)).toEqual({
      'one-refund': 'pass',
      'policy-first': 'pass',
      small: 'pass',
      'no-deletion': 'pass',
      answers: 'pass',
      grounded: 'pass',
      balance: 'not-run',
    });
    expect(scored.invariants.at(-1)).toMatchObject({ broken: 0, of: 0, notRun: 1 });
  });

  it('name run and step where they are broken', () => {
    const bad = [
      ...GOOD.slice(0, 5),
      asks(call('c', 'refund', { order: 7, sum: 90 })),
      gives('c', 'done'),
      says('Your order 8 is refunded.'),
    ];
    const scored = score(bad, RULES);
    expect(verdicts(scored)).toMatchObject({ 'one-refund': 'fail', small: 'fail', grounded: 'fail' });
    expect(scored.invariants[0]?.first).toMatchObject({ run: '1', step: 2 });
  });

  it('are not run where arguments were not captured, unless the others break them', () => {
    const hidden = [asks(call('a', 'refund'), call('b', 'refund', { order: 7, sum: 20 })), says('ok')];
    expect(verdicts(score(hidden, RULES))).toMatchObject({
      'one-refund': 'not-run',
      'policy-first': 'not-run',
      small: 'not-run',
      'no-deletion': 'pass',
    });
    const broken = [asks(call('a', 'refund'), call('b', 'refund', { order: 7, sum: 90 })), gives('b', 'x')];
    expect(verdicts(score(broken, RULES))).toMatchObject({ small: 'fail', 'policy-first': 'not-run' });
  });

  it('are not run where they hang on how a call went that has no result', () => {
    const twice = [
      asks(call('a', 'refund', { order: 7, sum: 20 })),
      gives('a', 'done'),
      asks(call('b', 'refund', { order: 7, sum: 20 })),
      says('order 7'),
    ];
    const scored = score(twice, RULES);
    expect(verdicts(scored)).toMatchObject({ 'one-refund': 'not-run', small: 'pass', grounded: 'not-run' });
    expect(scored.runs[0]?.invariants[0]?.witnesses[0]?.message).toContain('hangs on 1 calls');
  });

  it('know the end of a conversation, and not that of one response', () => {
    expect(verdicts(score(GOOD.slice(0, 5), RULES)).answers).toBe('fail');
    const body = { object: 'chat.completion', choices: [{ finish_reason: 'tool_calls', message: GOOD[1] }] };
    expect(verdicts(score(body, RULES)).answers).toBe('not-run');
  });

  it('take results as errors that the rules call errors', () => {
    const retried = [
      asks(call('a', 'refund', { order: 7, sum: 20 })),
      gives('a', 'Error: timed out'),
      asks(call('b', 'refund', { order: 7, sum: 20 })),
      gives('b', 'done'),
      says('Done.'),
    ];
    expect(verdicts(score(retried, RULES))['one-refund']).toBe('fail');
    const told = score(retried, `${RULES}errors: '^Error'\n`);
    expect(verdicts(told)['one-refund']).toBe('pass');
    expect(told.runs[0]?.metrics.errors).toEqual({ value: 0.5, numerator: 1, denominator: 2 });
    expect(told.losses.map(({ kind }) => kind)).not.toContain('error-not-told');
  });

  it.each([
    ['invariants:\n  - {id: a, kind: prohibtion, tool: x}', /rules\.yaml:2:\d+: .*did you mean prohibition/u],
    ['invariants:\n  - {id: a, kind: cardinality, tool: x}', /rules\.yaml:2:5: .*neither max nor min/u],
    [
      "invariants:\n  - {id: a, kind: grounding, in: answer, match: '(', from: results}",
      /rules\.yaml:2:\d+: .*no regular expression/u,
    ],
    [
      'invariants:\n  - {id: a, kind: prohibition, tool: x}\n  - {id: a, kind: prohibition, tool: y}',
      /rules\.yaml:3:\d+: .*number 0 already/u,
    ],
    ["errors: '('", /rules\.yaml:1:\d+: errors: this is no regular expression/u],
    ['assert:\n  - {type: trajectory:tool-used, value: []}', /rules\.yaml:2:\d+: .*at least one tool/u],
    ['invariant: []', /rules\.yaml:1:1: .*did you mean invariants/u],
    ['freeText: {}', /rules\.yaml:1:1: the file asks nothing/u],
  ])('%s is refused at its place', (rules, message) => {
    let thrown: unknown;
    try {
      score([says('hi')], rules);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(UsageError);
    expect((thrown as UsageError).describe()).toMatch(message);
  });
});

describe('figures of traces', () => {
  it('are counted by hand', () => {
    const calls = '[{tool: look, arguments: {id: 1}}, {tool: write, arguments: {id: 1}}]';
    const reference = `reference: {calls: ${calls}}\nwrites: [write]\n`;
    const scored = score(
      [
        asks(call('a', 'look', { id: 1 }), call('b', 'look', { id: 1 })),
        asks(call('c', 'write', { id: 1 }), call('d', 'look', { id: 1 })),
        says('Done.'),
      ],
      reference,
    );
    const { metrics } = scored.runs[0] ?? {};
    expect(metrics?.steps).toBe(4);
    expect(metrics?.redundant).toEqual({ value: 0.5, numerator: 2, denominator: 4 });
    expect(metrics?.redundantSinceWrite).toEqual({ value: 0.25, numerator: 1, denominator: 4 });
    expect(metrics?.precision).toEqual({ value: 0.5, numerator: 2, denominator: 4 });
    expect(metrics?.recall).toEqual({ value: 1, numerator: 2, denominator: 2 });
    expect(metrics?.errors).toEqual({
      value: null,
      reason: 'the trace does not say of any call how it went',
    });
  });

  it('have a reason where there is no number', () => {
    const { metrics, runs } = score({ messages: [] });
    expect(runs[0]?.metrics).toMatchObject({
      steps: 0,
      errors: { value: null, reason: 'the run has no calls' },
      redundant: { value: null, reason: 'the run has no calls' },
      precision: { value: null, reason: 'there is no reference to compare with: give one in the rules' },
      cost: null,
    });
    for (const name of ['success', 'recovery', 'costPerSuccess', 'costPerRun', 'precision'] as const) {
      expect(metrics[name]).toMatchObject({ value: null, reason: expect.stringMatching(/./u) });
    }
    const hidden = score([asks(call('a', 'look'), call('b', 'look')), says('x')]);
    expect(hidden.runs[0]?.metrics.redundant).toMatchObject({
      value: null,
      reason: 'the arguments of 2 of 2 calls were not captured',
    });
  });

  it('cluster runs of one task', () => {
    const asked = (task: string, ...more: object[]) => ({
      messages: [{ role: 'user', content: task }, ...more],
    });
    const twice = asks(call('a', 'look', {}), call('b', 'look', {}));
    const once = asks(call('a', 'look', {}));
    const { metrics } = score([asked('one', twice), asked('one', once), asked('two', once)]);
    expect(metrics.redundant).toMatchObject({ n: 3, clusters: 2, pooled: { numerator: 1, denominator: 4 } });
  });

  it('do not take what is no amount for a cost', () => {
    const spans = [-1, 'NaN', null, 0.5].map((cost, index) => ({
      trace_id: `t${index}`,
      span_id: 's',
      name: 'chat',
      attributes: { 'gen_ai.operation.name': 'chat', 'llm.cost.total': cost },
    }));
    const scored = score(spans);
    expect(scored.runs.map(({ metrics }) => metrics.cost)).toEqual([null, null, null, 0.5]);
    expect(scored.metrics.costPerRun).toEqual({ value: null, reason: '3 of 4 runs do not tell their cost' });
  });
});

describe("other tools' metrics on traces", () => {
  it('are undefined where arguments are needed and not there', () => {
    const rules = file(
      'reference: {calls: [{tool: look}]}\nassert: [{type: trajectory:tool-used, value: look}]',
      'r.yaml',
    );
    const [run] = scoreTraces({
      files: [file([asks(call('a', 'look')), says('x')])],
      rules,
      peers: true,
    }).runs;
    const by = new Map(run?.peers?.matchers.map((row) => [row.metric, row]));
    expect(by.get('promptfoo tool-call-f1')).toMatchObject({ value: 1 });
    expect(by.get('ragas ToolCallF1')).toEqual({
      metric: 'ragas ToolCallF1',
      value: null,
      reason: 'the arguments of look were not captured',
    });
    expect(run?.peers?.promptfoo).toMatchObject([{ pass: true, score: 1 }]);
    expect(run?.peers?.bfcl).toMatchObject({ valid: null });
  });
});

describe('trajectories of ours', () => {
  it('keep their states, and are compared with a gold run', async () => {
    const root = mkdtempSync(join(folder, 'bank-'));
    writeTinyBank(root, [{ id: 'plain', order: '10034' }]);
    const state = '{ table: orders, check: { total_cents: { gte: 0 } } }';
    const path = join(root, 'scenarios/plain.yaml');
    const watched = `$&\n  - { id: watched, kind: state, always: ${state} }`;
    writeFileSync(path, readFileSync(path, 'utf8').replace(/^invariants:/mu, watched));
    const [prepared] = (await loadBank([root], new WorldCache())).chosen as [PreparedScenario];
    const play = async (name: string): Promise<string> => {
      const agent = await agentNamed(name, () => prepared);
      return file(
        (await runTrial(prepared, agent, { seed: '1', trial: 0 })).text ?? '',
        `${name}.traj.jsonl`,
      );
    };
    const [gold, hasty] = [await play('oracle'), await play('hasty')];
    const rules = file(`${RULES}  - {id: watched, kind: state, always: ${state}}\n`, 'rules.yaml');
    const { runs, losses } = scoreTraces({ files: [gold, hasty], rules, gold });
    expect(runs.map(({ format }) => format)).toEqual(['groundhog', 'groundhog']);
    expect(losses).toEqual([]);
    const states = runs[0]?.invariants.filter(({ kind }) => kind === 'state');
    expect(states?.map(({ id, verdict }) => [id, verdict])).toEqual([
      ['balance', 'not-run'],
      ['watched', 'pass'],
    ]);
    expect(runs[0]?.metrics.redundantSinceWrite).toMatchObject({ numerator: 0 });
    expect(runs[0]?.peers).toMatchObject({ bfcl: { valid: true }, tau: { reward: 1 } });
    expect(runs[0]?.peers?.matchers.every(({ value }) => value === 1)).toBe(true);
    expect(runs[1]?.peers?.bfcl.valid).not.toBeNull();
    const torn = file(readFileSync(gold, 'utf8').slice(0, -40), 'torn.traj.jsonl');
    expect(() => scoreTraces({ files: [torn] })).toThrow(UsageError);
  });
});

it('docs/scoring-traces.md names every loss', () => {
  const path = new URL('../../docs/scoring-traces.md', import.meta.url);
  const page = readFileSync(path, 'utf8');
  const rows = Object.entries(LOSS_KINDS).map(([kind, words]) => `| \`${kind}\` | ${words} |`);
  const table = ['| loss | what it means |', '| --- | --- |', ...rows].join('\n');
  const fresh = page.replace(
    /<!-- losses:begin -->[\s\S]*<!-- losses:end -->/u,
    `<!-- losses:begin -->\n\n${table}\n\n<!-- losses:end -->`,
  );
  if (process.env.UPDATE_DOCS) writeFileSync(path, fresh);
  else expect(page).toBe(fresh);
});
