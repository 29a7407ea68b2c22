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
import { type ProgramEnd, ProgramNotStarted, runProgram } from '../exec/program.ts';
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
    'exec --services helpdesk -- curl -s https://api.helpdesk.example/orders/88213',
    'exec --scenario helpdesk/refund-88213 --allow api.openai.com -- python my_agent.py',
  ],
  keys: [
    'command',
    'exit (null where a signal ended it)',
    'trajectory',
    'steps',
    'refused [{host, count}]',
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
      throw new UsageError('no-program', 'name the program to run', { hint: 'exec … -- python my_agent.py' });
    }
    const { host, session } = await oneEpisode(options);
    const { environment } = session.episode;
    const file = trajectoryFile(textOption(options, 'out'), 'runs/exec', environment.name);
    if (environment.user)
      output.note('The user of this scenario can be talked to over MCP alone: message_user.');
    const answerPath = textOption(options, 'answer-file');
    const answerFile = answerPath === undefined ? null : new AnswerFile(answerPath);
    try {
      const { end, refused } = await runInside(invocation, host, session);
      const episode = await endEpisode(
        host,
        session,
        endingOf(end, answerFile ? answerFile.read() : end.stdout.trim()),
      );
      writeTrajectory(file, episode.text);
      return report({ invocation, end, refused, episode, file });
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
}

/** Runs the program with a listener and a proxy of its own. */
async function runInside(
  { args, options, output }: Invocation,
  host: SessionHost,
  session: HostedSession,
): Promise<Ran> {
  const timeoutSeconds = countOption(options, 'timeout', 1);
  const server = await startServer(host, {
    ...manners(options),
    doors: (_host, pacing) => [mcpDoor(host, { pacing })],
  });
  try {
    const { environment, opening } = session.episode;
    const { services, task, policy } = environment;
    const proxy = await startProxy({
      target: server.url,
      hosts: services.flatMap(({ access }) => access.hosts),
      allow: listOption(options, 'allow'),
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
          base: process.env,
          proxyUrl: proxy.url,
          authority: proxy.authority,
          tokens: { ...tokens.environment, ...groundhog },
        }),
        tee: output.jsonMode ? process.stderr : process.stdout,
        ...(timeoutSeconds !== undefined && { timeoutMs: timeoutSeconds * 1000 }),
      });
      return { end, refused: proxy.refused() };
    } finally {
      await proxy.close();
    }
  } finally {
    await server.close();
  }
}

/** The episode's end that the program's end is. */
function endingOf(end: ProgramEnd, answer: string | null): Parameters<typeof endEpisode>[2] {
  if (end.timedOut) return { reason: 'agent-timeout', answer: null, detail: 'the program ran out of time' };
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
  episode,
  file,
}: Ran & {
  readonly invocation: Invocation;
  readonly episode: EndedEpisode;
  readonly file: string;
}): ExitCode {
  const { trajectory, verdict, changes } = episode;
  output.line('');
  for (const line of episodeLines(episode)) output.line(line);
  if (refused.length > 0) {
    const hosts = refused.map(({ host, count }) => `${host} (${counted(count, 'request')})`);
    output.line(`Refused, as not modelled here: ${hosts.join(', ')}`);
  }
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
    diff: diffCounts(changes),
    ...verdictJson(verdict),
  });
  if (end.interrupted) return 3;
  const exit = exitOfVerdict(verdict);
  return exit === 0 && end.exit !== 0 ? 1 : exit;
}
