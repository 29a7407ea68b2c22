import { setTimeout as sleep } from 'node:timers/promises';
import { LONGEST_WAIT_MS } from '../../session/index.ts';

/** How real time and virtual time of a door go together. */
export interface PacingOptions {
  readonly time?: 'fixed' | { readonly observed: true; readonly scale: number };
  readonly pace?: 'none' | 'real';
  /** Real milliseconds from any fixed moment; the process's own when left out. */
  readonly nowMs?: () => number;
}

/** Sessions whose last answer is remembered; the oldest is forgotten first. */
const REMEMBERED_MOST = 200_000;

/** Turns real waiting into virtual, and virtual latency into real. Part of no world: it only fills inputs. */
export class Pacing {
  readonly #scale: number;
  readonly #real: boolean;
  readonly #nowMs: () => number;
  /** The real moment of the last answer, by session. */
  readonly #answered = new Map<string, number>();
  readonly #closing = new AbortController();

  constructor({ time = 'fixed', pace = 'none', nowMs = () => performance.now() }: PacingOptions) {
    this.#scale = time === 'fixed' ? 0 : time.scale;
    this.#real = pace === 'real';
    this.#nowMs = nowMs;
  }

  /** Whether answers are held back: only then is it of interest how long a call took. */
  get isReal(): boolean {
    return this.#real;
  }

  /** Virtual milliseconds that passed since this session's last answer: its next call's `waitedMs`. */
  waitedMs(session: string): number {
    if (this.#scale === 0) return 0;
    const last = this.#answered.get(session);
    if (last === undefined) return 0;
    const nowMs = this.#nowMs();
    // Of calls at one time only the first has waited.
    this.#answered.set(session, nowMs);
    return Math.min(LONGEST_WAIT_MS, Math.max(0, Math.round((nowMs - last) * this.#scale)));
  }

  /** Remembers that an answer went out. */
  answered(session: string): void {
    if (this.#scale === 0) return;
    this.#answered.delete(session);
    this.#answered.set(session, this.#nowMs());
    if (this.#answered.size <= REMEMBERED_MOST) return;
    const [oldest] = this.#answered.keys();
    if (oldest !== undefined) this.#answered.delete(oldest);
  }

  /** Holds an answer back for the virtual time that its call took, where the door paces; else null. */
  hold(latencyMs: number): Promise<void> | null {
    if (!this.#real || latencyMs <= 0) return null;
    const { signal } = this.#closing;
    return sleep(latencyMs, undefined, { signal }).then(
      () => {},
      () => {},
    );
  }

  /** Holds back a part of an answer that comes in slowly, in real milliseconds. */
  pause(durationMs: number): Promise<void> {
    return this.hold(durationMs) ?? Promise.resolve();
  }

  /** Lets go of all that is held. */
  close(): void {
    this.#closing.abort();
  }
}
