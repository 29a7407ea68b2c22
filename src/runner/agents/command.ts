import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { UsageError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { AgentFailure } from '../agent-failure.ts';
import type { Agent, AgentAction, AgentRun, AgentTask, HistoryEntry } from '../types.ts';
import { forgetGroup, signalGroup, trackGroup } from './living.ts';
import { assertProgram, nameOfCommand, programFiles } from './program.ts';
import { parseMessage } from './protocol.ts';
import { ACTION_TIMEOUT_MS } from './within-time.ts';

/** How long a program may take for one action, in real milliseconds, and how much it may write for one. */
export interface CommandLimits {
  readonly actionTimeoutMs: number;
  readonly lineBytesMax: number;
}

const LIMITS: CommandLimits = { actionTimeoutMs: ACTION_TIMEOUT_MS, lineBytesMax: 4 * 1024 * 1024 };
/** A program that is done may end by itself for so long; then it is asked to, then killed. */
const GRACE_MS = 500;
const KILL_AFTER_MS = 2_000;
/** What a program wrote before it ended is still read for so long, where others hold its streams open. */
const DRAIN_MS = 250;
const ERROR_TAIL_BYTES = 2_000;

/**
 * Any program, in any language, as an agent: JSON lines on its standard input and output (`docs/agents.md`).
 * `{"type": "task", …}` goes out first; `call`, `calls`, `say` or `final` come in; `result`, `results`,
 * `user` and `error` go out. A program that hangs, floods, dies or talks nonsense is a recorded outcome of
 * the trial.
 * @throws UsageError when there is no such program, or it is no executable file
 */
export function commandAgent(argv: readonly string[], limits: Partial<CommandLimits> = {}): Agent {
  const [program] = argv;
  if (program === undefined) {
    throw new UsageError('command', 'command: needs a program to run', {
      hint: 'command:"python my_agent.py"',
    });
  }
  assertProgram(program);
  const all = { ...LIMITS, ...limits };
  const files = programFiles(argv);
  return {
    name: nameOfCommand(argv),
    config: {
      argv: [...argv],
      actionTimeoutMs: all.actionTimeoutMs,
      ...(Object.keys(files).length > 0 && { files }),
    },
    start: (task) => new CommandRun(argv, task, all),
  };
}

class CommandRun implements AgentRun {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #limits: CommandLimits;
  readonly #lines: string[] = [];
  #partial = '';
  /** Characters in `#lines` and `#partial`. */
  #waiting = 0;
  #failure: AgentFailure | null = null;
  #errorTail = '';
  #wake: (() => void) | null = null;
  #told = 0;
  #lastId: Json = null;
  /** The task, until it is told: with the first action that is asked for. */
  #task: AgentTask | null;
  readonly #exited: Promise<void>;

  constructor(argv: readonly string[], task: AgentTask, limits: CommandLimits) {
    this.#limits = limits;
    const [program, ...rest] = argv;
    // A group of its own, so that what the program starts is killed with it.
    this.#child = spawn(program as string, rest, { stdio: ['pipe', 'pipe', 'pipe'], detached: true });
    if (this.#child.pid !== undefined) trackGroup(this.#child.pid);
    this.#exited = new Promise((resolve) => this.#watchExit(resolve));
    this.#child.stdin.on('error', () => undefined);
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => this.#hear(text));
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#errorTail = (this.#errorTail + text).slice(-ERROR_TAIL_BYTES);
    });
    this.#task = task;
  }

  /**
   * The end of the program: its streams are read out, unless something that it left behind holds them open.
   */
  #watchExit(resolve: () => void): void {
    const child = this.#child;
    const over = (reason: string): void => {
      this.#fail('agent-crashed', reason);
      resolve();
    };
    child.once('error', (error) => over(`the program cannot be started: ${error.message}`));
    child.once('close', (code, signal) => over(this.#exitText(code, signal)));
    child.once('exit', (code, signal) => {
      const drained = setTimeout(() => {
        over(this.#exitText(code, signal));
        child.stdout.destroy();
        child.stderr.destroy();
      }, DRAIN_MS);
      child.once('close', () => clearTimeout(drained));
    });
  }

  async next(history: readonly HistoryEntry[]): Promise<AgentAction> {
    this.#report(history.slice(this.#told));
    this.#told = history.length;
    const line = await this.#line();
    try {
      const { action, id } = parseMessage(line);
      this.#lastId = id;
      return action;
    } catch (error) {
      // What talks nonsense has no farewell to be waited for.
      if (error instanceof AgentFailure) this.#failure ??= error;
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#child.stdin.end();
    const timers = [
      setTimeout(() => this.#kill('SIGTERM'), this.#failure ? 0 : GRACE_MS),
      setTimeout(() => this.#kill('SIGKILL'), KILL_AFTER_MS),
    ];
    await this.#exited;
    for (const timer of timers) clearTimeout(timer);
    // Whatever the program started and left behind.
    this.#kill('SIGKILL');
    if (this.#child.pid !== undefined) forgetGroup(this.#child.pid);
  }

  #report(entries: readonly HistoryEntry[]): void {
    const made = entries.filter((entry) => entry.type === 'call');
    const results = made.map((entry) => entry.result as unknown as Json);
    // Step by step, a program is put into the middle of work that it has not done itself.
    if (this.#task) this.#introduce(this.#task, made as unknown as readonly Json[]);
    else if (results.length === 1)
      this.#tell({ type: 'result', id: this.#lastId, ...(results[0] as object) });
    else if (results.length > 1) this.#tell({ type: 'results', id: this.#lastId, results });
    const heard = entries.filter((entry) => entry.type === 'user');
    for (const { text } of heard) this.#tell({ type: 'user', text });
    // A program that waits for an answer must be told that none will come.
    if (heard.length === 0 && entries.some((entry) => entry.type === 'say')) {
      this.#tell({ type: 'error', message: 'nobody is listening: this scenario has no user' });
    }
  }

  #introduce(task: AgentTask, history: readonly Json[]): void {
    this.#task = null;
    this.#tell({ type: 'task', ...task, ...(history.length > 0 && { history }) } as unknown as Json);
  }

  #tell(message: Json): void {
    if (!this.#child.stdin.destroyed) this.#child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  #hear(text: string): void {
    if (this.#failure) return;
    this.#waiting += text.length;
    if (text.includes('\n')) this.#takeLines(this.#partial + text);
    else this.#partial += text;
    if (this.#waiting > this.#limits.lineBytesMax) {
      this.#fail('agent-protocol', `the program wrote more than ${this.#limits.lineBytesMax} bytes unasked`);
      this.#kill('SIGKILL');
    }
    this.#wake?.();
  }

  #takeLines(text: string): void {
    const parts = text.split('\n');
    this.#partial = parts.pop() ?? '';
    for (const line of parts) {
      if (line.trim() === '') this.#waiting -= line.length + 1;
      else this.#lines.push(line);
    }
  }

  #fail(reason: AgentFailure['reason'], message: string): void {
    this.#failure ??= new AgentFailure(reason, message);
    this.#wake?.();
  }

  /** The next line the program writes. @throws AgentFailure when it ends, floods or stays silent. */
  async #line(): Promise<string> {
    let timer: NodeJS.Timeout | undefined;
    try {
      while (this.#lines.length === 0) {
        if (this.#failure) throw this.#failure;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
          timer ??= setTimeout(() => this.#silence(), this.#limits.actionTimeoutMs);
        });
      }
      if (this.#failure?.reason === 'agent-protocol') throw this.#failure;
      const line = this.#lines.shift() as string;
      this.#waiting -= line.length + 1;
      return line;
    } finally {
      clearTimeout(timer);
      this.#wake = null;
    }
  }

  #silence(): void {
    this.#fail('agent-timeout', `the program gave no action within ${this.#limits.actionTimeoutMs} ms`);
    this.#kill('SIGKILL');
  }

  #kill(signal: NodeJS.Signals): void {
    const { pid } = this.#child;
    if (pid !== undefined) signalGroup(pid, signal);
  }

  #exitText(code: number | null, signal: NodeJS.Signals | null): string {
    const how = signal ? `was ended by ${signal}` : `ended with exit code ${code}`;
    const tail = this.#errorTail.trim().split('\n').at(-1) ?? '';
    return `the program ${how} before its final answer${tail === '' ? '' : `: ${tail}`}`;
  }
}
