import { z } from 'zod';
import { UsageError } from '../../base/errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { servicesUnder, withTwins } from '../../faults/index.ts';
import type { Service, Tool } from '../../service/types.ts';
import { type Callable, type Delivery, offersAll, toolboxOf } from '../../session/index.ts';
import type { EndReason, StepRecord } from '../../trajectory/index.ts';
import type { HostedEpisode } from './episode.ts';
import type { HostedSession, SessionHost, Via } from './host.ts';
import type { Environment } from './types.ts';

/** A tool as a door offers it to an agent. */
export interface AgentTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly inputSchema: JsonObject;
  /** JSON Schema of the result, where that is an object. */
  readonly outputSchema?: JsonObject;
  readonly effect: 'read' | 'write';
  /** True where the vendor's own verb is to delete; absent where nothing says so. */
  readonly destructive?: true;
  /** `answer` and `message` belong to the episode, not to a service: calling them makes no step. */
  readonly kind: 'service' | 'answer' | 'message';
  /** Whether its answer is the parts of a result themselves, `{content: […]}`. */
  readonly answers?: 'content';
}

/** The tools of an environment: one value for all sessions that offer the same. */
export interface AgentTools {
  readonly list: readonly AgentTool[];
  readonly byName: ReadonlyMap<string, AgentTool>;
  /** True when every tool of the services is on offer: then operations without a tool can be called too. */
  readonly offersAll: boolean;
}

/** Ends the episode with an answer; offered where there is a task. */
const SUBMIT_ANSWER: AgentTool = {
  name: 'submit_answer',
  description: 'Gives the final answer to the task and ends the episode. Call it once, when all is done.',
  inputSchema: textArgument('The final answer, in words.'),
  effect: 'write',
  kind: 'answer',
};

/** Speaks to the simulated user; offered where there is one. */
const MESSAGE_USER: AgentTool = {
  name: 'message_user',
  description: 'Says something to the user and gives back what the user replies.',
  inputSchema: textArgument('What to say to the user.'),
  effect: 'write',
  kind: 'message',
};

function textArgument(description: string): JsonObject {
  return {
    type: 'object',
    properties: { text: { type: 'string', description } },
    required: ['text'],
    additionalProperties: false,
  };
}

const known = new WeakMap<readonly Service[], Map<string, AgentTools>>();
const ofEnvironment = new WeakMap<Environment, AgentTools>();

/** The tools that agents are offered in this environment. A service's name wins over the episode's own. */
export function agentTools(environment: Environment): AgentTools {
  let tools = ofEnvironment.get(environment);
  if (!tools) {
    tools = sharedTools(environment);
    ofEnvironment.set(environment, tools);
  }
  return tools;
}

function sharedTools(environment: Environment): AgentTools {
  const { options } = environment;
  const services = servicesUnder(environment.services, options.faults);
  let ofServices = known.get(services);
  if (!ofServices) {
    ofServices = new Map();
    known.set(services, ofServices);
  }
  const key = JSON.stringify([options.tools ?? null, environment.task !== null, environment.user !== null]);
  let tools = ofServices.get(key);
  if (!tools) {
    tools = compile({ ...environment, services });
    ofServices.set(key, tools);
  }
  return tools;
}

function compile({ services, options, task, user }: Environment): AgentTools {
  const toolbox = toolboxOf(services);
  const offered = options.tools ? new Set(withTwins(options.tools, options.faults)) : toolbox.toolNames;
  const list = toolbox.tools
    .filter(({ tool }) => offered.has(tool.name))
    .map(({ tool, callable }) => describe(tool, callable));
  const taken = (name: string): boolean => toolbox.byName.has(name);
  if (task && !taken(SUBMIT_ANSWER.name)) list.push(SUBMIT_ANSWER);
  if (user && !taken(MESSAGE_USER.name)) list.push(MESSAGE_USER);
  return {
    list,
    byName: new Map(list.map((tool) => [tool.name, tool])),
    offersAll: offersAll(toolbox, offered),
  };
}

function describe(tool: Tool, { effect, operation }: Callable): AgentTool {
  const outputSchema = operation && schemaOf(operation.output, 'output');
  return {
    name: tool.name,
    description: tool.description,
    inputSchema: schemaOf(tool.input, 'input'),
    ...(outputSchema?.type === 'object' && { outputSchema }),
    effect,
    ...(tool.answers && { answers: tool.answers }),
    ...(operation?.http?.method === 'DELETE' && { destructive: true }),
    kind: 'service',
  };
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonObject;
  return rest;
}

/** How real time and virtual time go together: the REST door's `Pacing`, shared so that all doors agree. */
export interface Pace {
  /** Whether answers are held back: only then is it of interest how long a call took. */
  readonly isReal: boolean;
  /** Virtual milliseconds that passed since this session's last answer: its next call's `waitedMs`. */
  waitedMs(session: string): number;
  /** Remembers that an answer went out. */
  answered(session: string): void;
  /** Holds an answer back for the virtual time that its call took; null where nothing is held. */
  hold(latencyMs: number): Promise<void> | null;
}

/** A call as a door takes it from an agent. */
export interface AgentCall {
  readonly tool: string;
  /** The arguments; `{}` when left out. */
  readonly input?: Json;
  /** The calling actor; that of the credential, or the first, when left out. */
  readonly actor?: string;
  readonly via: Via;
  /** Left out where only calls take time. */
  readonly pacing?: Pace;
}

/** What came of an agent's call. */
export type AgentOutcome =
  /** A step was made. `known` is false where the name is nothing that this agent can call. */
  | { readonly kind: 'step'; readonly delivery: Delivery; readonly known: boolean }
  | { readonly kind: 'said'; readonly reply: { readonly text: string; readonly ended: boolean } | null }
  | { readonly kind: 'answered' }
  /** The episode is over and nothing happened. */
  | { readonly kind: 'over'; readonly reason: EndReason }
  /** One of the episode's own tools was called wrongly; no step. */
  | { readonly kind: 'refused'; readonly message: string };

/**
 * Makes an agent's call by name: a tool of a service, an operation, or one of the episode's own tools. What an
 * agent sends is never a UsageError here: it is an outcome.
 * @throws UsageError when the session is closed.
 */
export async function callAgentTool(
  host: SessionHost,
  session: HostedSession,
  request: AgentCall,
): Promise<AgentOutcome> {
  const { episode } = session;
  if (episode.finished) return { kind: 'over', reason: episode.ended ?? 'answer' };
  const tools = agentTools(episode.environment);
  const tool = tools.byName.get(request.tool);
  if (tool?.kind === 'answer' || tool?.kind === 'message') {
    return callEpisodeTool(host, session, { kind: tool.kind, input: request.input });
  }
  if (episode.ended) return { kind: 'over', reason: episode.ended };
  const delivery = await deliverInTime(host, session, request);
  if (delivery.ended) return { kind: 'over', reason: delivery.ended };
  const isKnown =
    tool !== undefined ||
    (tools.offersAll && session.episode.session.callableNamed(request.tool) !== undefined);
  return { kind: 'step', delivery, known: isKnown };
}

/** Makes the call, with real waiting before it and virtual latency behind it where the server has them. */
async function deliverInTime(host: SessionHost, session: HostedSession, call: AgentCall): Promise<Delivery> {
  const { pacing } = call;
  if (!pacing) return deliver(host, session, call);
  const waitedMs = pacing.waitedMs(session.id);
  const beforeMs = session.episode.session.world.clockMs;
  const soon = deliver(host, session, { ...call, waitedMs });
  // Of this call, before others come while it is made safe.
  const tookMs = pacing.isReal ? newestLatencyMs(session.episode, beforeMs) : 0;
  const delivery = await soon;
  await pacing.hold(tookMs);
  pacing.answered(session.id);
  return delivery;
}

/**
 * The virtual milliseconds that the newest call took, which began at `beforeMs`: without the waiting before
 * it, of which nobody but the session knows where it came from.
 */
export function newestLatencyMs({ session }: HostedEpisode, beforeMs: number): number {
  const step = JSON.parse(session.lastStepLine() ?? '{}') as Partial<StepRecord>;
  return session.world.clockMs - beforeMs - (step.waited ?? 0);
}

async function deliver(
  host: SessionHost,
  session: HostedSession,
  { tool, input = {}, actor, via, waitedMs = 0 }: AgentCall & { readonly waitedMs?: number },
): Promise<Delivery> {
  const who = { ...(actor !== undefined && { actor }), ...(waitedMs > 0 && { waitedMs }) };
  try {
    return await host.call(session, { tool, input, ...who }, via);
  } catch (error) {
    // Arguments that cannot be written down as JSON are recorded as the text that they are.
    if (!(error instanceof UsageError) || error.code !== 'bad-arguments') throw error;
    return await host.call(session, { tool, malformed: textOf(input), ...who }, via);
  }
}

/** What is recorded of arguments that cannot be taken, in characters. */
const MALFORMED_MOST = 10_000;

function textOf(input: Json): string {
  try {
    return JSON.stringify(input).slice(0, MALFORMED_MOST);
  } catch {
    return 'arguments nested too deep to be written down';
  }
}

async function callEpisodeTool(
  host: SessionHost,
  session: HostedSession,
  { kind, input }: { readonly kind: 'answer' | 'message'; readonly input: Json | undefined },
): Promise<AgentOutcome> {
  const text = isJsonObject(input) ? input.text : undefined;
  if (typeof text !== 'string') return { kind: 'refused', message: 'give a text: {"text": "…"}' };
  if (kind === 'answer') {
    await host.end(session, { answer: text, reason: 'answer' });
    return { kind: 'answered' };
  }
  if (session.episode.ended) return { kind: 'over', reason: session.episode.ended };
  try {
    const said = await host.say(session, text);
    if (said.reply === null && said.ended) return { kind: 'over', reason: said.ended };
    return { kind: 'said', reply: said.reply };
  } catch (error) {
    if (!(error instanceof UsageError) || error.code !== 'nobody-there') throw error;
    return { kind: 'refused', message: error.describe() };
  }
}
