import { BORNE_OUT, CHOICE, FACTS, JUDGEMENT, PLAN, QUANTITIES, REPLY } from './lexicon.ts';
import type { JudgeKind } from './types.ts';

/** A question that may be put to a judge. */
export interface AskableQuestion {
  readonly kind: JudgeKind;
  /** The step that it names; null where it names none. */
  readonly step: number | null;
}

/** Why a question is not put to a judge. */
export interface RefusedQuestion {
  /** What counts it, such as "the invariant kind `cardinality`"; null where it is of none of the kinds. */
  readonly countedBy: string | null;
  readonly reason: string;
}

/** *Is it right that* asks whether something is so, and judges nothing. */
const IS_IT_SO = /\b(?:is|was) it (?:right|true|correct|the case|a fact) that /gu;

const KINDS_TOLD =
  'a judge is asked whether a plan is sensible, whether the choice of a tool at a step is defensible, or ' +
  'whether the answer is supported by the tool results';

/** Which of the three kinds a question in words (English) is, or why no judge is asked it. */
export function readQuestion(text: string): AskableQuestion | RefusedQuestion {
  const question = text.normalize('NFKC').toLowerCase().replace(/[‘’]/gu, "'").replace(IS_IT_SO, 'did ');
  const countedBy = counterOf(question);
  if (countedBy !== null) {
    return { countedBy, reason: `this is counted, not judged: ${countedBy} does it` };
  }
  const kind = kindOf(question);
  if (kind === null) return { countedBy: null, reason: `this is of none of the three kinds: ${KINDS_TOLD}` };
  const step = /\b(?:step|call)\s+#?(\d+)\b/u.exec(question)?.[1];
  return { kind, step: step === undefined ? null : Number(step) };
}

function counterOf(question: string): string | null {
  const quantity = QUANTITIES.find(({ words }) => words.test(question));
  if (quantity) return quantity.countedBy;
  // Two questions in one sentence are two: the countable one is refused whatever stands beside it.
  for (const clause of clausesOf(question)) {
    if (JUDGEMENT.test(clause) || BORNE_OUT.test(clause)) continue;
    const fact = FACTS.find(({ words }) => words.test(clause));
    if (fact) return fact.countedBy;
  }
  return null;
}

const ASKS = '(?:did|does|do|has|have|was|were|is|are|how|whether)\\b';
const BESIDE = new RegExp(`[?!;]|\\.(?:\\s|$)|\\b(?:and|or|also),?\\s+(?=${ASKS})`, 'u');
const BEGINS_QUESTION = new RegExp(`^${ASKS}`, 'u');

/** Sentences, and what is asked beside them; a subordinate clause stays with its sentence. */
function clausesOf(question: string): readonly string[] {
  return question
    .split(BESIDE)
    .map((clause) => clause.trim())
    .filter((clause) => clause !== '');
}

/** The kind of the first question; null where any of them is of none. */
function kindOf(question: string): JudgeKind | null {
  const asked = clausesOf(question).filter((clause) => BEGINS_QUESTION.test(clause));
  const kinds = asked.length > 1 ? asked.map(kindOfClause) : [kindOfClause(question)];
  return kinds.includes(null) ? null : (kinds[0] ?? null);
}

function kindOfClause(question: string): JudgeKind | null {
  if (REPLY.test(question) && BORNE_OUT.test(question)) return 'support';
  if (!JUDGEMENT.test(question)) return null;
  if (PLAN.test(question)) return 'plan';
  return CHOICE.test(question) ? 'choice' : null;
}
