import { blamerOf } from '../../runner/report/blamer.ts';
import { writeReport } from '../../runner/report/write.ts';
import type { Command, ExitCode } from '../command.ts';
import { flagOption, textOption } from '../options.ts';

export const command: Command = {
  summary: 'Write one self-contained HTML page about one or more finished runs.',
  args: [{ name: 'run', description: 'run folders; several are set side by side', variadic: true }],
  options: [
    {
      name: 'out',
      value: 'file',
      description: "where the page goes (default: report.html, in the run's folder or for several here)",
    },
    { name: 'blame', description: 'name the decisive step of every failed trial that is shown' },
    {
      name: 'data',
      value: 'dir',
      description: "with --blame: the user's own files, for worlds that were loaded from them",
    },
  ],
  examples: ['report runs/mine --blame', 'report runs/careful runs/hasty --out report.html'],
  keys: ['report', 'runs'],
  exits: '0 the page is written · 2 misuse, or a run that is not whole',
  run: async ({ args, options, output }): Promise<ExitCode> => {
    // A run's folder has the report on that run alone.
    const usual = args.length === 1 ? `${args[0]}/report.html` : 'report.html';
    const data = textOption(options, 'data');
    const blaming = flagOption(options, 'blame') ? args : [];
    const blamers = await Promise.all(blaming.map((directory) => blamerOf(directory, data)));
    const file = writeReport(args, textOption(options, 'out') ?? usual, { blamers });
    output.line(`Report: ${file}`);
    output.json({ report: file, runs: [...args] });
    return 0;
  },
};
