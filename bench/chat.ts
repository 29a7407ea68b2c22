import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import type { ChatModel } from '../src/llm/index.ts';
import { chatAgent } from '../src/runner/agents/chat/agent.ts';
import { agentNamed, type ChatSettings } from '../src/runner/agents/index.ts';
import { loadBank } from '../src/runner/bank.ts';
import { runTrial } from '../src/runner/execute.ts';
import { runBank } from '../src/runner/run.ts';
import type { Agent } from '../src/runner/types.ts';
import { WorldCache } from '../src/runner/worlds.ts';
import { roomyScenario } from '../test/double-refund.ts';
import { cpuMicros, type Figure, median, report } from './measure.ts';

/**
 * What a model agent costs beside its model: CPU time of a turn, replays without a network, many trials at
 * once. The stub server runs in a process of its own.
 */
const TURNS = 60;
const ROUNDS = 9;
const WARM_UPS = 3;
const TRIALS = 200;
const TRIAL_TURNS = 6;
/** Between two events of a slow stream; a reply has about ten. */
const EVENT_MS = 50;
const DEADLINE_MS = 5_000;

const BANK = fileURLToPath(new URL('../banks/helpdesk/status-lookup', import.meta.url));
const root = mkdtempSync(join(tmpdir(), 'groundhog-bench-chat-'));
const prepared = await roomyScenario();
try {
  report('chat', { ...(await turnFigures()), ...(await manyFigures()) });
} finally {
  rmSync(root, { recursive: true });
}

interface Server {
  readonly baseUrl: string;
  readonly child: ChildProcess;
}

async function serve(turns: number, eventMs = 0): Promise<Server> {
  const child = fork(fileURLToPath(new URL('./chat-server.ts', import.meta.url)), [
    String(turns),
    String(eventMs),
  ]);
  return { baseUrl: (await heard(child)) as string, child };
}

function heard(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve) => child.once('message', resolve));
}

/** A trial of 60 turns: with a model that answers at once, over the wire, recorded, and replayed. */
async function turnFigures(): Promise<Record<string, Figure>> {
  const { baseUrl, child } = await serve(TURNS);
  const cassettes = join(root, 'cassettes');
  const recorded = await model({ baseUrl, cassettes, cassetteMode: 'record' });
  const loop = await trialCosts(() => Promise.resolve(instant()));
  const openai = await trialCosts(() => model({ baseUrl }));
  const anthropic = await trialCosts(() => model({ baseUrl }, 'anthropic'));
  const recording = await trialCosts(() => Promise.resolve(recorded));
  child.disconnect();
  rmSync(cassettes, { recursive: true });
  await recordOnce(cassettes);
  // Nothing listens on that port: whatever is not replayed fails.
  const replay = await trialCosts(() =>
    model({ baseUrl: 'http://127.0.0.1:9/v1', cassettes, cassetteMode: 'replay' }),
  );
  const aTurn = (cpuMs: number): Figure => ({ value: cpuMs / TURNS, unit: 'ms', target: 5 });
  return {
    turn_loop_and_world: aTurn(loop.cpuMs),
    turn_openai: aTurn(openai.cpuMs),
    turn_anthropic: aTurn(anthropic.cpuMs),
    turn_recorded: aTurn(recording.cpuMs),
    replay_60_turns: { value: replay.wallMs, unit: 'ms', target: 100 },
    replay_60_turns_cpu: { value: replay.cpuMs, unit: 'ms' },
  };
}

async function recordOnce(cassettes: string): Promise<void> {
  const { baseUrl, child } = await serve(TURNS);
  await playTrial(await model({ baseUrl, cassettes, cassetteMode: 'record' }));
  child.disconnect();
}

function model(chat: ChatSettings, protocol = 'openai'): Promise<Agent> {
  return agentNamed(`chat:${protocol}:stub`, () => prepared, { chat });
}

/** A model that takes no time of its own. */
function instant(): Agent {
  const tiny: ChatModel = {
    name: 'instant',
    config: {},
    complete: ({ messages }) => {
      const turn = messages.filter(({ role }) => role === 'assistant').length;
      const call = { id: `call-${turn}`, name: 'lookup_order', arguments: '{"order_id":"10280"}' };
      return Promise.resolve({
        text: turn < TURNS - 1 ? '' : 'Order 10280 was delivered.',
        calls: turn < TURNS - 1 ? [call] : [],
        finish: 'stop',
        usage: { inputTokens: 1, outputTokens: 1, cachedInputTokens: null },
        model: 'instant',
      });
    },
  };
  return chatAgent(
    tiny,
    { maxOutputTokens: 4096, maxSteps: 100 },
    { modelFor: () => tiny, costOf: () => null },
  );
}

async function playTrial(agent: Agent): Promise<void> {
  const { trajectory } = await runTrial(prepared, agent, { seed: 'bench', trial: 0 });
  const { steps = [], end } = trajectory ?? {};
  if (steps.length !== TURNS - 1 || end?.reason !== 'answer') throw new Error(`not played: ${end?.detail}`);
}

/** Medians over trials, each with an agent of its own; making it is counted. */
async function trialCosts(
  agentOf: () => Promise<Agent>,
): Promise<{ readonly cpuMs: number; readonly wallMs: number }> {
  const [cpu, wall]: [number[], number[]] = [[], []];
  for (let round = 0; round < WARM_UPS + ROUNDS; round += 1) {
    const [startedMs, startedMicros] = [performance.now(), cpuMicros()];
    await playTrial(await agentOf());
    if (round < WARM_UPS) continue;
    cpu.push((cpuMicros() - startedMicros) / 1000);
    wall.push(performance.now() - startedMs);
  }
  return { cpuMs: median(cpu), wallMs: median(wall) };
}

/** Many trials in flight against slow streams. A request over its deadline would stop the run. */
async function manyFigures(): Promise<Record<string, Figure>> {
  const { baseUrl, child } = await serve(TRIAL_TURNS, EVENT_MS);
  const bank = await loadBank([BANK], new WorldCache());
  const chat = { baseUrl, attempts: 1, requestTimeoutMs: DEADLINE_MS };
  const [startedMs, startedMicros] = [performance.now(), cpuMicros()];
  let done = 0;
  let missed: string | null = null;
  try {
    await runBank({
      bank,
      agent: 'chat:openai:stub',
      agentOptions: { chat },
      seed: 'bench',
      k: TRIALS,
      engine: 'threads',
      concurrency: TRIALS,
      out: join(root, 'run'),
      onProgress: (progress) => {
        done = progress.done;
      },
    });
  } catch (error) {
    missed = String(error);
  }
  const wallMs = performance.now() - startedMs;
  const cpuMs = (cpuMicros() - startedMicros) / 1000;
  child.send('most');
  const most = (await heard(child)) as number;
  child.disconnect();
  return {
    trials_200_not_finished: {
      value: TRIALS - done,
      unit: '',
      target: 0,
      ...(missed !== null && { reason: missed }),
    },
    trials_200_in_flight: { value: most, unit: '' },
    trials_200_wall: { value: wallMs / 1000, unit: 's' },
    trials_200_cpu_a_turn: { value: cpuMs / (TRIALS * TRIAL_TURNS), unit: 'ms', target: 5 },
  };
}
