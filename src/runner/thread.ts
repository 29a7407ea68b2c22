import { performance } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import { UsageError } from '../base/errors.ts';
import { AgentFailure } from './agent-failure.ts';
import { tooLate } from './agents/within-time.ts';
import type { AgentAction } from './types.ts';
import type { TrialOrder, TrialReport, WorkerMessage, WorkerStart } from './worker-protocol.ts';

const EXTENSION = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const WORKER = new URL(`./worker.${EXTENSION}`, import.meta.url);

/** Time beyond the script's own: a promise that is late is ended by the thread itself, with its steps. */
const GRACE_MS = 1_000;
const POLL_MS = 100;

/** What a thread works on. */
export interface Lane {
  readonly start: Omit<WorkerStart, 'turns' | 'width'>;
  readonly queue: TrialOrder[];
  readonly onReport: (report: TrialReport) => void;
  /** How long a script may keep the thread for one action; null where no script runs in it. */
  readonly actionTimeoutMs: number | null;
  /** How many trials it has in flight at a time. */
  readonly width: number;
}

/** A thread that ended before its work was done. */
export interface DeadThread {
  /** The trials in flight; none when it died before its first. */
  readonly orders: readonly TrialOrder[];
  readonly message: string;
  /** Set when one trial was in flight and its agent had the thread: then its end is the agent's doing. */
  readonly failure: AgentFailure | null;
  /** What the agent did in that trial. */
  readonly actions: readonly AgentAction[];
}

/** Feeds one thread; gives null when the queue is empty. */
export function runThread(lane: Lane): Promise<DeadThread | null> {
  return new Promise((resolve, reject) => new Thread(lane, { resolve, reject }));
}

interface Settle {
  resolve(dead: DeadThread | null): void;
  reject(error: unknown): void;
}

class Thread {
  readonly #lane: Lane;
  readonly #worker: Worker;
  readonly #settle: Settle;
  readonly #turns: Int32Array | null;
  #watchdog: NodeJS.Timeout | undefined;
  #orders: readonly TrialOrder[] = [];
  #actions: AgentAction[] = [];

  constructor(lane: Lane, settle: Settle) {
    this.#lane = lane;
    this.#settle = settle;
    this.#turns = lane.actionTimeoutMs === null ? null : new Int32Array(new SharedArrayBuffer(4));
    const workerData: WorkerStart = { ...lane.start, turns: this.#turns, width: lane.width };
    this.#worker = new Worker(WORKER, { workerData });
    this.#worker.on('message', (message: WorkerMessage) => {
      try {
        this.#hear(message);
      } catch (error) {
        this.#end(() => settle.reject(error));
      }
    });
    // What the thread had still said is heard between its error and its exit.
    let cause: string | null = null;
    this.#worker.on('error', (error: Error) => {
      cause = error.message;
    });
    this.#worker.on('exit', (code) => this.#die(cause ?? `exit code ${code}`));
    if (lane.actionTimeoutMs !== null) this.#watch(lane.actionTimeoutMs);
  }

  #hear(message: WorkerMessage): void {
    if (message.type === 'usage-error') {
      const { code, message: text, hint, place } = message;
      throw new UsageError(code, text, { ...(hint !== undefined && { hint }), ...(place && { place }) });
    }
    if (message.type === 'action') {
      this.#actions.push(message.action);
      return;
    }
    if (message.type === 'report') {
      const { scenario, trial } = message.report;
      this.#orders = this.#orders.filter((one) => one.scenario !== scenario || one.trial !== trial);
      this.#lane.onReport(message.report);
    }
    this.#actions = [];
    while (this.#orders.length < this.#lane.width) {
      const order = this.#lane.queue.shift();
      if (!order) break;
      this.#orders = [...this.#orders, order];
      this.#worker.postMessage(order);
    }
    if (this.#orders.length === 0) this.#end(() => this.#settle.resolve(null));
  }

  /** A script that never gives the thread back can only be ended from outside. */
  #watch(limitMs: number): void {
    let turn = 0;
    let sinceMs = 0;
    this.#watchdog = setInterval(() => {
      const now = performance.now();
      if (turn !== this.#turn) [turn, sinceMs] = [this.#turn, now];
      else if (this.#agentActs && now - sinceMs > limitMs + GRACE_MS) this.#cut(tooLate(limitMs));
    }, POLL_MS);
  }

  get #turn(): number {
    return this.#turns ? Atomics.load(this.#turns, 0) : 0;
  }

  /**
   * With one trial, counted up when the agent is asked and when it is done: odd while it has the thread. With
   * several, the count stands still only while one of them keeps the thread.
   */
  get #agentActs(): boolean {
    return this.#lane.width > 1 ? this.#orders.length > 0 : this.#turn % 2 === 1;
  }

  #die(message: string): void {
    if (this.#agentActs) {
      this.#cut(new AgentFailure('agent-crashed', `the script ended its thread: ${message}`));
      return;
    }
    const dead = { orders: this.#orders, message, failure: null, actions: [] };
    this.#end(() => this.#settle.resolve(dead));
  }

  #cut(failure: AgentFailure): void {
    const dead = { orders: this.#orders, message: failure.message, failure, actions: this.#actions };
    this.#end(() => this.#settle.resolve(dead));
  }

  #end(settle: () => void): void {
    clearInterval(this.#watchdog);
    this.#worker.removeAllListeners();
    this.#worker.on('error', () => undefined);
    void this.#worker.terminate().then(settle);
  }
}
