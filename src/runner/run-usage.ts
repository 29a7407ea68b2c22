import type { RunFolder } from '../store/run-folder.ts';
import { readText } from '../store/text-files.ts';
import type { EndRecord, UsageRecord } from '../trajectory/index.ts';

/** What model agents have used; null for a figure that some trial does not know. */
export interface RunUsage {
  readonly turns: number;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly cachedInputTokens: number | null;
  readonly cost: number | null;
  /** Models that answered, as their providers name them. */
  readonly models: readonly string[];
  /** Settings that a provider did not take. */
  readonly ignored: readonly string[];
}

/** The usage of all trials of a run together; null where no model was asked. */
export function usageOf(folder: RunFolder): RunUsage | null {
  const each = folder.trials().flatMap(({ scenario, trial, trajectory }) => {
    if (trajectory === null) return [];
    // The end is the last line, and a record of the run was held to its hash when it was read.
    const last = readText(folder.trajectoryPath(scenario, trial)).trimEnd().split('\n').at(-1) ?? '{}';
    const { usage = {} } = JSON.parse(last) as Partial<EndRecord>;
    return [usage];
  });
  const asked = each.filter(({ turns }) => turns !== undefined);
  if (asked.length === 0) return null;
  const sum = (name: 'turns' | 'inputTokens' | 'outputTokens' | 'cachedInputTokens' | 'cost') =>
    total(asked, name);
  const models = asked.flatMap(({ model }) => model?.split(', ') ?? []);
  return {
    turns: sum('turns') ?? 0,
    inputTokens: sum('inputTokens'),
    outputTokens: sum('outputTokens'),
    cachedInputTokens: sum('cachedInputTokens'),
    cost: sum('cost'),
    models: [...new Set(models)].sort(),
    ignored: [...new Set(asked.flatMap(({ ignored = [] }) => ignored))].sort(),
  };
}

const COST_STEPS = 1e9;

function total(
  each: readonly UsageRecord[],
  name: Exclude<keyof UsageRecord, 'model' | 'ignored'>,
): number | null {
  // A trial that ended before its first reply has used nothing.
  const known = each.map((usage) => (usage.turns === 0 ? 0 : usage[name]));
  if (known.some((value) => value === undefined)) return null;
  const sum = known.reduce<number>((all, value) => all + (value ?? 0), 0);
  return Math.round(sum * COST_STEPS) / COST_STEPS;
}

/** Usage in words, such as `2 turns of tiny: 8029 tokens in, 21 out`; null where no model was asked. */
export function usageText(usage: Omit<UsageRecord, 'model'> | RunUsage, models: string): string | null {
  const { turns, inputTokens, outputTokens, cachedInputTokens, cost, ignored = [] } = usage;
  if (turns === undefined) return null;
  const cached = cachedInputTokens ? ` (${cachedInputTokens} cached)` : '';
  const parts = [
    `${inputTokens ?? 'unknown'} tokens in${cached}`,
    `${outputTokens ?? 'unknown'} out`,
    `cost ${cost ?? 'unknown'}`,
  ];
  if (ignored.length > 0) parts.push(`not taken by the provider: ${ignored.join(', ')}`);
  return `${turns} turn${turns === 1 ? '' : 's'}${models === '' ? '' : ` of ${models}`}: ${parts.join(', ')}`;
}
