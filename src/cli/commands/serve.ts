import { UsageError } from '../../base/errors.ts';
import { type HostedSession, SessionHost } from '../../gateway/host/index.ts';
import { type RunningServer, startServer } from '../../gateway/serve.ts';
import { servedSource } from '../../runner/served.ts';
import type { Command, ExitCode, Invocation } from '../command.ts';
import { manners, TARGET_OPTIONS, TIME_OPTIONS, targetOf, VARIANT_OPTIONS } from '../hosting.ts';
import { choiceOption, countOption, flagOption, listOption, textOption } from '../options.ts';
import { readyLines, readyOf } from '../ready.ts';

const PORT = '4747';
const SESSIONS_MOST = '10000';
/** A control token that someone else could guess opens every world. */
const CONTROL_TOKEN_CHARACTERS_LEAST = 16;

export const command: Command = {
  summary: 'Serve worlds over REST, MCP and OpenEnv, with a control plane beside them.',
  args: [],
  options: [
    ...TARGET_OPTIONS,
    { name: 'port', value: 'n', description: 'where to listen; 0 takes a free one', default: PORT },
    {
      name: 'host',
      value: 'address',
      description: 'which address to listen on; any but loopback needs a control token',
      default: '127.0.0.1',
    },
    {
      name: 'control-token',
      value: 'token',
      description: 'opens the control plane (default: GROUNDHOG_CONTROL_TOKEN, or one that is drawn)',
    },
    {
      name: 'clock',
      value: 'how',
      description: 'fixed, or anchored: worlds start at the wall clock',
      default: 'fixed',
    },
    ...TIME_OPTIONS,
    {
      name: 'actor',
      value: 'name',
      description: 'who acts in the session, each with own tokens',
      repeats: true,
    },
    { name: 'max-sessions', value: 'n', description: 'how many may be open at once', default: SESSIONS_MOST },
    ...VARIANT_OPTIONS,
    {
      name: 'seed',
      value: 'text',
      description: 'seeds the world streams, never the seed rows',
      default: '1',
    },
    { name: 'log', description: 'one JSON line per request on stderr, secrets masked' },
  ],
  examples: [
    'serve --scenario helpdesk/refund-88213',
    'serve --services notes,helpdesk --actor ann --actor ben --port 0 --json',
  ],
  keys: [
    'ready',
    'session',
    'environment',
    'control {url, token}',
    'services {NAME: {baseUrl, hosts, credentials {ACTOR: token}}}',
    'mcp {url, token}',
    'openenv {url}',
  ],
  exits: '0 stopped by SIGTERM or Ctrl-C · 2 misuse · 3 infrastructure, such as a port that is taken',
  run: async (invocation): Promise<ExitCode> => {
    const { options, output } = invocation;
    const address = addressOf(options);
    const target = targetOf(options);
    const host = new SessionHost({
      source: await servedSource(target),
      sessionsMost: countOption(options, 'max-sessions', 1) ?? Number(SESSIONS_MOST),
      nowMs: Date.now,
      clock: choiceOption(options, 'clock', ['fixed', 'anchored']) ?? 'fixed',
    });
    const stopped = untilStopped();
    const session = openDefault(host, options);
    const server = await start(host, invocation, address);
    const ready = readyOf(server, session);
    const named = targetWords(options);
    for (const line of readyLines(ready, session, named)) output.line(line);
    output.json({ ...ready } as never);
    await stopped;
    await server.close();
    return 0;
  },
};

interface Address {
  readonly host: string;
  readonly port: number;
  readonly controlToken?: string;
}

/** @throws UsageError for a port that is none, and for an open address without a token of the caller's own. */
function addressOf(options: Invocation['options']): Address {
  const port = countOption(options, 'port', 0) ?? Number(PORT);
  if (port > 65_535) throw new UsageError('bad-option', `--port takes a port, not ${port}`);
  const host = textOption(options, 'host') ?? '127.0.0.1';
  const controlToken = textOption(options, 'control-token') ?? process.env.GROUNDHOG_CONTROL_TOKEN;
  if (controlToken === undefined && !isLoopback(host)) {
    throw new UsageError(
      'open-address',
      `${host} can be reached from other machines: it needs a control token`,
      {
        hint: '--control-token TOKEN, or GROUNDHOG_CONTROL_TOKEN in the environment',
      },
    );
  }
  if (controlToken !== undefined && controlToken.length < CONTROL_TOKEN_CHARACTERS_LEAST) {
    throw new UsageError(
      'weak-token',
      `a control token takes at least ${CONTROL_TOKEN_CHARACTERS_LEAST} characters, so that nobody guesses it`,
    );
  }
  return { host, port, ...(controlToken !== undefined && { controlToken }) };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/u.test(host);
}

function openDefault(host: SessionHost, options: Invocation['options']): HostedSession {
  const actors = listOption(options, 'actor').map((id) => ({ id }));
  return host.open({
    ...host.source.defaults,
    seed: textOption(options, 'seed') ?? '1',
    ...(actors.length > 0 && { actors }),
  });
}

async function start(host: SessionHost, { options }: Invocation, address: Address): Promise<RunningServer> {
  return await startServer(host, {
    ...address,
    ...manners(options),
    ...(flagOption(options, 'log') && {
      log: (line: object) => {
        process.stderr.write(`${JSON.stringify(line)}\n`);
      },
    }),
  });
}

/** The words that name the target again, for a line to copy. */
function targetWords(options: Invocation['options']): string[] {
  const scenarios = listOption(options, 'scenario').flatMap((one) => ['--scenario', one]);
  const services = textOption(options, 'services');
  return services === undefined ? scenarios : [...scenarios, '--services', services];
}

/** Resolves as someone asks us to stop. */
async function untilStopped(): Promise<void> {
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}
