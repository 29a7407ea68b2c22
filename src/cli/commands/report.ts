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
  ],
  examples: ['report runs/mine --blame', 'report runs/careful runs/hasty --out report.html'],
  keys: ['report', 'runs'],
  run: async ({ args, options, output }): Promise<ExitCode> => {
    // A run's folder has the report on that run alone.
    const usual = args.length === 1 ? `${args[0]}/report.html` : 'report.html';
    const blamers = flagOption(options, 'blame') ? await Promise.all(args.map(blamerOf)) : [];
    const file = writeReport(args, textOption(options, 'out') ?? usual, { blamers });
    output.line(`Report: ${file}`);
    output.json({ report: file, runs: [...args] });
    return 0;
  },
};
