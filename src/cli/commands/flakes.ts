import type { Json } from '../../base/json.ts';
import { comparedTrials, readArm } from '../../runner/compare/index.ts';
import { flakeReport } from '../../scoring/index.ts';
import type { Command } from '../command.ts';
import { counted } from '../render/counted.ts';
import { Footnotes, percent } from '../render/figures.ts';
import { layOut } from '../render/table.ts';

export const command: Command = {
  summary: 'List the scenarios of a run that are neither always nor never solved.',
  args: [{ name: 'run', description: 'a run folder with several trials per scenario' }],
  options: [],
  examples: ['flakes runs/mine', 'flakes runs/mine --json'],
  keys: ['always', 'never', 'single', 'flakes [{scenario, passed, of, rate}]'],
  exits: '0 listed · 2 misuse · 4 every scenario has one trial, which cannot show a flake',
  run: ({ args, output }) => {
    const report = flakeReport(comparedTrials(readArm(args[0] ?? '')));
    const { always, never, single, flakes } = report;
    const notes = new Footnotes();
    output.line(
      `Always solved ${always}, never ${never}, sometimes ${flakes.length}` +
        `${single > 0 ? `; ${counted(single, 'scenario')} with one trial say nothing` : ''}.`,
    );
    const rows = flakes.map(({ scenario, passed, of, rate }) => [
      `  ${scenario}`,
      `${passed}/${of}`,
      percent(rate, notes),
    ]);
    for (const line of [...layOut(rows), ...notes.lines()]) output.line(line);
    output.json(report as unknown as Json);
    return always + never + flakes.length === 0 ? 4 : 0;
  },
};
