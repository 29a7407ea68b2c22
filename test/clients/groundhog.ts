import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const ROOT = new URL('../..', import.meta.url).pathname;
export const BIN = `${ROOT}bin/groundhog.js`;
export const EXAMPLES = `${ROOT}examples/doors`;

/** The right calls of helpdesk/refund-88213, as its scenario has them, and their answer. */
export const REFUND = {
  scenario: 'helpdesk/refund-88213',
  email: {
    to: 'mira.alder@example.com',
    subject: 'Your refund for order 88213',
    body: 'We paid 240.00 back for one side table of order 88213.',
  },
  answer: 'I refunded 240.00 for one side table of order 88213 and confirmed it by e-mail.',
} as const;

export interface Called {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The last line of stdout, parsed. */
  readonly json: <T = Record<string, unknown>>() => T;
}

/** Runs a program to its end. */
export async function run(
  argv: readonly string[],
  { cwd, env }: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<Called> {
  const [program = '', ...words] = argv;
  const child = spawn(program, words, {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(cwd !== undefined && { cwd }),
    ...(env && { env }),
  });
  const written = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].on('data', (chunk: Buffer) => {
      written[stream] += chunk.toString('utf8');
    });
  }
  const [exit] = (await once(child, 'close')) as [number | null];
  return { exit, ...written, json: () => JSON.parse(written.stdout.trimEnd().split('\n').at(-1) ?? '') };
}

export async function groundhog(words: readonly string[], cwd?: string): Promise<Called> {
  return await run([process.execPath, BIN, ...words], cwd === undefined ? {} : { cwd });
}

/** What a server says once it is ready. */
export interface Ready {
  readonly ready: true;
  readonly session: string;
  readonly control: { readonly url: string; readonly token: string };
  readonly services: Readonly<
    Record<
      string,
      {
        readonly baseUrl: string;
        readonly hosts: readonly string[];
        readonly credentials: Record<string, string>;
      }
    >
  >;
  readonly mcp: { readonly url: string; readonly token: string };
  readonly openenv: { readonly url: string };
}

export interface Serving {
  readonly ready: Ready;
  /** Sends a signal, waits for the end, gives the exit code (null after a kill). */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts `groundhog serve` on a free port, or on the one given, and waits until it is ready. */
export async function serve(...words: readonly string[]): Promise<Serving> {
  const port = words.includes('--port') ? [] : ['--port', '0'];
  const child = spawn(process.execPath, [BIN, 'serve', ...words, ...port, '--json'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // A test that fails in between stops nothing.
  process.once('exit', () => child.kill('SIGKILL'));
  const ended = once(child, 'close') as Promise<[number | null]>;
  return {
    ready: await firstLine(child),
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal);
      return (await ended)[0];
    },
  };
}

async function firstLine(child: ChildProcess): Promise<Ready> {
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    errors += chunk.toString('utf8');
  });
  if (!child.stdout) throw new Error('the server has no standard output');
  for await (const line of createInterface({ input: child.stdout })) return JSON.parse(line) as Ready;
  throw new Error(`the server ended before it was ready: ${errors}`);
}
