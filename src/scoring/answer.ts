import type { AnswerCheck, Witness } from './types.ts';

const NUMBER = /^-?\d+(?:\.\d+)?$/;

/**
 * A text as answer checks compare it: lower-cased, white-space runs as one space, thousands commas dropped
 * (`1,240` → `1240`), zeros at the end of a decimal dropped (`1240.00` → `1240`). Texts with several points,
 * such as version numbers, keep their zeros.
 */
export function foldAnswer(text: string): string {
  return text
    .toLowerCase()
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(/(?<![\d.,])\d{1,3}(?:,\d{3})+(?!,?\d)/g, (grouped) => grouped.replaceAll(',', ''))
    .replace(/(?<![\d.])(\d+)\.(\d+)(?!\.?\d)/g, (_, whole: string, part: string) => {
      const kept = part.replace(/0+$/, '');
      return kept === '' ? whole : `${whole}.${kept}`;
    });
}

/**
 * True when a folded answer contains a folded needle. At an edge that is a digit the needle must not go on as
 * a longer number: `240` is in neither `1240` nor `240.5`. A needle that is a number as a whole is no part of
 * a negative one.
 */
export function containsFolded(answer: string, needle: string): boolean {
  if (needle === '') return false;
  for (let at = answer.indexOf(needle); at !== -1; at = answer.indexOf(needle, at + 1)) {
    if (!cutsNumber(answer, needle, at)) return true;
  }
  return false;
}

function cutsNumber(answer: string, needle: string, at: number): boolean {
  const before = answer.slice(Math.max(0, at - 2), at);
  const after = answer.slice(at + needle.length, at + needle.length + 2);
  if (/^\d/.test(needle)) {
    if (/(?:\d|\d[.,])$/.test(before)) return true;
    if (NUMBER.test(needle) && /(?:^|[^\p{L}\d])-$/u.test(before)) return true;
  }
  return /\d$/.test(needle) && /^(?:\d|[.,]\d)/.test(after);
}

/**
 * Tests the final answer; no witnesses means that it passes. An answer that was never given fails everything
 * but `excludes`. Regular expressions (flags `iu`) may match the answer as it is or folded.
 * @throws SyntaxError for a pattern that is no regular expression
 */
export function checkAnswer(check: AnswerCheck, answer: string | null): Witness[] {
  const folded = foldAnswer(answer ?? '');
  const has = (needle: string): boolean => containsFolded(folded, foldAnswer(needle));
  const witnesses: Witness[] = [];
  const miss = (message: string, expected: string | readonly string[]): void => {
    witnesses.push({ steps: [], message, expected, got: answer });
  };
  for (const needle of check.contains ?? []) if (!has(needle)) miss(`the answer lacks "${needle}"`, needle);
  for (const needle of check.excludes ?? []) {
    if (has(needle)) witnesses.push({ steps: [], message: `the answer contains "${needle}"`, got: answer });
  }
  for (const pattern of check.matches ?? []) {
    const expression = new RegExp(pattern, 'iu');
    const matched = answer !== null && (expression.test(answer) || expression.test(folded));
    if (!matched) miss(`the answer does not match /${pattern}/`, pattern);
  }
  const choices = check.anyOf ?? [];
  if (choices.length > 0 && !choices.some(has)) miss('the answer contains none of the choices', choices);
  return witnesses;
}
