import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TINY, writeTinyBank } from '../../test/tiny-bank.ts';
import { readTrajectory } from '../trajectory/index.ts';
import { type LoadedBank, loadBank } from './bank.ts';
import { runHere, runOnThreads } from './pool.ts';
import { TrialBench } from './trial-bench.ts';
import type { TrialReport } from './worker-protocol.ts';
import { WorldCache } from './worlds.ts';

let root = '';
let bank: LoadedBank;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'groundhog-pool-'));
  bank = await loadBank([writeTinyBank(join(root, 'bank'), TINY.slice(0, 2))], new WorldCache());
});
afterAll(() => rmSync(root, { recursive: true }));

let scripts = 0;

/** A script that looks its order up in `look-0`, and then does this; in `look-1` it answers at once. */
function script(then: string): string {
  scripts += 1;
  const file = join(root, `script-${scripts}.mjs`);
  writeFileSync(
    file,
    `export const name = 'late';
export const costPerCall = 0.5;
export function next(history, task) {
  if (task.scenario === 'look-1') return { type: 'answer', text: 'done', aside: () => undefined };
  if (history.length === 0) {
    return { type: 'call', tool: 'lookup_order', arguments: task.intent, aside: () => undefined };
  }
  ${then}
}
`,
  );
  return `script:${file}`;
}

const batchOf = (onReport: (report: TrialReport) => void) => ({
  orders: [
    { scenario: 'look-0', trial: 0 },
    { scenario: 'look-1', trial: 0 },
  ],
  concurrency: 1,
  onReport,
});

async function onThreads(agent: string): Promise<TrialReport[]> {
  const reports: TrialReport[] = [];
  const shared = { prepared: bank.chosen, agent, agentOptions: { actionTimeoutMs: 300 }, seed: '1' };
  await runOnThreads({ ...shared, ...batchOf((report) => reports.push(report)) });
  return reports;
}

async function inline(agent: string): Promise<TrialReport[]> {
  const reports: TrialReport[] = [];
  const shared = { prepared: bank.chosen, agent, agentOptions: { actionTimeoutMs: 300 }, seed: '1' };
  await runHere(
    await TrialBench.create(shared),
    batchOf((report) => reports.push(report)),
  );
  return reports;
}

const endOf = ({ text }: TrialReport) => readTrajectory(text ?? '').end;
const texts = (reports: readonly TrialReport[]) => reports.map(({ text }) => text);

describe('a script that gives no action', () => {
  it.each([
    ['waits for what never comes', 'return new Promise(() => undefined);'],
    ['loops', 'for (;;);'],
    ['loops after a while', 'return new Promise((resolve) => setTimeout(() => { for (;;); }, 50));'],
  ])('because it %s ends in time, with what it did, and the others go on', async (_what, then) => {
    const [late, other] = await onThreads(script(then));
    if (!late || !other) throw new Error('a trial is missing');
    expect(endOf(late)).toMatchObject({
      reason: 'agent-timeout',
      detail: 'the script gave no action within 300 ms',
      steps: 1,
      usage: { cost: 0.5 },
    });
    expect(late.score).toMatchObject({ success: false, void: null });
    expect(endOf(other)?.reason).toBe('answer');
  });

  it('comes out the same, whether the thread ends it or is ended itself', async () => {
    const waits = script('return new Promise(() => undefined);');
    const [thread, here] = [await onThreads(waits), await inline(waits)];
    expect(texts(thread)).toEqual(texts(here));
    const source = /"source":"\w+"|"(?:prev|seal|lastStep|lastMessage)":"\w+"/gu;
    const cut = await onThreads(script('for (;;);'));
    expect(texts(cut).map((text) => text?.replace(source, ''))).toEqual(
      texts(here).map((text) => text?.replace(source, '')),
    );
  });
});

describe('several trials in flight on a thread', () => {
  it.each([
    ['keeps it', 'for (;;);'],
    ['ends it', 'process.exit(7);'],
  ])('are all kept where one of them %s, which alone is blamed', async (_what, deed) => {
    const agent = script(`if (task.trial === 1) ${deed}
  return new Promise((resolve) => setTimeout(() => resolve({ type: 'answer', text: 'done' }), 20));`);
    const trials = availableParallelism() * 2 + 1;
    const orders = Array.from({ length: trials }, (_, trial) => ({ scenario: 'look-0', trial }));
    const run = async (concurrency: number): Promise<TrialReport[]> => {
      const reports: TrialReport[] = [];
      const onReport = (report: TrialReport) => void reports.push(report);
      const shared = { prepared: bank.chosen, agent, agentOptions: { actionTimeoutMs: 1000 }, seed: '1' };
      await runOnThreads({ ...shared, orders, concurrency, onReport });
      return reports.toSorted((left, right) => left.trial - right.trial);
    };
    const together = await run(trials);
    expect(texts(together)).toEqual(texts(await run(1)));
    expect(together.map((report) => endOf(report)?.reason === 'answer')).toEqual(
      orders.map(({ trial }) => trial !== 1),
    );
  });
});

describe('a script that ends its own thread', () => {
  it.each([
    ['by leaving', 'process.exit(7);', 'exit code 7'],
    [
      'by an error out of turn',
      `return new Promise(() => { setTimeout(() => { throw new Error('stray'); }); });`,
      'stray',
    ],
  ])('%s has crashed, which is no void', async (_how, then, why) => {
    const [crashed, other] = await onThreads(script(then));
    if (!crashed || !other) throw new Error('a trial is missing');
    expect(endOf(crashed)).toMatchObject({ reason: 'agent-crashed', steps: 1 });
    expect(endOf(crashed)?.detail).toContain(why);
    expect(crashed.score).toMatchObject({ success: false, void: null });
    expect(endOf(other)?.reason).toBe('answer');
  });
});
