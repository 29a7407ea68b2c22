import { goThrough, ORCHARD, WAITS } from './orchard.ts';

/** The reference of the scenario `merge-what-is-green`. */
export function reference() {
  const merged = WAITS.flatMap((waits, index) => (waits === null ? [index + 1] : []));
  const calls = goThrough((pullNumber, waits) =>
    waits === null
      ? [{ tool: 'merge_pull_request', arguments: { ...ORCHARD, pullNumber, merge_method: 'squash' } }]
      : [],
  );
  return { calls, answer: `I merged ${merged.join(', ')}.` };
}
