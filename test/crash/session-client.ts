import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Operation, Reply } from './session-operations.ts';

const SERVER = new URL('session-server.ts', import.meta.url).pathname;

/** A server process that will be killed, and what it acknowledged. */
export class SessionServer {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (reply: Reply | null) => void>();
  /** Resolves when the server takes requests, or is gone. */
  readonly ready: Promise<void>;
  /** Resolves, with the exit code, when it is gone and everything that it said has been read. */
  readonly gone: Promise<number | null>;
  #over = false;
  #next = 1;
  errors = '';

  constructor(directory: string, durability: 'batch' | 'strict' = 'strict') {
    this.#child = spawn(process.execPath, [SERVER, directory, durability], { stdio: 'pipe' });
    const { stdout, stderr, stdin } = this.#child;
    stdin?.on('error', () => undefined);
    stderr?.on('data', (text: Buffer) => {
      this.errors += text.toString();
    });
    const lines = createInterface({ input: stdout as NodeJS.ReadableStream });
    lines.on('line', (line) => this.#take(line));
    this.ready = new Promise((resolve) => {
      this.#waiting.set(0, () => resolve());
    });
    this.gone = new Promise((resolve) => {
      this.#child.once('close', (code) => {
        this.#over = true;
        for (const answer of this.#waiting.values()) answer(null);
        this.#waiting.clear();
        resolve(code);
      });
    });
  }

  /** The server's answer; null when it died before it gave one. */
  ask(operation: Operation): Promise<Reply | null> {
    if (this.#over) return Promise.resolve(null);
    const id = this.#next;
    this.#next += 1;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#child.stdin?.write(`${JSON.stringify({ id, operation })}\n`);
    });
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /** Lets it end by itself. */
  end(): void {
    this.#child.stdin?.end();
  }

  #take(line: string): void {
    let said: { id: number; reply: Reply };
    try {
      said = JSON.parse(line) as typeof said;
    } catch {
      // The kill cut its last answer short: it was never given.
      return;
    }
    const answer = this.#waiting.get(said.id);
    this.#waiting.delete(said.id);
    answer?.(said.reply);
  }
}
