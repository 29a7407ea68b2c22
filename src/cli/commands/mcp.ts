import { serveMcpStdio } from '../../gateway/mcp/index.ts';
import type { Command, ExitCode } from '../command.ts';
import {
  diffCounts,
  endEpisode,
  exitOfVerdict,
  freeTrajectoryFile,
  verdictJson,
  verdictLines,
  writeTrajectory,
} from '../episode-end.ts';
import { oneEpisode, SEED_OPTIONS, TARGET_OPTIONS, VARIANT_OPTIONS } from '../hosting.ts';
import { flagOption, textOption } from '../options.ts';
import { counted } from '../render/counted.ts';

const FOR_PEOPLE =
  'An MCP client starts this and speaks on standard input: name it in its configuration. Ctrl-C ends it.';

export const command: Command = {
  summary: 'Serve one world to an MCP client on standard input and output.',
  args: [],
  options: [
    ...TARGET_OPTIONS,
    ...SEED_OPTIONS,
    ...VARIANT_OPTIONS,
    {
      name: 'out',
      value: 'file',
      description:
        'where the trajectory goes once the client has gone, numbered if it is there (default: nowhere)',
    },
    {
      name: 'mcp-tables',
      description: 'tables are resources with a task too, where an agent could read around its tools',
    },
  ],
  examples: [
    'mcp --services notes,helpdesk',
    'mcp --scenario helpdesk/refund-88213 --out runs/mine.traj.jsonl',
  ],
  keys: [
    'trajectory (null without --out)',
    'steps',
    'diff {inserts, updates, deletes}',
    'success (null without a scenario)',
    'score {value, report}',
    'void',
  ],
  exits: '0 the client has gone and, with a scenario, solved it · 1 it did not · 2 misuse · 4 void',
  run: async ({ options, output }): Promise<ExitCode> => {
    const { host, session } = await oneEpisode(options);
    const out = textOption(options, 'out');
    // Said before a client works for nothing; the name is taken at the end, as several may be at work.
    if (out !== undefined) freeTrajectoryFile(out);
    if (process.stdin.isTTY) output.note(FOR_PEOPLE);
    const server = await serveMcpStdio(host, session, { tables: flagOption(options, 'mcp-tables') });
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void server.close());
    await server.closed;
    // An agent that is done has said so with the tool `submit_answer`.
    const episode = await endEpisode(host, session, { answer: null, reason: 'agent-stopped' });
    const file = out === undefined ? null : freeTrajectoryFile(out);
    if (file !== null) writeTrajectory(file, episode.text);
    // Standard output is the protocol's.
    const { trajectory, verdict, changes } = episode;
    output.note(`${counted(trajectory.steps.length, 'step')}. ${verdictLines(verdict).join('\n')}`);
    if (file !== null) output.note(`Trajectory: ${file}`);
    output.json({
      trajectory: file,
      steps: trajectory.steps.length,
      diff: diffCounts(changes),
      ...verdictJson(verdict),
    });
    return exitOfVerdict(verdict);
  },
};
