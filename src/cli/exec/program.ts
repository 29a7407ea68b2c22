import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { UsageError } from '../../base/errors.ts';
import { signalGroup } from '../../runner/agents/living.ts';

/** How a program is run. */
export interface ProgramOptions {
  readonly environment: Readonly<Record<string, string>>;
  /** Its working folder. */
  readonly folder: string;
  /** Where its standard output goes too, as it comes. */
  readonly tee: NodeJS.WritableStream;
  /** Real milliseconds after which it is ended; never when left out. */
  readonly timeoutMs?: number;
}

/** How a program ended. */
export interface ProgramEnd {
  /** Its exit code; null when a signal ended it. */
  readonly exit: number | null;
  readonly signal: NodeJS.Signals | null;
  /** What it wrote on standard output, its last megabyte. */
  readonly stdout: string;
  readonly timedOut: boolean;
  /** The signal that we were sent and handed on; null when none was. */
  readonly interrupted: NodeJS.Signals | null;
}

/** A program that could not be started. */
export class ProgramNotStarted extends Error {
  override readonly name = 'ProgramNotStarted';
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Between asking a program to end and ending it. */
const KILL_AFTER_MS = 5_000;
const LOOK_EVERY_MS = 20;
/** What a program wrote is still read for so long after its end, where others hold its streams open. */
const DRAIN_MS = 250;
const STDOUT_BYTES_KEPT = 1024 * 1024;

/**
 * Runs a program with our own standard input and error, and waits for its end. Signals that we are sent go to
 * it and all that it started.
 * @throws ProgramNotStarted when there is no such program; UsageError when it may not be executed.
 */
export async function runProgram(argv: readonly string[], options: ProgramOptions): Promise<ProgramEnd> {
  const [program, ...words] = argv;
  if (program === undefined) {
    throw new UsageError('no-program', 'give the program to run after --', {
      hint: 'exec … -- python my_agent.py',
    });
  }
  // On a terminal it stays in our group, so that it may read from there and Ctrl-C reaches it by itself.
  const terminal = process.stdin.isTTY === true;
  const child = spawn(program, words, {
    env: options.environment,
    cwd: options.folder,
    stdio: ['inherit', 'pipe', 'inherit'],
    detached: !terminal,
  });
  const chunks = new Tail(STDOUT_BYTES_KEPT);
  child.stdout.on('data', (chunk: Buffer) => chunks.add(chunk));
  // Whoever reads along may have seen enough: the episode goes on to its end.
  options.tee.on('error', () => child.stdout.resume());
  child.stdout.pipe(options.tee, { end: false });
  const control = new Control((signal) => {
    if (child.pid === undefined) return;
    if (!terminal) signalGroup(child.pid, signal);
    else if (signal !== 'SIGINT') child.kill(signal);
  }, options.timeoutMs);
  try {
    const { exit, signal } = await ended(child, program);
    const isStopped = control.timedOut || control.interrupted !== null;
    if (isStopped && !terminal && child.pid !== undefined) await groupEnded(child.pid);
    return {
      exit,
      signal,
      stdout: chunks.text(),
      timedOut: control.timedOut,
      interrupted: control.interrupted,
    };
  } finally {
    // Others that the program left behind may hold its output open: that is no reason to stay.
    child.stdout.destroy();
    control.release();
  }
}

type Child = ReturnType<typeof spawn>;

async function ended(
  child: Child,
  program: string,
): Promise<{ readonly exit: number | null; readonly signal: NodeJS.Signals | null }> {
  return await new Promise((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EACCES') {
        const hint = `chmod +x ${program}, or name its interpreter before it`;
        reject(new UsageError('command', `the program ${program} is not executable`, { hint }));
        return;
      }
      const reason = error.code === 'ENOENT' ? 'there is no such program' : error.message;
      reject(new ProgramNotStarted(`${program} could not be started: ${reason}`));
    });
    child.once('exit', (exit, signal) => {
      const done = (): void => resolve({ exit, signal });
      const timer = setTimeout(done, DRAIN_MS);
      child.once('close', () => {
        clearTimeout(timer);
        done();
      });
    });
  });
}

/** Waits for all that a program started, which was told to end too, and ends what does not listen. */
async function groupEnded(pid: number): Promise<void> {
  const untilMs = performance.now() + KILL_AFTER_MS;
  while (isGroupThere(pid)) {
    if (performance.now() > untilMs) return signalGroup(pid, 'SIGKILL');
    await sleep(LOOK_EVERY_MS);
  }
}

function isGroupThere(pid: number): boolean {
  try {
    return process.kill(-pid, 0);
  } catch {
    return false;
  }
}

/** Hands signals on and watches the time, while a program runs. */
class Control {
  timedOut = false;
  interrupted: NodeJS.Signals | null = null;
  readonly #send: (signal: NodeJS.Signals) => void;
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #handlers = SIGNALS.map((signal) => [signal, () => this.#interrupt(signal)] as const);

  constructor(send: (signal: NodeJS.Signals) => void, timeoutMs: number | undefined) {
    this.#send = send;
    for (const [signal, handler] of this.#handlers) process.on(signal, handler);
    if (timeoutMs !== undefined) this.#timers.push(setTimeout(() => this.#expire(), timeoutMs));
  }

  release(): void {
    for (const [signal, handler] of this.#handlers) process.removeListener(signal, handler);
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #interrupt(signal: NodeJS.Signals): void {
    this.interrupted = signal;
    this.#send(signal);
  }

  #expire(): void {
    this.timedOut = true;
    this.#send('SIGTERM');
    this.#timers.push(setTimeout(() => this.#send('SIGKILL'), KILL_AFTER_MS));
  }
}

/** The last bytes of a stream. */
class Tail {
  readonly #most: number;
  #chunks: Buffer[] = [];
  #size = 0;

  constructor(most: number) {
    this.#most = most;
  }

  add(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#size > 2 * this.#most) this.#cut();
  }

  text(): string {
    this.#cut();
    return Buffer.concat(this.#chunks).toString('utf8');
  }

  #cut(): void {
    const kept = Buffer.concat(this.#chunks).subarray(-this.#most);
    this.#chunks = [kept];
    this.#size = kept.length;
  }
}
