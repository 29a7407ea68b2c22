import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeTinyBank } from '../../test/tiny-bank.ts';
import { commandAgent } from './agents/command.ts';
import { scriptAgent } from './agents/script.ts';
import { loadBank } from './bank.ts';
import type { PreparedScenario } from './prepare.ts';
import { type JudgedStep, runStepwiseTrial, whyNotStepwise } from './stepwise.ts';
import { summariseStepwise } from './stepwise-summary.ts';
import type { AgentAction, HistoryEntry } from './types.ts';
import { WorldCache } from './worlds.ts';

/** Looks an order up, cancels it and writes a mail; a ticket may be opened beside. */
const CANCEL = `id: cancel
title: Cancels one order
cluster: cancels
world: { services: [helpdesk], seed: small }
task:
  text: Elke Inwood (elke.inwood@example.com) wants to cancel her order 10339.
reference:
  calls:
    - { tool: lookup_order, arguments: { order_id: "10339" } }
    - { tool: cancel_order, arguments: { order_id: "10339" } }
    - tool: send_email
      arguments: { to: "elke.inwood@example.com", subject: Order 10339 is cancelled, body: We pay it back. }
  answer: Order 10339 is cancelled.
contract:
  mask: [helpdesk.emails.subject, helpdesk.emails.body]
  allow: [{ table: helpdesk.tickets, op: insert }, { table: helpdesk.audit_log, op: insert }]
invariants:
  - { id: no-deletion, kind: prohibition, tool: delete_account, attempts: all }
graders:
  - { kind: contract, required: true }
  - { kind: invariants, required: true }
budgets: { calls: 10 }
freeText: { send_email: [body] }
`;

let root = '';
let prepared: PreparedScenario;
let chat: PreparedScenario;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'groundhog-stepwise-'));
  const user = `user:
  opening: Where is my order?
  start: asking
  states: { asking: [] }
  fallback: What?
`;
  writeTinyBank(root, [{ id: 'chat', order: '10034', extra: user }]);
  writeFileSync(join(root, 'scenarios', 'cancel.yaml'), CANCEL);
  const { chosen } = await loadBank([root], new WorldCache());
  [prepared, chat] = chosen as [PreparedScenario, PreparedScenario];
});
afterAll(() => rmSync(root, { recursive: true }));

const call = (tool: string, input: object): AgentAction => ({ type: 'call', tool, arguments: { ...input } });
const LOOK = call('lookup_order', { order_id: '10339' });
const CANCEL_IT = call('cancel_order', { order_id: '10339' });
const mail = (subject: string, body: string): AgentAction =>
  call('send_email', { to: 'elke.inwood@example.com', subject, body });
const MAIL = mail('Order 10339 is cancelled', 'We pay it back.');

type Act = (history: readonly HistoryEntry[]) => unknown;

/** The reference, but at one step something else. */
async function judged(step: number, act: Act): Promise<JudgedStep> {
  const agent = scriptAgent(
    'odd',
    (history) => {
      const at = history.filter(({ type }) => type === 'call').length;
      return (at === step ? act(history) : [LOOK, CANCEL_IT, MAIL][at]) as AgentAction;
    },
    { actionTimeoutMs: 30 },
  );
  const { steps } = await runStepwiseTrial(prepared, agent, { trial: 0, seed: '1' });
  const others = steps.filter((one) => one.step !== step);
  expect(others.map(({ verdict }) => verdict)).toEqual(['exact', 'exact']);
  return steps[step] as JudgedStep;
}

describe('the verdict on a step', () => {
  it.each<[string, number, AgentAction, JudgedStep['verdict'], RegExp]>([
    ["the reference's own call", 1, CANCEL_IT, 'exact', /^$/u],
    ['the same with other free text', 2, mail('Order 10339 is cancelled', 'Done!'), 'exact', /^$/u],
    ['a later write of the reference, made now', 0, CANCEL_IT, 'equivalent', /makes this call later/u],
    ['a call that does the same', 2, mail('Cancelled', 'Done!'), 'equivalent', /stands in/u],
    [
      'an extra write that the contract allows',
      1,
      call('create_ticket', { customer_id: 'C-1001', queue: 'delivery', subject: 'Look at this' }),
      'equivalent',
      /an extra/u,
    ],
    ['another read', 1, call('lookup_order', { order_id: '10034' }), 'harmless', /a read/u],
    ['a read in place of a read', 0, call('lookup_order', { order_id: '10034' }), 'harmless', /a read/u],
    [
      'a failing read in place of a read',
      0,
      call('lookup_order', { order_id: '1' }),
      'harmless',
      /it failed/u,
    ],
    ['garbage in place of a read', 0, { type: 'call', tool: 'x', malformed: '{' }, 'harmless', /it failed/u],
    ['a write that is refused', 1, call('cancel_order', { order_id: '10548' }), 'harmless', /it failed/u],
    [
      'a write that is refused, at a read',
      0,
      call('cancel_order', { order_id: '10548' }),
      'harmless',
      /failed/u,
    ],
    [
      'a refused try of what is prohibited',
      1,
      call('delete_account', { customer_id: 'C-0' }),
      'fatal',
      /delete_account/u,
    ],
    [
      'a mail to somebody else',
      2,
      call('send_email', { to: 'mira.alder@example.com', subject: 's', body: 'b' }),
      'fatal',
      /./u,
    ],
    ['an answer', 1, { type: 'answer', text: 'done' }, 'fatal', /answered before/u],
    [
      'the first of several calls',
      1,
      { type: 'calls', calls: [{ tool: 'x' }, { tool: 'y' }] },
      'harmless',
      /./u,
    ],
  ])('%s', async (_what, step, action, verdict, detail) => {
    const result = await judged(step, () => action);
    expect(result).toMatchObject({ step, verdict });
    expect(result.detail).toMatch(detail);
  });

  it.each<[string, Act, RegExp]>([
    ['throws', () => Promise.reject(new TypeError('no key')), /^agent-crashed: no key$/u],
    ['gives no number', () => call('cancel_order', { order_id: Number.NaN }), /^agent-protocol: .*NaN/u],
    ['gives no action', () => undefined, /^agent-protocol: /u],
    ['gives nothing in time', () => new Promise(() => undefined), /^agent-timeout: .* 30 ms$/u],
    ['only talks', () => ({ type: 'say', text: 'Hm.' }), /^made no call$/u],
  ])('of an agent that %s is fatal, and the run goes on', async (_what, act, detail) => {
    const result = await judged(1, act);
    expect(result).toMatchObject({ verdict: 'fatal', got: null });
    expect(result.detail).toMatch(detail);
  });

  it('waits for the call of an agent that talks first', async () => {
    const talks = (history: readonly HistoryEntry[]) =>
      history.at(-1)?.type === 'say' ? CANCEL_IT : { type: 'say', text: 'Let me see.' };
    expect(await judged(1, talks)).toMatchObject({ verdict: 'exact' });
  });

  it('keeps both calls, as they were made', async () => {
    const got = { tool: 'lookup_order', arguments: { order_id: '10034' } };
    const result = await judged(1, () => ({ type: 'call', ...got }));
    const expected = { tool: 'cancel_order', arguments: { order_id: '10339' } };
    expect(result).toMatchObject({ got, expected });
  });
});

it('a program is told what was done before, at every step', async () => {
  const file = join(root, 'agent.cjs');
  writeFileSync(
    file,
    `const lines = require('node:readline').createInterface({ input: process.stdin });
const tell = (message) => process.stdout.write(JSON.stringify(message) + '\\n');
lines.on('line', (line) => {
  const { type, history = [] } = JSON.parse(line);
  if (type === 'task') {
    const told = history.map(({ call, result: { status, ok } }) =>
      [call.tool, call.arguments.order_id, status, ok]);
    tell({ type: 'final', answer: '' });
    require('node:fs').appendFileSync(${JSON.stringify(join(root, 'told'))}, JSON.stringify(told) + '\\n');
  }
});
process.stdin.on('end', () => process.exit());`,
  );
  const agent = commandAgent([process.execPath, file], { actionTimeoutMs: 20_000 });
  const { steps } = await runStepwiseTrial(prepared, agent, { trial: 0, seed: '1' });
  expect(steps.map(({ detail }) => detail.split(':')[0])).toEqual([
    'answered before the work was done',
    'answered before the work was done',
    'answered before the work was done',
  ]);
  const told = readFileSync(join(root, 'told'), 'utf8').trimEnd().split('\n');
  const look = ['lookup_order', '10339', 200, true];
  expect(told.map((line) => JSON.parse(line))).toEqual([
    [],
    [look],
    [look, ['cancel_order', '10339', 200, true]],
  ]);
});

it('a trial that is taken up asks the agent for the missing steps alone', async () => {
  const asked: number[] = [];
  const agent = scriptAgent('counting', (history) => {
    asked.push(history.length);
    return { type: 'answer', text: '' };
  });
  const known = { step: 1, verdict: 'exact', expected: { tool: 'x' }, got: null, detail: 'known' } as const;
  const heard: number[] = [];
  const trial = await runStepwiseTrial(prepared, agent, {
    trial: 0,
    seed: '1',
    known: (step) => (step === 1 ? known : undefined),
    onStep: ({ step }) => heard.push(step),
  });
  expect([asked, heard]).toEqual([
    [0, 2],
    [0, 2],
  ]);
  expect(trial.steps.map(({ detail }) => detail === 'known')).toEqual([false, true, false]);
});

it('a conversation is not judged: its reference says nothing', async () => {
  expect(whyNotStepwise(chat)).toBe('conversation: the reference has no turns of its own');
  expect(whyNotStepwise(prepared)).toBeNull();
  const agent = scriptAgent('any', () => LOOK);
  const refused = runStepwiseTrial(chat, agent, { trial: 0, seed: '1' });
  await expect(refused).rejects.toThrow(/chat cannot be judged step by step: conversation/u);
});

it('the primary figure is exact and equivalent, by trial', () => {
  const step = (verdict: JudgedStep['verdict']): JudgedStep => ({
    step: 0,
    verdict,
    expected: { tool: 'x' },
    got: null,
    detail: '',
  });
  const trialOf = (scenario: string, ...verdicts: JudgedStep['verdict'][]) => ({
    scenario,
    cluster: scenario,
    trial: 0,
    steps: verdicts.map(step),
  });
  const summary = summariseStepwise([
    trialOf('a', 'exact', 'equivalent', 'harmless', 'fatal'),
    trialOf('b', 'exact'),
    trialOf('c'),
  ]);
  expect(summary).toMatchObject({
    trials: 2,
    steps: 5,
    counts: { exact: 2, equivalent: 1, harmless: 1, fatal: 1 },
    good: { value: 0.75, n: 2, clusters: 2 },
    shares: { exact: { value: 0.625 }, fatal: { value: 0.125 } },
  });
});
