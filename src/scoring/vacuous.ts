import { comparedColumns, tableRules } from './rules.ts';
import type { AnswerCheck, Contract, Grader, Invariant, Milestone, WorldShape } from './types.ts';

/** What makes a list of graders pass without the agent doing anything. */
export interface VacuousFinding {
  /** Position in the list of graders; null when the list as a whole is meant. */
  readonly grader: number | null;
  readonly message: string;
}

/** What the graders of a scenario look at. */
export interface GradedParts {
  readonly contract: Contract;
  readonly milestones: readonly Milestone[];
  readonly invariants: readonly Invariant[];
  /** Where given, expected changes that no contract compares (ambient, volatile, masked) demand nothing. */
  readonly shape?: WorldShape;
}

/**
 * Finds graders that have nothing to check, and a list that an agent passes by doing nothing and saying
 * nothing (or anything). The list is sound when at least one required grader demands an act: an expected
 * change, a milestone, a call that must succeed, words of the answer, or `min` in a cardinality rule. An
 * answer alone (`termination`) is no act.
 */
export function vacuousGraders(graders: readonly Grader[], parts: GradedParts): VacuousFinding[] {
  const findings: VacuousFinding[] = [];
  for (const [index, grader] of graders.entries()) {
    const message = grader.required ? emptiness(grader, parts) : null;
    if (message !== null) findings.push({ grader: index, message });
  }
  if (!graders.some((grader) => grader.required && demandsAct(grader, parts))) {
    const message = 'no required grader demands anything: an agent that does nothing passes';
    findings.push({ grader: null, message });
  }
  return findings;
}

/** True when a list passes for an agent that does nothing. */
export function isVacuousList(graders: readonly Grader[], parts: GradedParts): boolean {
  return vacuousGraders(graders, parts).some((finding) => finding.grader === null);
}

function emptiness(grader: Grader, parts: GradedParts): string | null {
  switch (grader.kind) {
    case 'contract':
      return null; // "nothing changes" is a test, if not a sufficient one
    case 'milestones':
      return parts.milestones.length === 0 ? 'a milestones grader without milestones' : null;
    case 'invariants':
      return parts.invariants.length === 0 ? 'an invariants grader without invariants' : null;
    case 'answer':
      return demandsWords(grader.check) || (grader.check?.excludes ?? []).length > 0
        ? null
        : 'an answer grader that any answer passes';
    case 'reads':
      return (grader.calls ?? []).length === 0 ? 'a reads grader without calls' : null;
  }
}

function demandsAct(grader: Grader, parts: GradedParts): boolean {
  switch (grader.kind) {
    case 'contract':
      return demandsChange(parts.contract.expect, parts);
    case 'milestones':
      return parts.milestones.some((milestone) => demandsChange(milestone.expect, parts));
    case 'invariants':
      return parts.invariants.some(
        (rule) => rule.kind === 'cardinality' && rule.each === undefined && (rule.min ?? 0) > 0,
      );
    case 'answer':
      return demandsWords(grader.check);
    case 'reads':
      return (grader.calls ?? []).length > 0;
  }
}

function demandsChange(expect: Contract['expect'], parts: GradedParts): boolean {
  const rulesOf = tableRules(parts.shape ?? {}, parts.contract.mask);
  return expect.some((change) => {
    const rules = rulesOf(change.table);
    if (rules.ambient) return false;
    return change.op !== 'update' || comparedColumns(change, rules).length > 0;
  });
}

function demandsWords(check: AnswerCheck | undefined): boolean {
  const { contains = [], anyOf = [], matches = [] } = check ?? {};
  const isWord = (text: string): boolean => text.trim() !== '';
  if (contains.some(isWord) || (anyOf.length > 0 && anyOf.every(isWord))) return true;
  return matches.some((pattern) => !matchesNothing(pattern));
}

function matchesNothing(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'iu').test('');
  } catch {
    return false;
  }
}
