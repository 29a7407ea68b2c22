import { UsageError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { scoreTraces } from '../../runner/score-traces.ts';
import { TRACE_FORMATS } from '../../traces/index.ts';
import type { Command } from '../command.ts';
import { choiceOption, flagOption, textOption } from '../options.ts';
import { traceLines } from '../render/traces.ts';

export const command: Command = {
  summary: 'Score traces that you already have: metrics and invariants, no world needed.',
  args: [{ name: 'files', description: 'trace files: messages, spans, trajectories', variadic: true }],
  options: [
    { name: 'rules', value: 'file', description: 'invariants, a reference, assertions (YAML)' },
    {
      name: 'format',
      value: 'format',
      description: `${TRACE_FORMATS.join(', ')}; found out by content when left out`,
    },
    { name: 'peers', description: 'also what the matchers of other tools say, under their names' },
    { name: 'gold', value: 'file', description: 'a trajectory to compare states with (BFCL, tau-bench)' },
  ],
  examples: ['score traces/*.json --rules rules.yaml', 'score spans.jsonl --format otlp --json'],
  keys: [
    'runs [{file, run, format, end, answer, usage, calls, metrics, invariants, peers?}]',
    'metrics {name: …}',
    'invariants [{id, kind, broken, of, skipped, notRun, first}]',
    'losses [{file, run, kind, count, example}]',
  ],
  exits: '0 scored, whatever the score · 2 misuse, or a file that is damaged or of no known format',
  run: ({ args, options, output }) => {
    if (args.length === 0) {
      throw new UsageError('no-files', 'there is no file to score', { hint: 'groundhog score FILE…' });
    }
    const scored = scoreTraces({
      files: args,
      format: choiceOption(options, 'format', TRACE_FORMATS),
      rules: textOption(options, 'rules'),
      peers: flagOption(options, 'peers'),
      gold: textOption(options, 'gold'),
    });
    for (const line of traceLines(scored)) output.line(line);
    output.json(scored as unknown as Json);
    return 0;
  },
};
