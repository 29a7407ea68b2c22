import { PEER_MATCHERS } from './matchers.ts';
import { PROMPTFOO_ASSERTIONS } from './promptfoo-trajectory.ts';

type Assertion = (typeof PROMPTFOO_ASSERTIONS)[number];

const PROMPTFOO: Readonly<Record<Assertion, { readonly passes: string; readonly misses: string }>> = {
  'trajectory:tool-used': {
    passes: 'every name or glob of the list was called; or a count from `min` (1) to `max`; `not-`: none was',
    misses: 'arguments: its count is per name, not per order, and takes in calls that failed',
  },
  'trajectory:tool-sequence': {
    passes: 'the names in this order, with others between (`in_order`), or these alone (`exact`)',
    misses: 'that each refund has its own policy check: one check at the start is enough for all',
  },
  'trajectory:tool-args-match': {
    passes: 'some call of the tool has these arguments, among others (`partial`) or alone (`exact`)',
    misses: 'all other calls of the tool, whatever their arguments, and whether the matching one failed',
  },
  'trajectory:step-count': {
    passes: 'from `min` to `max` steps of this type and name',
    misses: 'what the steps were; without a type it counts spans, which depend on the instrumentation',
  },
  'tool-call-f1': {
    passes: 'F1 of the sets of names is at least the threshold, 1 when left out',
    misses: 'arguments, repeats and order',
  },
};

const CHECKS = [
  {
    name: 'BFCL multi-turn',
    passes: 'after each turn the state is the gold one, and every gold result of the turn was had by then',
    misses: 'calls that change nothing, order within a turn, what was said, turns after the gold run ends',
  },
  {
    name: 'tau-bench reward',
    passes: 'the state in the end is the gold one, and each output stands in a message of the agent',
    misses: 'how it got there: a policy read too late, harm that was undone; 1 where the task asks nothing',
  },
];

/** The table of `docs/peers-metrics.md`. */
export function peersMarkdown(): string {
  const matchers = PEER_MATCHERS.map(({ name, compares, misses }) => `| ${name} | ${compares} | ${misses} |`);
  const assertions = PROMPTFOO_ASSERTIONS.map(
    (type) => `| promptfoo \`${type}\` | ${PROMPTFOO[type].passes} | ${PROMPTFOO[type].misses} |`,
  );
  const checks = CHECKS.map(({ name, passes, misses }) => `| ${name} | ${passes} | ${misses} |`);
  return [
    ['| Matcher | Compares | Misses |', '|---|---|---|', ...matchers].join('\n'),
    ['| Check | Passes when | Misses |', '|---|---|---|', ...assertions, ...checks].join('\n'),
  ].join('\n\n');
}
