import type { Json, JsonObject } from '../../base/json.ts';
import type { TrialScore } from '../../scoring/index.ts';
import { openSession, type Session, type SessionOptions } from '../../session/index.ts';
import type { Trajectory } from '../../trajectory/index.ts';
import { trialSeed } from '../execute.ts';
import { offeredTools } from '../offered-tools.ts';
import { optionsFor, type PreparedScenario, type ReferenceRun, runReference } from '../prepare.ts';
import { scoreAgainst } from '../score.ts';
import type { OfferedTool } from '../types.ts';
import { type MadeCall, type Plan, planOf, TaskValues } from './plan.ts';
import { saidBy } from './values.ts';

/** The agent's name in the header of every run of a testbed, clean or not: it tells nothing. */
const AGENT = { name: 'testbed', config: {} };

/** A run of the reference by the testbed's agent, with everything that edits of it need. */
export interface CleanRun {
  readonly prepared: PreparedScenario;
  readonly trial: number;
  readonly plan: Plan;
  /** What the scenario offers, by name. */
  readonly tools: ReadonlyMap<string, OfferedTool>;
  readonly reference: ReferenceRun;
  /** What its session was opened with. */
  readonly options: SessionOptions;
  /** Stands behind the last call; to fork at any step. */
  readonly session: Session;
  readonly trajectory: Trajectory;
  readonly text: string;
  readonly score: TrialScore;
}

/** Plays the reference as an agent would. */
export function cleanRun(prepared: PreparedScenario, trial: number, seed: string): CleanRun {
  const { scenario } = prepared;
  const streamSeed = trialSeed(seed, scenario.id, trial);
  const options = optionsFor(prepared, { streamSeed, trial, agent: AGENT, asAgent: true });
  const session = openSession(options);
  const reference = runReference(prepared, streamSeed, session);
  const calls = reference.calls.map(({ tool, input }, index): MadeCall => {
    const { ok = false, body = null } = reference.deliveries[index] ?? {};
    return { tool, input: (input ?? {}) as JsonObject, ok, answer: saidBy(body) };
  });
  const tools = new Map(
    offeredTools(prepared.services, { names: scenario.tools }).map((tool) => [tool.name, tool]),
  );
  const task = new TaskValues([scenario.task.text], scenario.task.intent as Json | undefined);
  const isListed = (tool: string, argument: string): boolean => listsValues(tools.get(tool), argument);
  const isWrite = (tool: string): boolean => tools.get(tool)?.effect === 'write';
  const { answer } = scenario.reference;
  const ended = session.fork();
  const trajectory = ended.finish({ reason: 'answer', answer });
  return {
    prepared,
    trial,
    plan: planOf(calls, answer, { task, isListed, isWrite }),
    tools,
    reference,
    options,
    session,
    trajectory,
    text: ended.text(),
    score: scoreAgainst(prepared, reference, trajectory),
  };
}

/** The schema of one argument of a tool; null where the tool has none of that name. */
export function schemaOf(tool: OfferedTool | undefined, argument: string): JsonObject | null {
  const { properties } = tool?.inputSchema ?? {};
  const schema = (properties as JsonObject | undefined)?.[argument];
  return typeof schema === 'object' && schema !== null && !Array.isArray(schema)
    ? (schema as JsonObject)
    : null;
}

function listsValues(tool: OfferedTool | undefined, argument: string): boolean {
  const schema = schemaOf(tool, argument);
  return schema !== null && ('enum' in schema || 'const' in schema);
}
