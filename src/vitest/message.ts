import type { Witness } from '../scoring/index.ts';
import type { Trajectory } from '../trajectory/index.ts';

const MOST_WITNESSES = 5;

/** A headline, and under it what broke, at which step, by which call. */
export function failureText(head: string, witnesses: readonly Witness[], { steps }: Trajectory): string {
  const lines = witnesses.slice(0, MOST_WITNESSES).map(({ steps: [first], message }) => {
    const step = first === undefined ? undefined : steps[first];
    const place = step ? `step ${step.index} (${step.tool} ${JSON.stringify(step.input)}): ` : '';
    return `  ${place}${message}`;
  });
  const more = witnesses.length - lines.length;
  return [`${head}:`, ...lines, ...(more > 0 ? [`  and ${more} more`] : [])].join('\n');
}
