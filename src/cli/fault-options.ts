import { UsageError } from '../base/errors.ts';
import type { NamedPlan } from '../faults/index.ts';
import type { LoadedBank } from '../runner/bank.ts';
import { expand, readPlans, swarmFor } from '../runner/faults/index.ts';
import type { Invocation } from './command.ts';
import { countOption, textOption } from './options.ts';

/** The options of `run` that put scenarios under fault plans. */
export const RUN_FAULT_OPTIONS = [
  {
    name: 'faults',
    value: 'file',
    description: 'fault plans: every scenario runs without and, once more, under each of them',
  },
  { name: 'swarm', value: 'n', description: 'so many fault plans drawn from a seed, besides' },
  { name: 'swarm-seed', value: 'text', description: 'with --swarm: draws the plans (default: 1)' },
] as const;

const SWARM_MOST = 10_000;

/**
 * The bank with what was asked for put under the fault plans that were asked for; as it is without any.
 * @throws UsageError for plans that cannot be had
 */
export function underFaults(bank: LoadedBank, options: Invocation['options']): LoadedBank {
  const file = textOption(options, 'faults');
  const count = countOption(options, 'swarm', 1);
  const seed = textOption(options, 'swarm-seed');
  if (seed !== undefined && count === undefined) {
    throw new UsageError('bad-option', '--swarm-seed goes with --swarm', { hint: 'such as --swarm 20' });
  }
  if (count !== undefined && count > SWARM_MOST) {
    throw new UsageError('bad-option', `--swarm takes at most ${SWARM_MOST} plans, not ${count}`, {
      hint: 'every scenario runs once under each of them',
    });
  }
  const read = file === undefined ? [] : readPlans(file, bank.chosen);
  const drawn = count === undefined ? [] : swarmFor(bank.chosen, { count, seed: seed ?? '1' });
  const plans: readonly NamedPlan[] = [...read, ...drawn];
  return plans.length === 0 ? bank : { ...bank, chosen: expand(bank.chosen, plans) };
}
