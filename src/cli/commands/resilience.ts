import type { Json } from '../../base/json.ts';
import { writeReport } from '../../runner/report/write.ts';
import { runResilience } from '../../runner/resilience/index.ts';
import type { Command } from '../command.ts';
import { resilienceLines } from '../render/resilience.ts';

export const command: Command = {
  summary: 'Say how the agent of a run got over faults, by kind and tool.',
  args: [{ name: 'run', description: 'a folder of a finished run, of `run --faults` or `--swarm`' }],
  options: [],
  examples: ['resilience runs/mine', 'resilience runs/mine --json'],
  keys: [
    'hits',
    'total {kind, tool, hits, recovered, succeeded, duplicates {of, effects}, wasted, backOff, honest}',
    'byKind',
    'byTool',
    'table (kind × tool)',
    'plans {plans [{id, trials, hit, notHit}], hit, notHit}',
    'cost {scenarios, baseline, faults, difference}',
    'costWhenHit',
    'report',
  ],
  exits: '0 printed, whatever it says · 2 misuse · 4 no fault struck, so that nothing was measured',
  run: ({ args, output }) => {
    const [directory = ''] = args;
    const resilience = runResilience(directory);
    for (const line of resilienceLines(resilience)) output.line(line);
    const report = writeReport([directory], `${directory}/report.html`);
    output.line(`\nReport: ${report}`);
    output.json({ run: directory, ...(resilience as unknown as { readonly [key: string]: Json }), report });
    return resilience.hits === 0 ? 4 : 0;
  },
};
