import type { StepRecord, Trajectory } from '../trajectory/types.ts';
import { checkAnswer } from './answer.ts';
import { checkContract } from './contract.ts';
import { finalText } from './grounding.ts';
import { type Finding, finding, isCall } from './invariants.ts';
import { checkMilestones } from './milestones.ts';
import { netDiff } from './net-diff.ts';
import type { CallPattern, Grader, GraderResult, InvariantResult, ScoringInput, Witness } from './types.ts';

/**
 * The result of every grader. A grader with nothing to check is `skipped`; one that throws gets the verdict
 * `error`, which voids the trial: it is never counted as success, and never as the agent's failure.
 */
export function runGraders(input: ScoringInput, invariants: readonly InvariantResult[]): GraderResult[] {
  return input.graders.map((grader) => {
    try {
      return { kind: grader.kind, required: grader.required, ...grade(grader, input, invariants) };
    } catch (error) {
      const message = `grader ${grader.kind} could not run: ${(error as Error).message}`;
      return {
        kind: grader.kind,
        required: grader.required,
        verdict: 'error',
        witnesses: [{ steps: [], message }],
      };
    }
  });
}

const SKIPPED: Finding = { verdict: 'skipped', witnesses: [] };

function grade(grader: Grader, input: ScoringInput, invariants: readonly InvariantResult[]): Finding {
  const { trajectory, contract, shape, milestones } = input;
  switch (grader.kind) {
    case 'contract':
      return finding(checkContract(contract, netDiff(trajectory.steps), { shape }));
    case 'milestones':
      if (milestones.length === 0) return SKIPPED;
      return finding(checkMilestones(milestones, trajectory.steps, { shape, mask: contract.mask }));
    case 'invariants':
      return summed(invariants);
    case 'answer':
      return grader.check ? finding(checkAnswer(grader.check, textOf(grader, trajectory))) : SKIPPED;
    case 'reads':
      return grader.calls?.length ? finding(missingReads(grader.calls, trajectory.steps)) : SKIPPED;
    default:
      throw new RangeError(`unknown kind ${(grader as { kind: string }).kind}`);
  }
}

/** The text that an answer grader looks at; null when nothing was said. */
function textOf(grader: Grader, trajectory: Trajectory): string | null {
  const answer = finalText(trajectory);
  if (grader.in !== 'messages') return answer;
  const said = trajectory.messages.filter(({ role }) => role === 'agent').map(({ text }) => text);
  if (answer !== null && said.at(-1) !== answer) said.push(answer);
  return said.length === 0 ? null : said.join('\n\n');
}

/** One verdict for all invariants: the first of error, fail, not-run, pass, skipped that any of them has. */
function summed(invariants: readonly InvariantResult[]): Finding {
  const order = ['error', 'fail', 'not-run', 'pass'] as const;
  const verdict = order.find((one) => invariants.some((result) => result.verdict === one)) ?? 'skipped';
  const told = invariants.filter((result) => result.verdict === 'fail' || result.verdict === 'error');
  const witnesses = told.flatMap((result) =>
    result.witnesses.map((witness) => ({ ...witness, message: `${result.id}: ${witness.message}` })),
  );
  return { verdict, witnesses: finding(witnesses).witnesses };
}

function missingReads(calls: readonly CallPattern[], steps: readonly StepRecord[]): Witness[] {
  return calls
    .filter((pattern) => !steps.some((step) => isCall(step, pattern, undefined)))
    .map((pattern) => ({
      steps: [],
      message: `no successful call of ${pattern.tool}${pattern.where ? ' with the required arguments' : ''}`,
      expected: {
        tool: pattern.tool,
        ...(pattern.where ? { where: pattern.where } : {}),
      } as Witness['expected'] & {},
    }));
}
