import { namesWrite } from './effects.ts';
import type { Finding } from './types.ts';
import type { RunView } from './view.ts';
import { stem, stemsOf } from './words.ts';

const GENERIC = new Set(
  'get list read look lookup find search check fetch show view query set make do write update create add issue'
    .split(' ')
    .flatMap(stemsOf),
);

/** What the task names as a thing to do, and whether a call did it. */
export interface Demand {
  readonly tool: string;
  /** Demands joined by `or` are met by any one of them. */
  readonly alternatives: readonly string[];
}

/**
 * Tools that the task's own words ask for: an imperative clause with the subject of one tool's name in it,
 * such as "confirm eligibility" for `check_eligibility`. Alternatives of one "either … or" stand together.
 */
export function demandsOf(view: RunView): Demand[] {
  const { task, tools, calls } = view.run;
  if (task === null) return [];
  const names = [...new Set([...tools.map(({ name }) => name), ...calls.map(({ tool }) => tool)])];
  const subjects = new Map(names.map((name) => [name, stemsOf(name).filter((word) => !GENERIC.has(word))]));
  const demands: Demand[] = [];
  for (const sentence of task.split(/(?<=[.!?])\s+/u)) {
    const [clauses, imperative] = imperativeClauses(sentence);
    if (!imperative) continue;
    for (const clause of clauses) {
      const found = clause.map((part) => namedTool(part, subjects)).filter((tool) => tool !== null);
      // A choice of which only one side is understood demands nothing that could be held against a run.
      if (found.length < clause.length) continue;
      for (const tool of found) demands.push({ tool, alternatives: found });
    }
  }
  return demands;
}

const VERBS =
  'verify|check|confirm|look|read|issue|reply|respond|send|escalate|cancel|refund|close|open|create|update|' +
  'delete|assign|label|merge|find|list|review|approve|book|tell|answer|either';
const IMPERATIVE = new RegExp(`^(?:(?:please|then|and|first|also)\\s+)*(?:${VERBS})\\b`, 'i');

/** Clauses with another verb speak of a thing without asking for a look at it. */
const READ_VERBS = new Set('verify check confirm look read find list review tell'.split(' ').map(stem));

/** The clauses of a sentence, each as its alternatives, and whether it is an instruction at all. */
function imperativeClauses(sentence: string): readonly [readonly (readonly string[])[], boolean] {
  const parts = sentence.replace(/\beither\b/gi, '').split(/,\s*(?:and\s+)?|;\s*|\band\s+then\b/);
  const clauses = parts
    .map((part) => part.trim())
    .filter((part) => IMPERATIVE.test(part))
    .map((part) => part.split(/\bor\b/));
  return [clauses, clauses.length > 0];
}

function namedTool(part: string, subjects: ReadonlyMap<string, readonly string[]>): string | null {
  // The verb at the start says what is done, not what to.
  const said = new Set(stemsOf(part).slice(1));
  const verb = stemsOf(part)[0] ?? '';
  const asksToRead = READ_VERBS.has(verb);
  const fitting = [...subjects].filter(
    ([name, words]) =>
      (asksToRead || namesWrite(name)) &&
      words.length > 0 &&
      words.every((word) => said.has(word) || (words.length === 1 && bareVerb(word, verb, subjects))),
  );
  return fitting.length === 1 ? (fitting[0]?.[0] ?? null) : null;
}

/** A tool that is named by a verb alone, such as `escalate`. */
function bareVerb(word: string, verb: string, subjects: ReadonlyMap<string, readonly string[]>): boolean {
  return (
    word === verb &&
    [...subjects].some(([name, words]) => words.length === 1 && words[0] === stem(name) && word === words[0])
  );
}

/** Demands of the task that no call tried to meet. */
export function unmetDemands(view: RunView): Finding[] {
  const called = new Set(view.calls.map(({ call }) => call.tool));
  const findings: Finding[] = [];
  for (const { tool, alternatives } of demandsOf(view)) {
    if (alternatives.some((one) => called.has(one)) || tool !== alternatives[0]) continue;
    const effect = view.tools.get(tool)?.effect;
    findings.push({
      step: view.calls.length - 1,
      kind: effect === 'read' ? 'skipped_precondition' : 'premature_stop',
      rule: 'demands.unmet',
      subject: 'reply',
      evidence: `the task asks for ${alternatives.join(' or ')}, and no call did that`,
    });
  }
  return findings;
}
