import { UsageError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { gateRuns, readGate } from '../../runner/gates/index.ts';
import type { Command, Invocation } from '../command.ts';
import { GATE_EXITS, GATE_OPTIONS, gateJson, sayGate } from '../gate-output.ts';
import { flagOption, textOption } from '../options.ts';

export const command: Command = {
  summary: 'Hold a finished run against a gate, which says whether it may be merged or promoted.',
  args: [{ name: 'run', description: 'the run folder of the candidate' }],
  options: [
    { name: 'gates', value: 'file', description: 'the gates file', default: 'gates.yaml' },
    { name: 'baseline', value: 'run', description: 'the run to compare with' },
    { name: 'stepwise', value: 'run', description: 'a step-wise run of the candidate' },
    { name: 'stepwise-baseline', value: 'run', description: 'a step-wise run of the baseline' },
    { name: 'intersect', description: 'leave out scenarios that are not the same world in both runs' },
    ...GATE_OPTIONS,
  ],
  examples: [
    'gate runs/branch --baseline runs/main --profile pre-merge',
    'gate runs/branch --baseline runs/main --profile pre-promotion --junit gate.xml --json',
  ],
  keys: [
    'run',
    'baseline',
    'profile',
    'verdict',
    'reasons [text]',
    'checks [{check, verdict, reason}]',
    'shown [text], what decides nothing',
    'comparison',
    'leftOut',
  ],
  exits: GATE_EXITS,
  run: (invocation) => {
    const { args, options, output } = invocation;
    const file = textOption(options, 'gates') ?? 'gates.yaml';
    const name = textOption(options, 'profile') ?? 'pre-merge';
    const report = gateRuns(
      { name, profile: readGate(file, name) },
      {
        candidate: args[0] ?? '',
        baseline: textOption(options, 'baseline'),
        stepwise: stepwiseRuns(options),
        intersect: flagOption(options, 'intersect'),
      },
    );
    const code = sayGate(report, file, invocation);
    output.json({
      run: report.candidate.run,
      baseline: report.baseline?.run ?? null,
      ...gateJson(report),
      leftOut: report.leftOut as unknown as Json,
      comparison: report.comparison as unknown as Json,
    });
    return code;
  },
};

function stepwiseRuns(options: Invocation['options']): { candidate: string; baseline: string } | undefined {
  const candidate = textOption(options, 'stepwise');
  const baseline = textOption(options, 'stepwise-baseline');
  if (candidate === undefined && baseline === undefined) return undefined;
  if (candidate !== undefined && baseline !== undefined) return { candidate, baseline };
  throw new UsageError('bad-option', '--stepwise and --stepwise-baseline go together', {
    hint: 'a step-wise run is compared with one of the baseline',
  });
}
