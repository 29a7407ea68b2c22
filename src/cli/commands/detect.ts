import type { Json } from '../../base/json.ts';
import { detectFaults } from '../../runner/detect/index.ts';
import { TRACE_FORMATS } from '../../traces/index.ts';
import type { Command } from '../command.ts';
import { choiceOption, listOption } from '../options.ts';
import { detectionLines } from '../render/detection.ts';

export const command: Command = {
  summary: 'Find faulty steps by what the agent saw alone: no world, no model, no labels.',
  args: [{ name: 'traces', description: 'trajectories, traces, or folders of them', variadic: true }],
  options: [
    {
      name: 'learn',
      value: 'path',
      description: 'clean runs to learn from: a folder or file; finds more and alarms less',
      repeats: true,
    },
    {
      name: 'format',
      value: 'format',
      description: `${TRACE_FORMATS.join(', ')}; found out by content when left out`,
    },
  ],
  examples: ['detect runs/demo/hasty', 'detect runs/demo/hasty --learn runs/demo/careful --json'],
  keys: [
    'runs',
    'flaggedRuns',
    'flagged [{run, step, kind, rule, evidence}]',
    'learned {runs, mutedRules} | null',
  ],
  exits: '0 looked through, whatever was found · 2 misuse, or a file that is damaged or of no known format',
  run: ({ args, options, output }) => {
    const detection = detectFaults({
      paths: args,
      learn: listOption(options, 'learn'),
      format: choiceOption(options, 'format', TRACE_FORMATS),
    });
    for (const line of detectionLines(detection)) output.line(line);
    output.json(detection as unknown as Json);
    return 0;
  },
};
