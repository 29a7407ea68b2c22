import { UsageError } from '../../base/errors.ts';
import {
  type Delivery,
  openSession,
  resumeSession,
  type Session,
  type SessionSnapshot,
} from '../../session/index.ts';
import type { EndReason, Trajectory } from '../../trajectory/index.ts';
import { openScriptedUser, type ScriptedUser, type ScriptedUserState } from '../../users/index.ts';
import type { Environment, SayOutcome, SessionInput, Verdict } from './types.ts';

/** What comes of each kind of input. */
export interface Outcomes {
  readonly call: Delivery;
  readonly say: SayOutcome;
  readonly end: Trajectory;
  readonly wait: undefined;
  readonly rollback: undefined;
  readonly checkpoint: undefined;
  readonly inject: undefined;
  readonly join: undefined;
}

type InputOf<T extends SessionInput['type']> = Extract<SessionInput, { type: T }>;

/** Where the user stood after so many steps. */
interface UserPlace {
  readonly steps: number;
  readonly state: ScriptedUserState;
}

/** Where an episode stands, as plain JSON. */
export interface EpisodeSnapshot {
  readonly session: SessionSnapshot;
  readonly user: UserPlace | null;
  readonly checkpoints: readonly (readonly [name: string, steps: number])[];
}

interface EpisodeState {
  readonly userAt: readonly UserPlace[];
  readonly checkpoints: Iterable<readonly [string, number]>;
  /** Brings the whole episode to where this one was resumed; null where it is whole. */
  readonly whole: (() => HostedEpisode) | null;
}

const NO_CHECKPOINTS: ReadonlyMap<string, number> = new Map();
const NOT_MET: readonly UserPlace[] = [];

/**
 * One hosted episode: a session, the user it talks with, and its end. It changes by inputs alone, so the same
 * inputs give the same episode: that is how one comes back after a crash.
 */
export class HostedEpisode {
  readonly environment: Environment;
  #session: Session;
  #checkpoints = NO_CHECKPOINTS;
  #user: ScriptedUser | null;
  /** Where the user stood, for going back. */
  #userAt: readonly UserPlace[];
  #whole: (() => HostedEpisode) | null;
  #finished: Trajectory | null = null;
  #verdict: Verdict | null = null;

  private constructor(environment: Environment, session: Session, from: EpisodeState) {
    this.environment = environment;
    this.#session = session;
    this.#userAt = from.userAt;
    const checkpoints = [...from.checkpoints];
    if (checkpoints.length > 0) this.#checkpoints = new Map(checkpoints);
    this.#user = environment.user && openScriptedUser(environment.user, from.userAt.at(-1)?.state);
    this.#whole = from.whole;
    this.#lendPast();
  }

  /** Opens the episode; its user, where it has one, speaks first. */
  static open(environment: Environment): HostedEpisode {
    const session = openSession(environment.options);
    if (environment.user) session.say({ role: 'user', text: environment.user.opening });
    return new HostedEpisode(environment, session, { userAt: NOT_MET, checkpoints: [], whole: null });
  }

  /**
   * An episode that goes on from a snapshot. Asked for its past, it gets it from `whole`.
   * @throws UsageError when the environment opens another world than the snapshot's.
   */
  static resume(
    environment: Environment,
    snapshot: EpisodeSnapshot,
    whole: () => HostedEpisode,
  ): HostedEpisode {
    const { user, checkpoints } = snapshot;
    const session = resumeSession(environment.options, snapshot.session, () => whole().session);
    return new HostedEpisode(environment, session, { userAt: user ? [user] : NOT_MET, checkpoints, whole });
  }

  get session(): Session {
    return this.#session;
  }

  /** Steps at each named checkpoint. */
  get checkpoints(): ReadonlyMap<string, number> {
    return this.#checkpoints;
  }

  /** Why the episode is over; null while it goes on. */
  get ended(): EndReason | null {
    return this.#session.ended;
  }

  /** The finished trajectory; null while the episode goes on. */
  get finished(): Trajectory | null {
    return this.#finished;
  }

  /** The verdict of a finished episode; null before, and where nothing says what is right. */
  get verdict(): Verdict | null {
    return this.#verdict;
  }

  /** What the user said first; null where nobody speaks. */
  get opening(): string | null {
    return this.environment.user?.opening ?? null;
  }

  /**
   * The one way in which an episode changes, now and when it is brought back.
   * @throws UsageError when the input cannot be taken; then nothing changed.
   */
  apply<T extends SessionInput['type']>(input: InputOf<T>): Outcomes[T] {
    return this.#applied(input) as Outcomes[T];
  }

  /** Where the episode stands; null when only its inputs lead here. */
  snapshot(): EpisodeSnapshot | null {
    const session = this.#session.snapshot();
    if (!session) return null;
    return { session, user: this.#userAt.at(-1) ?? null, checkpoints: [...this.#checkpoints] };
  }

  /** An independent episode that goes on from after the first `at` steps. */
  fork(at: number = this.#session.stepCount): HostedEpisode {
    const session = this.#session.fork(at);
    return new HostedEpisode(this.environment, session, {
      userAt: this.#userAt.filter(({ steps }) => steps <= at),
      checkpoints: [...this.#checkpoints].filter(([, steps]) => steps <= at),
      whole: session.isWhole ? null : this.#whole,
    });
  }

  /** Goes back to the state after the first `at` steps, also when the episode is over. */
  goBack(at: number): void {
    const { session, checkpoints, userAt, user } = HostedEpisode.#partsOf(this.fork(at));
    this.#session = session;
    this.#checkpoints = checkpoints;
    this.#userAt = userAt;
    this.#user = user;
    this.#finished = null;
    this.#verdict = null;
    this.#lendPast();
  }

  /** The verdict if the episode ended here with this answer, and its whole trajectory. Changes nothing. */
  asIfEnded(answer: string | null): {
    readonly trajectory: Trajectory;
    readonly text: string;
    readonly verdict: Verdict | null;
  } {
    if (this.#finished) {
      return { trajectory: this.#finished, text: this.#session.text(), verdict: this.#verdict };
    }
    const fork = this.fork();
    const reason = this.ended ?? (answer === null ? 'agent-stopped' : 'answer');
    const trajectory = fork.#end({ type: 'end', reason, answer });
    return { trajectory, text: fork.#session.text(), verdict: fork.#verdict };
  }

  static #partsOf(episode: HostedEpisode) {
    return {
      session: episode.#session,
      checkpoints: episode.#checkpoints,
      userAt: episode.#userAt,
      user: episode.#user,
    };
  }

  #applied(input: SessionInput): Outcomes[keyof Outcomes] {
    switch (input.type) {
      case 'call':
        return this.#session.call(input.call);
      case 'say':
        return this.#say(input.text);
      case 'end':
        return this.#end(input);
      case 'wait':
        this.#session.wait(input.durationMs);
        return undefined;
      case 'rollback':
        this.goBack(input.at);
        return undefined;
      case 'checkpoint':
        this.#checkpoints = new Map([...this.#checkpoints, [input.name, this.#session.stepCount]]);
        return undefined;
      case 'inject':
        this.#session.inject(input.rules);
        return undefined;
      case 'join':
        this.#session.join(input.actors);
        return undefined;
    }
  }

  #say(text: string): SayOutcome {
    const user = this.#user;
    if (!user || user.state.at === 'end') {
      throw new UsageError('nobody-there', 'nobody is there to talk to', {
        hint: user ? 'the user has left: give the answer' : 'this environment has no user: give the answer',
      });
    }
    if (!this.#session.say({ role: 'agent', text })) return { reply: null, ended: this.#session.ended };
    const reply = user.reply(text, (table) => this.#session.world.table(table).scan());
    this.#userAt = [...this.#userAt, { steps: this.#session.stepCount, state: user.state }];
    this.#session.say({ role: 'user', text: reply.text });
    return { reply: { text: reply.text, ended: reply.ended }, ended: this.#session.ended };
  }

  #end({ reason, answer, detail }: InputOf<'end'>): Trajectory {
    const finished = this.#session.finish({ reason, answer, ...(detail !== undefined && { detail }) });
    this.#finished = finished;
    this.#verdict = this.environment.score?.(finished) ?? null;
    return finished;
  }

  /** Lets the session have its past from where this episode has it: with it comes the user's. */
  #lendPast(): void {
    if (!this.#whole || this.#session.isWhole) return;
    const whole = this.#whole;
    this.#session.goOnAs({
      past: () => {
        const past = whole();
        // The first place known here is the last one there.
        this.#userAt = [...past.#userAt, ...this.#userAt.slice(past.#userAt.length > 0 ? 1 : 0)];
        return past.#session;
      },
    });
  }
}
