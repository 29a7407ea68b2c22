import { statSync } from 'node:fs';
import { UsageError } from '../../base/errors.ts';
import {
  type HostedSession,
  type OpenRequest,
  SessionHost,
  type StateOptions,
} from '../../gateway/host/index.ts';
import { answerProblem, type Door } from '../../gateway/http/index.ts';
import { mcpDoor } from '../../gateway/mcp/index.ts';
import { openEnvDoor, type Shaping } from '../../gateway/openenv/index.ts';
import { type RunningServer, startServer } from '../../gateway/serve.ts';
import { Webhooks } from '../../gateway/webhooks/index.ts';
import { servedSource } from '../../runner/served.ts';
import { type Address, addressOf, addressProblem, PORT } from '../address.ts';
import type { Command, ExitCode, Invocation } from '../command.ts';
import { manners, scenarioOf, TARGET_OPTIONS, TIME_OPTIONS, targetOf, VARIANT_OPTIONS } from '../hosting.ts';
import { untilStopped } from '../interruption.ts';
import { keptSessions } from '../kept.ts';
import { choiceOption, countOption, flagOption, listOption, textOption } from '../options.ts';
import { readyLines, readyOf } from '../ready.ts';
import { counted } from '../render/counted.ts';
import { standingControlToken, standingSession } from '../standing.ts';

const SESSIONS_MOST = '100000';
const DOORS = ['rest', 'mcp', 'openenv'] as const;

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
    {
      name: 'doors',
      value: 'names',
      description: 'which are open, by commas; over OpenEnv anyone may open episodes of what is served',
      default: DOORS.join(','),
    },
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
    'services (of an open REST) {NAME: {baseUrl, hosts, credentials {ACTOR: token}}}',
    'mcp (null when closed) {url, token, credentials {ACTOR: token}}',
    'openenv (null when closed) {url}',
  ],
  exits: '0 stopped by SIGTERM or Ctrl-C · 2 misuse (a port that is taken too) · 3 infrastructure',
  run: async (invocation): Promise<ExitCode> => {
    const { options, output } = invocation;
    const address = await addressOf(options);
    const doors = doorsOf(options);
    const actors = actorsOf(options);
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
      const kept = keptSessions(host);
      const request = requestOf(host, options, actors);
      const session = standingSession(host, request, (text) => output.note(text));
      await host.safe();
      const token = state && { controlToken: standingControlToken(state.directory) };
      const server = await start(host, invocation, { ...token, ...address, doors });
      const ready = readyOf(server, session, doors);
      const surroundings = {
        target: targetWords(options, session),
        served: listOption(options, 'scenario').join(', '),
        scenarios: host.source.choices.length,
        isPermissive: flagOption(options, 'permissive'),
        ...(state && { state: { directory: state.directory, ...kept } }),
      };
      for (const line of readyLines(ready, session, surroundings)) output.line(line);
      output.json({ ...ready } as never);
      await stopped;
      if (!state) for (const line of goneLines(host)) output.note(line);
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
  if (statSync(directory, { throwIfNoEntry: false })?.isFile()) {
    throw new UsageError('bad-folder', `${directory} is a file, and sessions are kept in a folder`, {
      hint: 'name a folder, or one that may be made: --state DIR',
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

/** What is lost with a server that keeps nothing; nothing to say where nothing was done. */
function goneLines(host: SessionHost): string[] {
  const { sessionsOpen, calls } = host.counters();
  const made = Object.values(calls).reduce((sum, count) => sum + count, 0);
  if (made === 0) return [];
  return [`${counted(sessionsOpen, 'session')}, ${counted(made, 'call')} are gone; --state DIR keeps them`];
}

type DoorChoice = (typeof DOORS)[number];

/** @throws UsageError for anything but known names, at least one of them. */
function doorsOf(options: Invocation['options']): ReadonlySet<DoorChoice> {
  const names = (textOption(options, 'doors') ?? DOORS.join(',')).split(',');
  return new Set(
    names.map((given) => {
      const door = DOORS.find((one) => one === given.trim());
      if (door) return door;
      throw new UsageError('bad-option', `--doors takes ${DOORS.join(', ')}, not ${JSON.stringify(given)}`, {
        hint: '--doors rest,mcp',
      });
    }),
  );
}

/** @throws UsageError for an actor without a name, and for one that is named twice. */
function actorsOf(options: Invocation['options']): readonly string[] {
  const names = listOption(options, 'actor');
  const hint = '--actor ann --actor ben';
  if (names.some((name) => name.trim() === '')) {
    throw new UsageError('bad-option', '--actor takes a name', { hint });
  }
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice === undefined) return names;
  throw new UsageError('id-taken', `the actor ${twice} is named twice`, { hint });
}

function requestOf(
  host: SessionHost,
  options: Invocation['options'],
  actors: readonly string[],
): OpenRequest {
  return {
    ...host.source.defaults,
    seed: textOption(options, 'seed') ?? '1',
    ...(actors.length > 0 && { actors: actors.map((id) => ({ id })) }),
  };
}

async function start(
  host: SessionHost,
  { options }: Invocation,
  { doors, ...address }: Address & { readonly doors: ReadonlySet<DoorChoice> },
): Promise<RunningServer> {
  const tables = flagOption(options, 'mcp-tables');
  const shaping = shapingOf(options);
  const starting = startServer(host, {
    ...address,
    ...manners(options),
    doors: (_host, pacing) => [
      ...(doors.has('mcp') ? [mcpDoor(host, { tables, pacing })] : []),
      ...(doors.has('openenv') ? [openEnvDoor(host, { tables, pacing, ...(shaping && { shaping }) })] : []),
      ...(doors.has('rest') ? [] : [closedDoor()]),
    ],
    ...(flagOption(options, 'log') && {
      log: (line: object) => {
        process.stderr.write(`${JSON.stringify(line)}\n`);
      },
    }),
  });
  try {
    return await starting;
  } catch (error) {
    throw addressProblem(error, address);
  }
}

/** Stands before REST, which takes all that no other door took. */
function closedDoor(): Door {
  return {
    name: 'closed',
    handle: ({ response, path }) => {
      answerProblem(response, 404, { code: 'door-closed', message: `nothing is served at ${path}` });
      return Promise.resolve();
    },
  };
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
