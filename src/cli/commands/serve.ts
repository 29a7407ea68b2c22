import { UsageError } from '../../base/errors.ts';
import {
  type HostedSession,
  type OpenRequest,
  SessionHost,
  type StateOptions,
} from '../../gateway/host/index.ts';
import { mcpDoor } from '../../gateway/mcp/index.ts';
import { openEnvDoor, type Shaping } from '../../gateway/openenv/index.ts';
import { type RunningServer, startServer } from '../../gateway/serve.ts';
import { Webhooks } from '../../gateway/webhooks/index.ts';
import { servedSource } from '../../runner/served.ts';
import type { Command, ExitCode, Invocation } from '../command.ts';
import { manners, scenarioOf, TARGET_OPTIONS, TIME_OPTIONS, targetOf, VARIANT_OPTIONS } from '../hosting.ts';
import { choiceOption, countOption, flagOption, listOption, textOption } from '../options.ts';
import { readyLines, readyOf } from '../ready.ts';
import { standingControlToken, standingSession } from '../standing.ts';

const PORT = '4747';
const SESSIONS_MOST = '100000';
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
    {
      name: 'state',
      value: 'dir',
      description: 'keeps sessions there: a server that is started again goes on with them, tokens and all',
    },
    {
      name: 'durability',
      value: 'how',
      description:
        'off, batch or strict: how safe a call is before it is answered (default: batch, with --state)',
    },
    { name: 'max-sessions', value: 'n', description: 'how many may be open at once', default: SESSIONS_MOST },
    ...VARIANT_OPTIONS,
    {
      name: 'seed',
      value: 'text',
      description: 'seeds the world streams, never the seed rows',
      default: '1',
    },
    {
      name: 'mcp-tables',
      description:
        'tables are MCP resources in sessions with a task too, where an agent could read around its tools',
    },
    {
      name: 'shaping',
      value: 'amounts',
      description: 'penalties of OpenEnv steps: refused=-0.1,invalid=-0.1,broken=-0.5 (default: none)',
    },
    {
      name: 'webhook',
      value: 'url',
      description: 'where on this machine the events of steps are sent, such as http://127.0.0.1:9000/hook',
      repeats: true,
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
    'mcp {url, token, credentials {ACTOR: token}}',
    'openenv {url}',
  ],
  exits: '0 stopped by SIGTERM or Ctrl-C · 2 misuse · 3 infrastructure, such as a port that is taken',
  run: async (invocation): Promise<ExitCode> => {
    const { options, output } = invocation;
    const address = addressOf(options);
    const state = stateOf(invocation);
    const hooks = webhooksOf(invocation);
    const source = await servedSource(targetOf(options));
    const stopped = untilStopped();
    const host = new SessionHost({
      source,
      sessionsMost: countOption(options, 'max-sessions', 1) ?? Number(SESSIONS_MOST),
      nowMs: Date.now,
      clock: choiceOption(options, 'clock', ['fixed', 'anchored']) ?? 'fixed',
      ...(state && { state }),
      ...(hooks && { onStep: (session: string, line: string) => hooks.step(session, line) }),
    });
    try {
      const session = standingSession(host, requestOf(host, options), (text) => output.note(text));
      await host.safe();
      const token = state && { controlToken: standingControlToken(state.directory) };
      const server = await start(host, invocation, { ...token, ...address });
      const ready = readyOf(server, session);
      for (const line of readyLines(ready, session, targetWords(options, session))) output.line(line);
      output.json({ ...ready } as never);
      await stopped;
      await server.close();
      await hooks?.close();
      return 0;
    } finally {
      await host.stop();
    }
  },
};

/** Where sessions are kept; undefined where they live in memory alone. */
function stateOf({ options, output }: Invocation): StateOptions | undefined {
  const directory = textOption(options, 'state');
  const durability = choiceOption(options, 'durability', ['off', 'batch', 'strict']);
  if (directory === undefined && (durability === undefined || durability === 'off')) return undefined;
  if (directory === undefined) {
    throw new UsageError('bad-option', `--durability ${durability} needs a folder to keep the sessions in`, {
      hint: '--state DIR',
    });
  }
  if (durability === 'off') {
    throw new UsageError('bad-option', '--durability off keeps sessions in memory alone: leave --state out');
  }
  return { directory, durability: durability ?? 'batch', note: (text) => output.note(text) };
}

/** @throws UsageError for a target on another machine. */
function webhooksOf({ options, output }: Invocation): Webhooks | undefined {
  const targets = listOption(options, 'webhook');
  if (targets.length === 0) return undefined;
  return new Webhooks({ targets, failed: (target, reason) => output.note(`webhook ${target}: ${reason}`) });
}

interface Address {
  readonly host: string;
  readonly port: number;
  readonly controlToken?: string;
}

/** @throws UsageError for a port that is none, and for an open address without a control token. */
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
      `a control token has at least ${CONTROL_TOKEN_CHARACTERS_LEAST} characters, lest it be guessed`,
    );
  }
  return { host, port, ...(controlToken !== undefined && { controlToken }) };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/u.test(host);
}

function requestOf(host: SessionHost, options: Invocation['options']): OpenRequest {
  const actors = listOption(options, 'actor').map((id) => ({ id }));
  return {
    ...host.source.defaults,
    seed: textOption(options, 'seed') ?? '1',
    ...(actors.length > 0 && { actors }),
  };
}

async function start(host: SessionHost, { options }: Invocation, address: Address): Promise<RunningServer> {
  const tables = flagOption(options, 'mcp-tables');
  const shaping = shapingOf(options);
  return await startServer(host, {
    ...address,
    ...manners(options),
    doors: (_host, pacing) => [
      mcpDoor(host, { tables, pacing }),
      openEnvDoor(host, { tables, pacing, ...(shaping && { shaping }) }),
    ],
    ...(flagOption(options, 'log') && {
      log: (line: object) => {
        process.stderr.write(`${JSON.stringify(line)}\n`);
      },
    }),
  });
}

const PENALTIES = ['refused', 'invalid', 'broken'] as const;

/** @throws UsageError for anything but known names with numbers of at most 0. */
function shapingOf(options: Invocation['options']): Shaping | undefined {
  const text = textOption(options, 'shaping');
  if (text === undefined) return undefined;
  return Object.fromEntries(
    text.split(',').map((part) => {
      const [given, amount = ''] = part.split('=');
      const name = PENALTIES.find((one) => one === given);
      const value = Number(amount);
      if (name && amount.trim() !== '' && value <= 0 && Number.isFinite(value)) return [name, value];
      throw new UsageError(
        'bad-option',
        `--shaping takes penalties of at most 0, not ${JSON.stringify(part)}`,
        {
          hint: `of ${PENALTIES.join(', ')}: --shaping refused=-0.1,broken=-0.5`,
        },
      );
    }),
  );
}

/** The words that name the session's environment again, from any folder: for a line to copy. */
function targetWords(options: Invocation['options'], { request }: HostedSession): string[] {
  const [given] = listOption(options, 'scenario');
  const variants = textOption(options, 'variants');
  const variantSeed = textOption(options, 'variant-seed') ?? '1';
  if (given === undefined || request.scenario === undefined) {
    return ['--services', (request.services ?? []).join(',')];
  }
  return [
    '--scenario',
    scenarioOf(given, request.scenario),
    ...(variants === undefined ? [] : ['--variants', variants, '--variant-seed', variantSeed]),
  ];
}

/** Resolves as someone asks us to stop. */
async function untilStopped(): Promise<void> {
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}
