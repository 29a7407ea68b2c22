import { UsageError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { type AgentTools, agentTools } from '../host/episode-tools.ts';
import type { Credential, HostedSession, SessionHost, TraceContext } from '../host/index.ts';
import { callToTheEnd, type McpTarget } from '../mcp/index.ts';
import type { Action } from './actions.ts';
import { diffObservation, resetObservation, stepObservation, toolsObservation } from './observation.ts';
import type { OpenEnvOptions } from './options.ts';
import { namedBy, type ResetWishes, type Selection, select, wishesOf } from './selection.ts';
import { penaltyOf } from './shaping.ts';

/** What a reset or a step gives. */
export interface Observed {
  readonly observation: JsonObject;
  readonly reward: number | null;
  readonly done: boolean;
}

/** An environment could not be made, and that is nobody's mistake but ours. */
export class FactoryFailure extends Error {
  override readonly name = 'FactoryFailure';
}

/** A session that somebody else opened, and as whom its client acts in it. */
export interface Adopted {
  readonly session: HostedSession;
  readonly actor: string;
}

/** What a client without a token is told of where it is. */
const OWN_WORLD =
  'This is a world of its own, opened for this client alone and closed with it; with a session token as ' +
  'bearer token (GROUNDHOG_TOKEN) you reach that session instead.';

/** The branch that an episode starts on. */
const MAIN = 'main';

/** Branches of one episode besides the first. */
const BRANCHES_MOST = 64;

/**
 * One environment as a client of OpenEnv has it: a session that is opened at the first reset or call, opened
 * anew at each reset, and closed with the connection. One that somebody else opened only takes steps. Its
 * branches are sessions of their own.
 */
export class EnvInstance {
  readonly #host: SessionHost;
  readonly #options: OpenEnvOptions;
  /** A session that somebody else opened: whoever has its token may act in it, and take nothing back. */
  readonly #adopted: HostedSession | null;
  readonly #actor: string | undefined;
  #session: HostedSession | null = null;
  #selection: Selection | null = null;
  #resets = 0;
  /** The reset under way: HTTP clients may ask for several things at once. */
  #resetting: Promise<Observed> | null = null;
  #branch = MAIN;
  /** The branches that this environment is not on. */
  #branches: Map<string, HostedSession> | null = null;

  constructor(host: SessionHost, options: OpenEnvOptions, adopted: Adopted | null = null) {
    this.#host = host;
    this.#options = options;
    this.#adopted = adopted?.session ?? null;
    this.#actor = adopted?.actor;
    this.#session = this.#adopted;
  }

  /** How many sessions there are, and may be, told where there is no room for another. */
  get room(): { readonly active: number; readonly most: number } {
    return { active: this.#host.size, most: this.#host.size };
  }

  /** @throws ValidationProblem, and UsageError for a scenario that is not served or a host that is full. */
  async reset(data: JsonObject): Promise<Observed> {
    const wishes = wishesOf(data);
    const before = this.#resetting;
    const begun = settled(before).then(() => this.#begin(wishes));
    this.#resetting = begun;
    try {
      return await begun;
    } finally {
      if (this.#resetting === begun) this.#resetting = null;
    }
  }

  async #begin(wishes: ResetWishes): Promise<Observed> {
    if (this.#adopted) {
      const { name } = this.#adopted.episode.environment;
      const named = namedBy(this.#host.source, wishes);
      if (named && named.scenario !== null && named.scenario !== name) {
        throw new UsageError('another-scenario', `this session is on ${name}: it cannot become another one`);
      }
      if (!isFresh(this.#adopted)) throw notYours('reset');
      return { observation: resetObservation(this.#adopted, this.#selection), reward: null, done: false };
    }
    const selection = select(this.#host.source, wishes, this.#resets);
    await this.#closeAll();
    const session = this.#open(selection);
    this.#session = session;
    this.#selection = selection;
    this.#resets += 1;
    return { observation: resetObservation(session, selection), reward: null, done: false };
  }

  /**
   * Takes one action. `trace` is the trace context that its caller sent along.
   * @throws UsageError for a branch, checkpoint or step that does not exist.
   */
  async step(action: Action, trace?: TraceContext): Promise<Observed> {
    switch (action.type) {
      case 'list_tools':
        return this.#observed(toolsObservation(this.tools()));
      case 'call_tool':
        return this.#call(action, trace);
      default:
        return this.#observed({ action: action.type, ...(await this.#ours(action)) });
    }
  }

  /** The state of the episode; before the first reset there is none. */
  state(): JsonObject {
    const session = this.#session;
    if (!session) return { episode_id: null, step_count: 0 };
    const { episode } = session;
    return {
      episode_id: this.#selection?.episodeId ?? session.id,
      step_count: episode.session.stepCount,
      environment: episode.environment.name,
      scenario: this.#selection?.scenario ?? null,
      trial: this.#selection?.trial ?? null,
      done: episode.ended !== null,
      done_reason: episode.ended,
      reward: rewardOf(session),
      branch: this.#branch,
      branches: [this.#branch, ...(this.#branches?.keys() ?? [])],
      checkpoints: Object.fromEntries(episode.checkpoints),
      clock_ms: episode.session.world.clockMs,
      content_digest: episode.session.world.contentDigest(),
    };
  }

  /** The tools of the episode; before the first reset those of an environment without wishes. */
  tools(): AgentTools {
    const { source } = this.#host;
    const environment = this.#session?.episode.environment ?? source.open(source.defaults);
    return agentTools(environment);
  }

  /** The session as the Model Context Protocol sees it; opened where there is none yet. */
  async mcpTarget(): Promise<McpTarget> {
    const session = await this.#opened();
    const { tables = false, pacing } = this.#options;
    const credential = this.#credentialOf(session);
    return {
      host: this.#host,
      session,
      door: 'openenv',
      tables,
      ...(credential && { credential }),
      ...(pacing && { pacing }),
      ...(!this.#adopted && { notice: OWN_WORLD }),
    };
  }

  async close(): Promise<void> {
    await settled(this.#resetting);
    if (!this.#adopted) await this.#closeAll();
  }

  /** What lets this client's actor in; undefined where the first actor calls. */
  #credentialOf({ credentials }: HostedSession): Credential | undefined {
    if (this.#actor === undefined) return undefined;
    return credentials.find(({ service, actor }) => service === null && actor === this.#actor);
  }

  async #call(
    { tool, arguments: input }: Extract<Action, { type: 'call_tool' }>,
    trace: TraceContext | undefined,
  ): Promise<Observed> {
    const session = await this.#opened();
    const { shaping, pacing } = this.#options;
    const credential = this.#credentialOf(session);
    const outcome = await callToTheEnd(this.#host, session, {
      tool,
      input,
      via: { door: 'openenv', ...(trace && { trace }), ...(credential && { credential }) },
      ...(pacing && { pacing }),
    });
    const observed = this.#observed(stepObservation({ tool, outcome, session }));
    if (!shaping || outcome.kind !== 'step') return observed;
    return { ...observed, reward: (observed.reward ?? 0) + penaltyOf(session, shaping) };
  }

  /** Our own actions: they change where the episode stands, never what a call does. */
  async #ours(action: Exclude<Action, { type: 'list_tools' | 'call_tool' }>): Promise<JsonObject> {
    const session = await this.#opened();
    const host = this.#host;
    if (this.#adopted && action.type !== 'groundhog/wait') throw notYours(action.type);
    switch (action.type) {
      case 'groundhog/fork':
        return this.#fork(session, action);
      case 'groundhog/switch':
        this.#switchTo(session, action.branch);
        return { branch: this.#branch };
      case 'groundhog/checkpoint':
        await host.checkpoint(session, action.name);
        return { name: action.name };
      case 'groundhog/rollback':
        await host.rollback(session, placeOf(session, action));
        return {};
      case 'groundhog/wait':
        await host.wait(session, action.durationMs);
        return {};
      case 'groundhog/diff':
        return diffObservation(session.episode.session, action.at);
    }
  }

  /** A branch that goes on from here, or from after the first `at` steps. We stay where we are. */
  #fork(session: HostedSession, action: Extract<Action, { type: 'groundhog/fork' }>): JsonObject {
    const { branch, at } = action;
    this.#branches ??= new Map();
    const branches = this.#branches;
    if (branches.size >= BRANCHES_MOST) {
      throw new UsageError('too-many-branches', `an episode has at most ${BRANCHES_MOST} branches`);
    }
    const name = branch ?? freeName(branches, this.#branch);
    if (name === this.#branch || branches.has(name)) {
      throw new UsageError('branch-taken', `there is a branch named ${name} already`);
    }
    const forked = this.#host.fork(session, at);
    branches.set(name, forked);
    return { branch: name, at: forked.episode.session.stepCount };
  }

  #switchTo(session: HostedSession, branch: string): void {
    if (branch === this.#branch) return;
    const other = this.#branches?.get(branch);
    if (!other) {
      const known = [this.#branch, ...(this.#branches?.keys() ?? [])].join(', ');
      throw new UsageError('no-branch', `there is no branch named ${branch}`, {
        hint: `branches are ${known}`,
      });
    }
    this.#branches?.delete(branch);
    this.#branches?.set(this.#branch, session);
    this.#session = other;
    this.#branch = branch;
  }

  #observed(observation: JsonObject): Observed {
    const session = this.#session;
    if (!session) return { observation, reward: null, done: false };
    const { episode } = session;
    const where = { step_count: episode.session.stepCount, done_reason: episode.ended };
    return {
      observation: { ...observation, ...where },
      reward: rewardOf(session),
      done: episode.ended !== null,
    };
  }

  #open({ request }: Selection): HostedSession {
    try {
      return this.#host.open(request, { ephemeral: true });
    } catch (error) {
      if (error instanceof UsageError) throw error;
      throw new FactoryFailure(error instanceof Error ? error.message : String(error), { cause: error });
    }
  }

  /** The session, as a reset without wishes opens it where nobody asked for one. */
  async #opened(): Promise<HostedSession> {
    for (;;) {
      if (this.#resetting) await settled(this.#resetting);
      else if (this.#session) return this.#session;
      else await this.reset({});
    }
  }

  async #closeAll(): Promise<void> {
    const session = this.#session;
    this.#session = null;
    if (session) await this.#host.close(session);
    await this.#closeBranches();
  }

  async #closeBranches(): Promise<void> {
    const branches = this.#branches;
    this.#branches = null;
    this.#branch = MAIN;
    if (!branches) return;
    for (const session of branches.values()) await this.#host.close(session);
  }
}

/** Whether nothing has happened in a session yet. */
function isFresh({ episode }: HostedSession): boolean {
  const { stepCount, messageCount } = episode.session;
  return stepCount === 0 && messageCount === (episode.opening === null ? 0 : 1) && episode.ended === null;
}

/** An agent under test has its token, and must not take back what it did, nor look behind its tools. */
function notYours(what: string): UsageError {
  return new UsageError(
    'opened-elsewhere',
    `${what} is not for the token of a session that was opened elsewhere`,
    {
      hint: 'the control plane resets, forks and shows what changed',
    },
  );
}

/** Once this is over, however it ended. */
async function settled(pending: Promise<unknown> | null): Promise<void> {
  await pending?.catch(() => undefined);
}

function freeName(branches: ReadonlyMap<string, HostedSession>, current: string): string {
  let number = branches.size + 1;
  while (current === `branch-${number}` || branches.has(`branch-${number}`)) number += 1;
  return `branch-${number}`;
}

function placeOf(
  { episode }: HostedSession,
  { name, at }: Extract<Action, { type: 'groundhog/rollback' }>,
): number {
  if (at !== undefined) return at;
  if (name === undefined)
    throw new UsageError('no-place', 'name a checkpoint, or give the number of steps as at');
  const steps = episode.checkpoints.get(name);
  if (steps !== undefined) return steps;
  throw new UsageError('no-checkpoint', `there is no checkpoint named ${name}`);
}

/** The verdict as a number; null before the end, and where no scenario says what is right. Void is 0. */
function rewardOf({ episode }: HostedSession): number | null {
  const { verdict } = episode;
  if (!verdict) return null;
  return verdict.success && verdict.void === null ? 1 : 0;
}
