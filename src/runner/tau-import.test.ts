import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UsageError } from '../base/errors.ts';
import { airline } from '../services/airline/index.ts';
import { replayTrajectory } from '../session/index.ts';
import { readTauFolder, type TauRun } from '../traces/tau/index.ts';
import { loadBank } from './bank.ts';
import { compareRuns, readArm } from './compare/index.ts';
import { environmentFrom, environmentOf, loadTrajectory } from './recorded.ts';
import { blamerOf } from './report/blamer.ts';
import { documents, runOf } from './tau.test-kit.ts';
import { readRules } from './tau-bank.ts';
import { loadedWorld } from './tau-calls.ts';
import { importTau, type TauImport } from './tau-import.ts';
import { WorldCache } from './worlds.ts';

const RECORDED = resolve(import.meta.dirname, '../../../shared/tau');
const DATABASE = join(RECORDED, 'tau-bench', 'airline');

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'groundhog-tau-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const absent = existsSync(RECORDED) ? '' : ': left out, there is no ../shared/tau here';
describe.skipIf(absent !== '')(`the recorded runs${absent}`, () => {
  const recorded = () => readTauFolder(RECORDED);
  const imported = (name: string, trials?: readonly number[]): TauImport =>
    importTau({ service: airline, folder: recorded(), out: join(folder, name), ...(trials && { trials }) });

  it('are scored as they were rewarded, every one', () => {
    const found = imported('all', [0, 1]);
    expect(found.differences).toEqual([]);
    expect(found).toMatchObject({
      runs: 100,
      tasks: 50,
      trials: [0, 1],
      toolOutputs: { equal: 572, of: 572 },
      rewards: { equal: 100, of: 100 },
    });
    const { summary } = found;
    expect(summary.void.count).toBe(0);
    const once = summary.passHat['1'];
    const twice = summary.passHat['2'];
    if (once?.value == null || twice?.value == null) throw new Error('pass^k is missing');
    expect(once.value).toBeCloseTo(0.43, 12);
    expect(once.se).toBeCloseTo(0.055347, 6);
    expect(twice.value).toBeCloseTo(0.24, 12);
    expect(twice.se).toBeCloseTo(0.061012, 6);
  });

  it('are two arms, trial against trial', () => {
    const arms = [0, 1].map((trial) => imported(`arm-${trial}`, [trial]).folder.directory);
    const { comparison } = compareRuns([arms[0] ?? '', arms[1] ?? '']);
    expect(comparison.paired).toBe('trials');
    const flips = { lost: 0, gained: 0 };
    for (const { first, second } of comparison.scenarios) {
      if (first.passed > second.passed) flips.lost += 1;
      if (first.passed < second.passed) flips.gained += 1;
    }
    expect(flips).toEqual({ lost: 9, gained: 10 });
    if (comparison.delta.value === null) throw new Error('the difference is missing');
    expect(comparison.delta.value).toBeCloseTo(0.02, 12);
    expect(comparison.delta.se).toBeCloseTo(0.088017, 6);
  });

  it('are blamed on a page with the database, and say what is missing without', async () => {
    const { directory } = imported('blamed', [0]).folder;
    const { trials, trajectoryOf } = readArm(directory);
    const failed = trials.find(({ score }) => !score.success);
    const trajectory = failed && trajectoryOf(failed);
    if (!failed || !trajectory) throw new Error('no run failed');
    expect((await blamerOf(directory, DATABASE))(failed, trajectory)).toMatchObject({ succeeded: false });
    const unreadable = expect.stringContaining('loaded from files') as string;
    expect((await blamerOf(directory))(failed, trajectory)).toMatchObject({ unreadable });
    await expect(blamerOf(directory, RECORDED)).rejects.toThrow('has no flights.json');
  });

  it('are a bank that can be loaded with the database, and trajectories that replay on it', async () => {
    const { folder: run, bank } = imported('bank', [1]);
    const worlds = new WorldCache();
    environmentFrom([{ name: 'airline', seed: 'loaded' }], worlds, DATABASE);
    const loaded = await loadBank([bank], worlds);
    expect(loaded.hash).toBe(run.config.bank.hash);
    expect(loaded.all.map(({ scenario: { id, hash } }) => [id, hash])).toEqual(
      run.config.scenarios.map(({ id, hash }) => [id, hash]),
    );
    const trajectory = loadTrajectory(run.trajectoryPath('airline-03', 0));
    expect(replayTrajectory(trajectory, environmentOf(trajectory, worlds))).toMatchObject({
      identical: true,
    });
  });
});

const USER = JSON.stringify({ user_id: 'ada_stone_1001' });
const CANCEL = { name: 'cancel_reservation', kwargs: { reservation_id: 'GHR001' } };
const cancelled = { name: CANCEL.name, arguments: JSON.stringify(CANCEL.kwargs) };

function say(role: 'user' | 'agent', text: string) {
  return { kind: 'say', role, text } as const;
}

function importOf(name: string, runs: readonly TauRun[], rest: { readonly trials?: readonly number[] } = {}) {
  return importTau({
    service: airline,
    folder: { documents: documents(), runs, replays: [] },
    out: join(folder, name),
    ...rest,
  });
}

function successes({ folder: run }: TauImport): readonly boolean[] {
  return run.trials().map(({ score }) => score.success);
}

describe('a run of our own', () => {
  it('has its messages and calls in order, and ends as it ended', () => {
    const run = runOf([{ ...cancelled, output: null }], {
      actions: [CANCEL],
      said: ['Shall I?', 'Done.'],
      turns: [
        say('user', 'Cancel it.'),
        say('agent', 'Shall I?'),
        { kind: 'call', call: 0 },
        say('agent', 'Done.'),
        say('user', '###STOP###'),
      ],
    });
    const { folder: written } = importOf('order', [run]);
    const { messages, steps, end, header } = loadTrajectory(written.trajectoryPath('airline-00', 0));
    expect(messages.map(({ role, text, afterStep }) => [role, text, afterStep])).toEqual([
      ['user', 'Cancel it.', 0],
      ['agent', 'Shall I?', 0],
      ['agent', 'Done.', 1],
      ['user', '###STOP###', 1],
    ]);
    expect(steps.map(({ tool, outcome }) => [tool, outcome])).toEqual([['cancel_reservation', 'ok']]);
    expect(end).toMatchObject({ reason: 'user-ended', answer: 'Done.' });
    expect(header).toMatchObject({ scenario: { id: 'airline-00' }, trial: 0, task: { text: 'Do it.' } });
  });

  it('says which answers and rewards are not as recorded, and takes neither from the file', () => {
    const told = importOf('differs', [
      runOf([{ name: 'get_user_details', arguments: USER, output: 'never' }], { actions: [CANCEL] }),
    ]);
    expect(told.differences.map(({ check, step, expected }) => [check, step, expected])).toEqual([
      ['toolOutputs', 0, 'never'],
      ['rewards', null, 1],
    ]);
    expect(successes(told)).toEqual([false]);
  });

  it('fails unfinished, whatever its state; a hand-over is an end', () => {
    const did = { actions: [CANCEL], userStopped: false };
    const handed = { name: 'transfer_to_human_agents', arguments: '{"summary": "x"}', output: null };
    const found = importOf('ends', [
      runOf([{ ...cancelled, output: null }], { ...did, reward: 0 }),
      runOf([{ ...cancelled, output: null }, handed], { ...did, trial: 1 }),
    ]);
    expect(successes(found)).toEqual([false, true]);
    expect(found.rewards).toEqual({ equal: 2, of: 2 });
    expect(found.folder.trials().map(({ score }) => score.end?.reason)).toEqual(['agent-stopped', 'answer']);
  });

  it('has said what it must in any message', () => {
    const saying = (trial: number, texts: readonly string[], reward: number): TauRun =>
      runOf([], {
        trial,
        reward,
        outputs: ['1786', '4'],
        said: texts,
        turns: [...texts.map((text) => say('agent', text)), say('user', '###STOP###')],
      });
    const found = importOf('said', [
      saying(0, ['That is $1,786.', 'Take 4 bags.', 'Good bye.'], 1),
      saying(1, ['That is $1,786.', 'Good bye.'], 0),
    ]);
    expect(successes(found)).toEqual([true, false]);
  });

  it('counts tasks that demand nothing; a reference that meets an error says so', () => {
    const wrong = { name: 'cancel_reservation', kwargs: { reservation_id: 'NONE00' } };
    const texts = { said: ['No.'], turns: [say('agent', 'No.'), say('user', '###STOP###')] };
    const found = importOf('nothing', [
      runOf([], { ...texts, actions: [wrong] }),
      runOf([], { ...texts, taskId: 1, actions: [CANCEL], reward: 0 }),
    ]);
    expect(found.demandNothing).toEqual(['airline-00']);
    expect(successes(found)).toEqual([true, false]);
    expect(found.differences).toEqual([]);
  });

  it('takes the trials that are asked for, counted from 0, the same scenarios each time', () => {
    const runs = [2, 5].map((trial) => runOf([], { trial, said: ['No.'], turns: [say('agent', 'No.')] }));
    const [first, second] = [importOf('two', runs, { trials: [2] }), importOf('five', runs, { trials: [5] })];
    expect([first.trials, second.trials]).toEqual([[2], [5]]);
    expect(second.folder.trials().map(({ trial }) => trial)).toEqual([0]);
    expect(first.folder.config.scenarios).toEqual(second.folder.config.scenarios);
  });
});

describe('rules besides', () => {
  const rules = (text: string) => {
    const file = join(folder, 'rules.yaml');
    writeFileSync(file, text);
    return readRules(file);
  };
  const run = runOf([{ ...cancelled, output: null }], { actions: [CANCEL] });
  const imports = (name: string, text: string) =>
    importTau({
      service: airline,
      folder: { documents: documents(), runs: [run], replays: [] },
      out: join(folder, name),
      rules: rules(text),
    });

  it('are held, in the bank too, and success does not hang on them', async () => {
    const found = imports(
      'ruled',
      `invariants:
  - {id: read-first, kind: ordering, first: {tool: get_user_details}, then: {tool: cancel_reservation}}
  - id: none-cancelled
    kind: state
    always: {table: reservations, where: {status: cancelled}, check: {cabin: business}}
`,
    );
    expect(successes(found)).toEqual([true]);
    expect(found.summary.invariants.map(({ id, broken }) => [id, broken])).toEqual([
      ['none-cancelled', 1],
      ['read-first', 1],
    ]);
    const worlds = new WorldCache();
    worlds.put([{ name: 'airline', seed: 'loaded' }], loadedWorld(airline, documents()));
    expect((await loadBank([found.bank], worlds)).hash).toBe(found.folder.config.bank.hash);
  });

  it('name what there is, each once, or are refused with their file', () => {
    const codeOf = (text: string): string => refusal(() => imports('never', text));
    expect(codeOf('invariants: [{id: a, kind: prohibition, tool: fly}]')).toBe('unknown-name');
    expect(codeOf('invariants: [{id: a, kind: nothing}]')).toBe('form');
    const one = '{id: a, kind: prohibition, tool: think}';
    expect(codeOf(`invariants: [${one}, ${one}]`)).toBe('inconsistent');
    expect(existsSync(join(folder, 'never'))).toBe(false);
  });
});

function refusal(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof UsageError) return error.code;
    throw error;
  }
  return 'none';
}

describe('what cannot be imported', () => {
  it('says so', () => {
    const run = runOf([]);
    expect(refusal(() => importOf('none', [run], { trials: [7] }))).toBe('no-trial');
    expect(refusal(() => importOf('apart', [run, { ...run, trial: 1, actions: [CANCEL] }]))).toBe(
      'task-differs',
    );
    importOf('taken', [run]);
    expect(refusal(() => importOf('taken', [run]))).toBe('finished');
  });
});
