import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { UsageError } from '../../base/errors.ts';
import { isJsonObject, type Json } from '../../base/json.ts';
import { AgentFailure } from '../execute.ts';
import type { Agent, AgentAction, AgentRun, AgentTask, HistoryEntry } from '../types.ts';

/** How long a program may take for one action, in real milliseconds, and how much it may write for one. */
export interface CommandLimits {
  readonly actionTimeoutMs: number;
  readonly lineBytesMax: number;
}

const LIMITS: CommandLimits = { actionTimeoutMs: 120_000, lineBytesMax: 4 * 1024 * 1024 };
const KILL_AFTER_MS = 2_000;
const ERROR_TAIL_BYTES = 2_000;

/**
 * Any program, in any language, as an agent: JSON lines on its standard input and output (`docs/agents.md`).
 * `{"type": "task", …}` goes out first; `call`, `calls`, `say` or `final` come in; `result`, `results` and
 * `user` go out. A program that hangs, floods, dies or talks nonsense is a recorded outcome of the trial.
 */
export function commandAgent(argv: readonly string[], limits: Partial<CommandLimits> = {}): Agent {
  if (argv.length === 0) {
    throw new UsageError('command', 'command: needs a program to run', {
      hint: 'command:"python my_agent.py"',
    });
  }
  return {
    name: 'command',
    config: { argv: [...argv] },
    start: (task) => new CommandRun(argv, task, { ...LIMITS, ...limits }),
  };
}

class CommandRun implements AgentRun {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #limits: CommandLimits;
  readonly #lines: string[] = [];
  #partial = '';
  #failure: AgentFailure | null = null;
  #errorTail = '';
  #wake: (() => void) | null = null;
  #told = 0;
  #lastId: Json = null;
  readonly #exited: Promise<void>;

  constructor(argv: readonly string[], task: AgentTask, limits: CommandLimits) {
    this.#limits = limits;
    const [program, ...rest] = argv;
    // A group of its own, so that what the program starts is killed with it.
    this.#child = spawn(program as string, rest, { stdio: ['pipe', 'pipe', 'pipe'], detached: true });
    this.#exited = new Promise((resolve) => {
      this.#child.once('close', () => resolve());
      this.#child.once('error', () => resolve());
    });
    this.#child.once('error', (error) =>
      this.#fail('agent-crashed', `the program cannot be started: ${error.message}`),
    );
    this.#child.once('close', (code, signal) => this.#fail('agent-crashed', this.#exitText(code, signal)));
    this.#child.stdin.on('error', () => undefined);
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => this.#hear(text));
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#errorTail = (this.#errorTail + text).slice(-ERROR_TAIL_BYTES);
    });
    this.#tell({ type: 'task', ...task } as unknown as Json);
  }

  async next(history: readonly HistoryEntry[]): Promise<AgentAction> {
    this.#report(history.slice(this.#told));
    this.#told = history.length;
    return this.#parse(await this.#line());
  }

  async close(): Promise<void> {
    this.#child.stdin.end();
    this.#kill('SIGTERM');
    const killer = setTimeout(() => this.#kill('SIGKILL'), KILL_AFTER_MS);
    await this.#exited;
    clearTimeout(killer);
    this.#kill('SIGKILL');
  }

  #report(entries: readonly HistoryEntry[]): void {
    const results = entries
      .filter((entry) => entry.type === 'call')
      .map((entry) => entry.result as unknown as Json);
    if (results.length === 1) this.#tell({ type: 'result', id: this.#lastId, ...(results[0] as object) });
    else if (results.length > 1) this.#tell({ type: 'results', id: this.#lastId, results });
    for (const entry of entries) if (entry.type === 'user') this.#tell({ type: 'user', text: entry.text });
  }

  #tell(message: Json): void {
    if (!this.#child.stdin.destroyed) this.#child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  #hear(text: string): void {
    this.#partial += text;
    const parts = this.#partial.split('\n');
    this.#partial = parts.pop() ?? '';
    this.#lines.push(...parts.filter((line) => line.trim() !== ''));
    const waiting = this.#lines.reduce((total, line) => total + line.length, this.#partial.length);
    if (waiting > this.#limits.lineBytesMax) {
      this.#fail('agent-protocol', `the program wrote more than ${this.#limits.lineBytesMax} bytes unasked`);
      this.#kill('SIGKILL');
    }
    this.#wake?.();
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
      return this.#lines.shift() as string;
    } finally {
      clearTimeout(timer);
      this.#wake = null;
    }
  }

  #silence(): void {
    this.#fail('agent-timeout', `the program gave no action within ${this.#limits.actionTimeoutMs} ms`);
    this.#kill('SIGKILL');
  }

  #parse(line: string): AgentAction {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      throw nonsense('a line that is not JSON', line);
    }
    if (!isJsonObject(value)) throw nonsense('a line that is no object', line);
    this.#lastId = value.id ?? null;
    if (value.type === 'call' && typeof value.tool === 'string') return { type: 'call', ...callOf(value) };
    if (value.type === 'calls' && Array.isArray(value.calls) && value.calls.every(isCall)) {
      return { type: 'calls', calls: value.calls.map(callOf) };
    }
    if (value.type === 'say' && typeof value.text === 'string') return { type: 'say', text: value.text };
    if (value.type === 'final' && typeof value.answer === 'string') {
      return {
        type: 'answer',
        text: value.answer,
        ...(isJsonObject(value.usage) && { usage: usageOf(value.usage) }),
      };
    }
    throw nonsense('a message of no known type', line);
  }

  #kill(signal: NodeJS.Signals): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      process.kill(-pid, signal);
    } catch {
      // The group is gone already.
    }
  }

  #exitText(code: number | null, signal: NodeJS.Signals | null): string {
    const how = signal ? `was ended by ${signal}` : `ended with exit code ${code}`;
    const tail = this.#errorTail.trim().split('\n').at(-1) ?? '';
    return `the program ${how} before its final answer${tail === '' ? '' : `: ${tail}`}`;
  }
}

function isCall(value: Json): boolean {
  return isJsonObject(value) && typeof value.tool === 'string';
}

/** Arguments that are a text are parsed, as model APIs give them; what does not parse is kept as it came. */
function callOf(value: Json): { tool: string; arguments?: Json; malformed?: string; waitMs?: number } {
  const call = value as { readonly tool: string; readonly arguments?: Json; readonly waitMs?: Json };
  const wait = typeof call.waitMs === 'number' && Number.isSafeInteger(call.waitMs) && call.waitMs > 0;
  const base = { tool: call.tool, ...(wait && { waitMs: call.waitMs as number }) };
  if (typeof call.arguments !== 'string') return { ...base, arguments: call.arguments ?? {} };
  try {
    return { ...base, arguments: JSON.parse(call.arguments) as Json };
  } catch {
    return { ...base, malformed: call.arguments };
  }
}

function usageOf(usage: { readonly [key: string]: Json | undefined }): Record<string, number> {
  const names = ['cost', 'inputTokens', 'outputTokens'];
  return Object.fromEntries(
    Object.entries(usage).filter(
      (entry): entry is [string, number] =>
        names.includes(entry[0]) &&
        typeof entry[1] === 'number' &&
        Number.isFinite(entry[1]) &&
        entry[1] >= 0,
    ),
  );
}

function nonsense(what: string, line: string): AgentFailure {
  return new AgentFailure('agent-protocol', `the program wrote ${what}: ${line.slice(0, 120)}`);
}
