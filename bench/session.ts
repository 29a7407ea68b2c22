import { digestText } from '../src/base/digest.ts';
import { runReference } from '../src/runner/prepare.ts';
import { TrialBench } from '../src/runner/trial-bench.ts';
import { replayTrajectory, type Session } from '../src/session/index.ts';
import { nearestRank } from '../src/stats/index.ts';
import { readTrajectory } from '../src/trajectory/index.ts';
import { cpuMicros, type Figure, median, microsPerOperation, report } from './measure.ts';
import { loadSessionFixture, makeCalls, openFixture } from './session-fixture.ts';
import { memoryFigures, startFigure, tauFigures } from './session-processes.ts';

/**
 * The costs of recorded sessions, CPU time, on the long scenario of the helpdesk bank. Memory and whole
 * commands are measured in processes of their own.
 */
const SESSIONS = 5;
const ROUNDS_OF_STEPS = 25;
const FORKS = 20_000;
const FAR_BACK = 400;

const fixture = await loadSessionFixture();
const { prepared, requests } = fixture;
const figures: Record<string, Figure> = {
  ...stepFigures(),
  ...replayFigures(),
  ...forkFigures(),
  ...(await trialFigures()),
  ...memoryFigures(),
  ...tauFigures(),
  ...startFigure(recordedText('refund-88213')),
  ...baselineFigures(),
};
report('session', figures);

function stepFigures(): Record<string, Figure> {
  const step = microsPerOperation(
    (sessions: readonly Session[]) => {
      for (const session of sessions) makeCalls(session, requests);
    },
    {
      count: SESSIONS * requests.length,
      repetitions: 21,
      prepare: () => Array.from({ length: SESSIONS }, (_, index) => openFixture(prepared, `bench ${index}`)),
    },
  );
  const slow: number[] = [];
  for (let round = 0; round < ROUNDS_OF_STEPS; round += 1) slow.push(nearestRank(singleSteps(), 0.95) ?? 0);
  return {
    step: { value: step, unit: 'us', target: 40 },
    step_p95_wall: { value: median(slow), unit: 'us', target: 90 },
    open_session: { value: openingMicros(), unit: 'us' },
  };
}

/** Real time of each step of one session in microseconds. */
function singleSteps(): number[] {
  const session = openFixture(prepared, 'bench');
  return requests.map((request) => {
    const start = process.hrtime.bigint();
    session.call(request);
    return Number(process.hrtime.bigint() - start) / 1000;
  });
}

function openingMicros(): number {
  const count = 500;
  return microsPerOperation(
    () => {
      for (let index = 0; index < count; index += 1) openFixture(prepared, `bench ${index}`);
    },
    { count, prepare: () => null },
  );
}

function replayFigures(): Record<string, Figure> {
  const text = recordedText(prepared.scenario.id);
  const replay = microsPerOperation(
    () => {
      const trajectory = readTrajectory(text);
      if (!replayTrajectory(trajectory, prepared).identical) throw new Error('the replay is not identical');
    },
    { count: 1, repetitions: 21, warmUps: 10, prepare: () => null },
  );
  const read = microsPerOperation(() => readTrajectory(text), {
    count: 1,
    repetitions: 21,
    warmUps: 10,
    prepare: () => null,
  });
  return {
    replay_417_steps: { value: replay / 1000, unit: 'ms', target: 25 },
    of_which_read_and_verify: { value: read / 1000, unit: 'ms' },
    trajectory_file: { value: text.length / 1000, unit: 'kB' },
  };
}

/** The trajectory file of a scenario's reference. */
function recordedText(id: string): string {
  const scenario = fixture.bank.all.find((candidate) => candidate.scenario.id === id);
  if (!scenario) throw new Error(`the bank has no scenario ${id}`);
  const session = runReference(scenario, 'bench').session;
  session.finish({ reason: 'answer', answer: scenario.scenario.reference.answer });
  return session.text();
}

function forkFigures(): Record<string, Figure> {
  const start = openFixture(prepared, 'bench');
  makeCalls(start, requests);
  const fork = microsPerOperation(
    (kept: Session[]) => {
      for (let index = 0; index < FORKS; index += 1) kept[index] = start.fork();
    },
    { count: FORKS, prepare: () => new Array<Session>(FORKS) },
  );
  const rollback = microsPerOperation(
    (forks: readonly Session[]) => {
      for (const session of forks) session.rollback(requests.length - FAR_BACK);
    },
    { count: FORKS, prepare: () => Array.from({ length: FORKS }, () => start.fork()) },
  );
  return {
    fork: { value: fork, unit: 'us', target: 0.5 },
    rollback_400_steps: { value: rollback, unit: 'us', target: 2 },
  };
}

/** Whole trials with their scores, the bank once through. */
async function trialFigures(): Promise<Record<string, Figure>> {
  const { all } = fixture.bank;
  const bench = await TrialBench.create({ prepared: all, agent: 'careful', seed: 'bench' });
  const samples: number[] = [];
  for (let trial = 0; trial < 6; trial += 1) {
    const start = cpuMicros();
    for (const { scenario } of all) await bench.run({ scenario: scenario.id, trial });
    if (trial > 0) samples.push(all.length / ((cpuMicros() - start) / 1e6));
  }
  return { careful_trials: { value: median(samples), unit: '1/s' } };
}

/** What a step and a checkpoint cost at the least, and the checkpoint that one would write first. */
function baselineFigures(): Record<string, Figure> {
  const session = openFixture(prepared, 'bench');
  makeCalls(session, requests);
  const steps = session.steps();
  const write = microsPerOperation(
    () => {
      for (const step of steps) digestText(JSON.stringify(step));
    },
    { count: steps.length, prepare: () => null },
  );
  const { world } = session;
  const state = Object.fromEntries(world.tableNames.map((name) => [name, [...world.table(name).scan()]]));
  const copy = microsPerOperation(() => structuredClone(state), {
    count: 1,
    repetitions: 5,
    warmUps: 1,
    prepare: () => null,
  });
  return {
    baseline_stringify_and_sha256: { value: write, unit: 'us' },
    baseline_structured_clone: { value: copy, unit: 'us' },
    baseline_state_as_json: { value: JSON.stringify(state).length / 1000, unit: 'kB' },
  };
}
