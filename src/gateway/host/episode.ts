import { UsageError } from '../../base/errors.ts';
import { type Delivery, openSession, type Session } from '../../session/index.ts';
import type { EndReason, Trajectory } from '../../trajectory/index.ts';
import { openScriptedUser, type ScriptedUser, type ScriptedUserState } from '../../users/index.ts';
import type { Environment, SayOutcome, SessionInput, Verdict } from './types.ts';

/**
 * One hosted episode: a session, the user it talks with, and its end. It changes by inputs alone, so the same
 * inputs give the same episode: that is how one comes back after a crash.
 */
export class HostedEpisode {
  readonly environment: Environment;
  readonly session: Session;
  /** Steps at each named checkpoint. */
  readonly checkpoints: Map<string, number>;
  #user: ScriptedUser | null;
  /** Where the user stood after so many steps, for going back. */
  #userAt: { readonly steps: number; readonly state: ScriptedUserState }[];
  #finished: Trajectory | null = null;
  #verdict: Verdict | null = null;

  private constructor(
    environment: Environment,
    session: Session,
    from: {
      readonly user: ScriptedUserState | null;
      readonly userAt: HostedEpisode['userStates'];
      readonly checkpoints: ReadonlyMap<string, number>;
    },
  ) {
    this.environment = environment;
    this.session = session;
    this.checkpoints = new Map(from.checkpoints);
    this.#user = environment.user && openScriptedUser(environment.user, from.user ?? undefined);
    this.#userAt = [...from.userAt];
  }

  /** Opens the episode; its user, where it has one, speaks first. */
  static open(environment: Environment): HostedEpisode {
    const session = openSession(environment.options);
    const start = { user: null, userAt: [], checkpoints: new Map<string, number>() };
    const episode = new HostedEpisode(environment, session, start);
    if (environment.user) session.say({ role: 'user', text: environment.user.opening });
    return episode;
  }

  get userStates(): readonly { readonly steps: number; readonly state: ScriptedUserState }[] {
    return this.#userAt;
  }

  /** Why the episode is over; null while it goes on. */
  get ended(): EndReason | null {
    return this.session.ended;
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

  call(call: Extract<SessionInput, { type: 'call' }>['call']): Delivery {
    return this.session.call(call);
  }

  say(text: string): SayOutcome {
    const user = this.#user;
    if (!user || user.state.at === 'end') {
      throw new UsageError('nobody-there', 'nobody is there to talk to', {
        hint: user ? 'the user has left: give the answer' : 'this environment has no user: give the answer',
      });
    }
    if (!this.session.say({ role: 'agent', text })) return { reply: null, ended: this.session.ended };
    const reply = user.reply(text, (table) => this.session.world.table(table).scan());
    this.#userAt.push({ steps: this.session.stepCount, state: user.state });
    this.session.say({ role: 'user', text: reply.text });
    return { reply: { text: reply.text, ended: reply.ended }, ended: this.session.ended };
  }

  end(input: Extract<SessionInput, { type: 'end' }>): Trajectory {
    const { reason, answer, detail } = input;
    this.#finished = this.session.finish({ reason, answer, ...(detail !== undefined && { detail }) });
    this.#verdict = this.environment.score?.(this.#finished) ?? null;
    return this.#finished;
  }

  /** An independent episode that goes on from after the first `at` steps. */
  fork(at: number = this.session.stepCount): HostedEpisode {
    const kept = this.#userAt.filter(({ steps }) => steps <= at);
    const checkpoints = [...this.checkpoints].filter(([, steps]) => steps <= at);
    return new HostedEpisode(this.environment, this.session.fork(at), {
      user: kept.at(-1)?.state ?? null,
      userAt: kept,
      checkpoints: new Map(checkpoints),
    });
  }

  /** The verdict if the episode ended here with this answer, and its whole trajectory. Changes nothing. */
  asIfEnded(answer: string | null): {
    readonly trajectory: Trajectory;
    readonly text: string;
    readonly verdict: Verdict | null;
  } {
    if (this.#finished) {
      return { trajectory: this.#finished, text: this.session.text(), verdict: this.#verdict };
    }
    const fork = this.fork();
    const reason = this.ended ?? (answer === null ? 'agent-stopped' : 'answer');
    fork.end({ type: 'end', reason, answer });
    return { trajectory: fork.#finished as Trajectory, text: fork.session.text(), verdict: fork.#verdict };
  }
}
