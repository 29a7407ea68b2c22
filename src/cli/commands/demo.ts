import { join } from 'node:path';
import type { Json } from '../../base/json.ts';
import { loadBank } from '../../runner/bank.ts';
import { blamerOf } from '../../runner/report/blamer.ts';
import { writeReport } from '../../runner/report/write.ts';
import { type FinishedRun, runBank } from '../../runner/run.ts';
import { WorldCache } from '../../runner/worlds.ts';
import type { Command, ExitCode } from '../command.ts';
import { commandLine } from '../command-line.ts';
import { textOption } from '../options.ts';
import { firstFailures, runTable } from '../render/run-table.ts';
import { runJson } from '../run-json.ts';

const AGENTS = ['careful', 'flaky', 'hasty'];
const TRIALS = 4;

export const command: Command = {
  summary: 'Run three bundled agents over the helpdesk bank and compare them: table, first failures, report.',
  args: [],
  options: [
    { name: 'out', value: 'dir', description: 'where the runs and the report go', default: 'runs/demo' },
  ],
  examples: ['demo', 'demo --json'],
  keys: ['report', 'runs [as of run]'],
  exits: '0 once it completes · 2 misuse · 3 infrastructure',
  run: async ({ options, output }): Promise<ExitCode> => {
    const directory = textOption(options, 'out') ?? 'runs/demo';
    const bank = await loadBank(['helpdesk'], new WorldCache());
    output.line(
      `${bank.chosen.length} scenarios of the bank ${bank.name}, ${TRIALS} trials each, ${AGENTS.length} agents.\n`,
    );
    const runs: FinishedRun[] = [];
    for (const agent of AGENTS) {
      runs.push(
        await runBank({
          bank,
          agent,
          seed: 'demo',
          k: TRIALS,
          engine: 'threads',
          out: join(directory, agent),
          fresh: true,
          onProgress: ({ done, of }) => output.progress(`${agent}: ${done}/${of} trials`, done === of),
        }),
      );
    }
    const named = runs.map(({ folder: { config }, summary }) => ({
      name: config.agent.name,
      summary,
      scenarios: config.scenarios,
    }));
    for (const line of runTable(named)) output.line(line);
    for (const { name, summary } of named) {
      const failures = firstFailures(summary, 4);
      output.line(`\nWhat broke first, ${name}:`);
      for (const line of failures.length > 0 ? failures : ['nothing']) output.line(`  ${line}`);
    }
    const folders = runs.map(({ folder }) => folder.directory);
    const blamers = await Promise.all(folders.map((directory) => blamerOf(directory)));
    const report = writeReport(folders, join(directory, 'report.html'), { blamers });
    const failed = named.at(-1)?.summary.failures[0];
    output.line(`\nReport: ${report} (opens from disk)`);
    if (failed) {
      const words = `show ${folders.at(-1)} ${failed.scenario} --trial ${failed.trial}`;
      output.line(`One failed trial, step by step: ${commandLine(words)}`);
    }
    output.json({ report, runs: runs.map(runJson) as unknown as Json });
    return 0;
  },
};
