import { isIP } from 'node:net';
import { UsageError } from '../../base/errors.ts';
import type { HostedSession, SessionHost } from '../../gateway/host/index.ts';
import { mcpDoor } from '../../gateway/mcp/index.ts';
import { childEnvironment, type RefusedHost, startProxy } from '../../gateway/proxy/index.ts';
import { startServer } from '../../gateway/serve.ts';
import { AnswerFile } from '../answer-file.ts';
import type { Command, ExitCode, Invocation } from '../command.ts';
import {
  diffCounts,
  type EndedEpisode,
  endEpisode,
  episodeLines,
  exitOfVerdict,
  trajectoryFile,
  verdictJson,
  verdictLines,
  writeTrajectory,
} from '../episode-end.ts';
import { type Caller, callerOf, fromCaller } from '../exec/caller.ts';
import { type ProgramEnd, ProgramNotStarted, runProgram } from '../exec/program.ts';
import { type TurnedAway, Watch } from '../exec/turned-away.ts';
import {
  manners,
  oneEpisode,
  SEED_OPTIONS,
  TARGET_OPTIONS,
  TIME_OPTIONS,
  tokensOf,
  VARIANT_OPTIONS,
} from '../hosting.ts';
import { countOption, listOption, textOption } from '../options.ts';
import { counted } from '../render/counted.ts';

export const command: Command = {
  summary: 'Run any unchanged program inside a simulated world, its hard-coded https:// hosts included.',
  args: [{ name: 'command', description: 'after --: the program and its own words', variadic: true }],
  options: [
    ...TARGET_OPTIONS,
    {
      name: 'allow',
      value: 'host',
      description: 'a host that is passed through to the network, such as that of a model',
      repeats: true,
    },
    ...TIME_OPTIONS,
    ...SEED_OPTIONS,
    ...VARIANT_OPTIONS,
    {
      name: 'out',
      value: 'file',
      description: 'where the trajectory goes (default: runs/exec/, a new file for each run)',
    },
    {
      name: 'answer-file',
      value: 'file',
      description: 'the program leaves its answer there (default: what it writes on stdout)',
    },
    { name: 'timeout', value: 'seconds', description: 'ends the program after so long (default: never)' },
  ],
  examples: [
    'exec --services helpdesk -- sh -c \'curl -s -H "Authorization: Bearer $HELPDESK_TOKEN" ' +
      "https://api.helpdesk.example/orders/88213'",
    'exec --scenario helpdesk/refund-88213 --allow api.openai.com -- python my_agent.py',
  ],
  keys: [
    'command',
    'exit (null where a signal ended it)',
    'trajectory',
    'steps',
    'refused [{host, count}]',
    'unauthenticated (requests without a valid token)',
    'afterEnd (requests once the episode was over)',
    'diff {inserts, updates, deletes}',
    'success (null without a scenario)',
    'score {value, report}',
    'void',
  ],
  exits:
    '0 the program ended well and, with a scenario, solved it · 1 it did not · 2 misuse · ' +
    '3 infrastructure: no such program, or interrupted · 4 void: the episode says nothing about the program',
  run: async (invocation) => {
    const { args, options, output } = invocation;
    if (args.length === 0) {
      throw new UsageError('no-program', 'give the program to run after --', {
        hint: 'exec … -- python my_agent.py',
      });
    }
    const caller = callerOf();
    const timeoutSeconds = countOption(options, 'timeout', 1);
    const { host, session } = await oneEpisode(options);
    const { environment } = session.episode;
    const out = textOption(options, 'out');
    const file = trajectoryFile(out && fromCaller(caller, out), 'runs/exec', environment.name);
    if (environment.user)
      output.note('The user of this scenario can be talked to over MCP alone: message_user.');
    const answerPath = textOption(options, 'answer-file');
    const answerFile = answerPath === undefined ? null : new AnswerFile(fromCaller(caller, answerPath));
    try {
      const ran = await runInside(invocation, { host, session, caller, timeoutSeconds });
      const { end } = ran;
      const answer = answerFile ? answerFile.read() : end.stdout.trim();
      const episode = await endEpisode(host, session, endingOf(end, answer, timeoutSeconds));
      writeTrajectory(file, episode.text);
      return report({ invocation, ...ran, episode, file });
    } catch (error) {
      if (!(error instanceof ProgramNotStarted)) throw error;
      output.note(`error: ${error.message}`);
      output.json({ error: { code: 'not-started', message: error.message } });
      return 3;
    }
  },
};

interface Ran {
  readonly end: ProgramEnd;
  readonly refused: readonly RefusedHost[];
  readonly watch: Watch;
}

/** What a program runs inside of. */
interface Surroundings {
  readonly host: SessionHost;
  readonly session: HostedSession;
  readonly caller: Caller;
  readonly timeoutSeconds: number | undefined;
}

/** Runs the program with a listener and a proxy of its own. */
async function runInside(
  { args, options, output }: Invocation,
  { host, session, caller, timeoutSeconds }: Surroundings,
): Promise<Ran> {
  const allow = allowedHosts(options);
  const watch = new Watch(session);
  const server = await startServer(host, {
    ...manners(options),
    doors: (_host, pacing) => [watch.door, mcpDoor(host, { pacing })],
  });
  try {
    const { environment, opening } = session.episode;
    const { services, task, policy } = environment;
    const proxy = await startProxy({
      target: server.url,
      hosts: services.flatMap(({ access }) => access.hosts),
      allow,
    });
    try {
      const tokens = tokensOf(session);
      const [token = ''] = Object.values(tokens.session);
      const groundhog = {
        GROUNDHOG_URL: server.url,
        GROUNDHOG_TOKEN: token,
        GROUNDHOG_TASK: task?.text ?? '',
        GROUNDHOG_POLICY: policy,
        GROUNDHOG_USER_MESSAGE: opening ?? '',
      };
      const end = await runProgram(args, {
        environment: childEnvironment({
          base: caller.environment,
          proxyUrl: proxy.url,
          authority: proxy.authority,
          tokens: { ...tokens.environment, ...groundhog },
        }),
        folder: caller.folder,
        tee: output.jsonMode ? process.stderr : process.stdout,
        ...(timeoutSeconds !== undefined && { timeoutMs: timeoutSeconds * 1000 }),
      });
      return { end, refused: proxy.refused(), watch };
    } finally {
      await proxy.close();
    }
  } finally {
    await server.close();
  }
}

/** @throws UsageError for what is no name of a host. */
function allowedHosts(options: Invocation['options']): readonly string[] {
  return listOption(options, 'allow').map((given) => {
    if (isIP(given) !== 0 || HOST_NAME.test(given)) return given.toLowerCase();
    const [, host = 'api.openai.com'] = /^(?:[a-z]+:\/\/)?([\w.-]+)/iu.exec(given) ?? [];
    throw new UsageError(
      'bad-option',
      `--allow takes a host alone, without scheme, port or path, not ${JSON.stringify(given)}`,
      { hint: `--allow ${host}` },
    );
  });
}

const HOST_NAME = /^[\w-]+(?:\.[\w-]+)*$/u;

/** The episode's end that the program's end is. */
function endingOf(
  end: ProgramEnd,
  answer: string | null,
  timeoutSeconds: number | undefined,
): Parameters<typeof endEpisode>[2] {
  if (end.timedOut) {
    const after = counted(timeoutSeconds ?? 0, 'second');
    return { reason: 'agent-timeout', answer: null, detail: `the program was ended after ${after}` };
  }
  if (end.interrupted)
    return { reason: 'agent-stopped', answer: null, detail: `interrupted by ${end.interrupted}` };
  if (end.exit !== 0) {
    const how = end.exit === null ? `was ended by ${end.signal}` : `exited with ${end.exit}`;
    return { reason: 'agent-crashed', answer: null, detail: `the program ${how}` };
  }
  return answer === null
    ? { reason: 'agent-stopped', answer, detail: 'the program left no answer' }
    : { reason: 'answer', answer };
}

function report({
  invocation: { args, output },
  end,
  refused,
  watch,
  episode,
  file,
}: Ran & {
  readonly invocation: Invocation;
  readonly episode: EndedEpisode;
  readonly file: string;
}): ExitCode {
  const { trajectory, verdict, changes } = episode;
  const turned = watch.counts(trajectory);
  if (end.stdout !== '' && !end.stdout.endsWith('\n')) output.line('');
  output.line('');
  for (const line of episodeLines(episode)) output.line(line);
  if (refused.length > 0) {
    const hosts = refused.map(({ host, count }) => `${host} (${counted(count, 'request')})`);
    output.line(`Refused, as not modelled here: ${hosts.join(', ')}`);
  }
  for (const line of turnedLines(turned)) output.line(line);
  const { detail } = trajectory.end ?? {};
  if (detail !== undefined) output.line(`End: ${detail}`);
  for (const line of verdictLines(verdict)) output.line(line);
  output.line(`Trajectory: ${file}`);
  output.json({
    command: [...args],
    exit: end.exit,
    trajectory: file,
    steps: trajectory.steps.length,
    refused: refused.map(({ host, count }) => ({ host, count })),
    ...turned,
    diff: diffCounts(changes),
    ...verdictJson(verdict),
  });
  if (end.interrupted) return 3;
  const exit = exitOfVerdict(verdict);
  return exit === 0 && end.exit !== 0 ? 1 : exit;
}

function turnedLines({ unauthenticated, afterEnd }: TurnedAway): string[] {
  return [
    ...(unauthenticated > 0
      ? [`Not let in: ${counted(unauthenticated, 'request')} without a valid token`]
      : []),
    ...(afterEnd > 0 ? [`Not answered: ${counted(afterEnd, 'request')}, as the episode was over`] : []),
  ];
}
