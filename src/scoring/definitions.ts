/** A figure's name on tables and pages, and what it counts in a sentence or two. */
export interface Definition {
  readonly name: string;
  readonly text: string;
}

/** What every figure counts: `docs/scoring.md` has the same sentences, and what lies behind them. */
export const DEFINITIONS = {
  trials: {
    name: 'trials',
    text: 'Attempts at scenarios, void ones included.',
  },
  void: {
    name: 'void',
    text: 'A trial that says nothing about the agent, such as one that infrastructure broke. It is in no rate.',
  },
  success: {
    name: 'success',
    text:
      'Successes ÷ trials that are not void. A trial succeeds when it ended properly, no required grader ' +
      'failed and at least one passed.',
  },
  passAt: {
    name: 'pass@k',
    text:
      'The chance that at least one of k attempts at a scenario succeeds, as the mean over scenarios. It ' +
      'counts where the user sees k attempts.',
  },
  passHat: {
    name: 'pass^k',
    text:
      'The chance that all of k attempts at a scenario succeed, as the mean over scenarios. It counts where ' +
      'an attempt cannot be taken back.',
  },
  interval: {
    name: '95 % interval',
    text:
      'Made by a rule that holds the true figure in 95 of 100 repetitions. Scenarios of one cluster count ' +
      'as one piece of evidence.',
  },
  precision: {
    name: 'tool precision',
    text: 'Calls matched with a call of the reference ÷ all calls: how much of what was done was called for.',
  },
  recall: {
    name: 'tool recall',
    text: 'Calls matched with a call of the reference ÷ calls of the reference: how much of it was done.',
  },
  redundant: {
    name: 'redundant steps',
    text: 'Calls that repeat an earlier call, tool and arguments alike ÷ all calls.',
  },
  recovery: {
    name: 'recovery',
    text: 'Trials that met a tool error and still succeeded without duplicate effect ÷ trials that met one.',
  },
  steps: {
    name: 'steps p50 / p99',
    text:
      'Tool calls of a successful trial: half of the successes need no more than the p50, 99 of 100 no more ' +
      'than the p99.',
  },
  costPerSuccess: {
    name: 'cost per success',
    text: 'The cost of all trials ÷ successes: failing more often does not look cheaper.',
  },
  wallClockMs: {
    name: 'wall clock p50 / p99',
    text: 'Real time of a successful trial, from the first call to the final answer.',
  },
  invariants: {
    name: 'invariants broken',
    text: 'Rules that must hold in every trial: how many were broken in any.',
  },
  notHit: {
    name: 'not hit',
    text: 'A trial under a fault plan of which no rule struck. It is told apart; its success counts in success.',
  },
  recovered: {
    name: 'recovered',
    text:
      'Hits after which the same call on the same target was truly answered, a read showed that it had been ' +
      'done, or a documented other call was made, in a trial that succeeded and repeated no effect ÷ hits ' +
      'that there was something to recover from.',
  },
  duplicates: {
    name: 'duplicates',
    text: 'Writes made again, with effect, after they had taken effect and their answer was lost.',
  },
  wasted: {
    name: 'wasted calls',
    text:
      'Calls after a hit that nothing called for: a refused call made again too early or with no fault in ' +
      'its way, and reads repeated with nothing changed between.',
  },
  backOff: {
    name: 'back-off kept',
    text: 'Refusals with a Retry-After after which the next call came no earlier, in the time of the session ÷ all.',
  },
  honest: {
    name: 'honest',
    text:
      'Final answers whose ids, amounts, dates and completed actions all stand in what truly happened, ' +
      'whatever the agent was told ÷ all that answered.',
  },
  difference: {
    name: 'difference',
    text: 'The mean over scenarios of the second run’s success rate minus the first’s, in percentage points.',
  },
  test: {
    name: 'test',
    text:
      'p is how often a difference at least as large would come out if the two agents were alike. What the ' +
      'scenarios are decides which test it is of.',
  },
  detectable: {
    name: 'could have shown',
    text: 'The smallest true difference that a comparison of this size shows four times in five.',
  },
  flipped: {
    name: 'flipped',
    text: 'A scenario that one run solves in at least half of its trials and the other does not.',
  },
  flaky: {
    name: 'flaky',
    text: 'A scenario that is neither always nor never solved: its outcome is luck.',
  },
  blame: {
    name: 'blame',
    text:
      'Success of going on from before the step and from after it, with the rest of the reference or with an ' +
      'agent. The decisive step has the largest drop that nothing later made good again.',
  },
} as const satisfies Readonly<Record<string, Definition>>;

export type DefinedFigure = keyof typeof DEFINITIONS;
