import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { isJsonObject, type Json } from '../../base/json.ts';
import { assertProgram } from '../agents/program.ts';
import { readReply } from './reply.ts';
import { type Scorer, ScorerFailure, type ScorerReply, type ScorerRequest } from './types.ts';

/** Somebody who waits for the reply to one request. */
interface Waiting {
  take(line: string): void;
  fail(failure: ScorerFailure): void;
}

/**
 * A scorer that is a program: started once, a request a line on its standard input, a reply a line on its
 * standard output with the request's `id`. One that ended is started again for the next request.
 * @throws UsageError when there is no such program
 */
export function commandScorer(name: string, argv: readonly string[], timeoutMs: number): Scorer {
  assertProgram(argv[0] ?? '');
  let running: ScorerProgram | null = null;
  return {
    name,
    async score(request) {
      if (!running || running.hasEnded) running = new ScorerProgram(argv);
      return await running.ask(request, timeoutMs);
    },
    close() {
      running?.end();
    },
  };
}

/** Real milliseconds between asking a program to end and ending it. */
const END_GRACE_MS = 1_000;

class ScorerProgram {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #waiting = new Map<string, Waiting>();
  #lastWords = '';
  hasEnded = false;

  constructor(argv: readonly string[]) {
    const [program = '', ...rest] = argv;
    this.#child = spawn(program, rest, { stdio: ['pipe', 'pipe', 'pipe'] });
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.#take(line));
    createInterface({ input: this.#child.stderr }).on('line', (line) => {
      if (line.trim() !== '') this.#lastWords = line;
    });
    this.#child.on('error', (error) => this.#failAll(`it could not be started: ${error.message}`));
    this.#child.on('close', (code) => {
      const words = this.#lastWords === '' ? '' : `: ${this.#lastWords}`;
      this.#failAll(`the program ended with ${code ?? 'a signal'}${words}`);
    });
    // A program that is gone already is told of by `close`.
    this.#child.stdin.on('error', () => {});
  }

  ask(request: ScorerRequest, timeoutMs: number): Promise<ScorerReply> {
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(request.id);
      };
      const timer = setTimeout(() => {
        settle();
        reject(new ScorerFailure(`it gave no reply within ${timeoutMs / 1000} s`, true));
      }, timeoutMs);
      this.#waiting.set(request.id, {
        take: (line) => {
          settle();
          try {
            resolve(readReply(line));
          } catch (error) {
            reject(error);
          }
        },
        fail: (failure) => {
          settle();
          reject(failure);
        },
      });
      this.#child.stdin.write(`${JSON.stringify(request)}\n`);
    });
  }

  /** Asks it to end, and ends it where it does not: nobody waits for a scorer that stays. */
  end(): void {
    this.#child.stdin.end();
    this.#child.kill();
    const grace = setTimeout(() => this.#child.kill('SIGKILL'), END_GRACE_MS);
    this.#child.once('close', () => clearTimeout(grace));
    if (this.hasEnded) clearTimeout(grace);
  }

  /** A line that is no reply to anybody is the program's own talk, unless there is one who waits. */
  #take(line: string): void {
    const id = idOf(line);
    const waiting = id === null ? undefined : this.#waiting.get(id);
    const [only] = this.#waiting.size === 1 ? this.#waiting.values() : [];
    if (waiting) waiting.take(line);
    else if (id === null && line.trimStart().startsWith('{')) only?.take(line);
  }

  #failAll(reason: string): void {
    this.hasEnded = true;
    for (const waiting of [...this.#waiting.values()]) waiting.fail(new ScorerFailure(reason, true));
  }
}

function idOf(line: string): string | null {
  try {
    const value = JSON.parse(line) as Json;
    return isJsonObject(value) && typeof value.id === 'string' ? value.id : null;
  } catch {
    return null;
  }
}
