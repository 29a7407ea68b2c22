import type { ChatMessage } from '../../llm/types.ts';
import { type Estimate, type Observation, rateEstimate } from '../../stats/index.ts';
import { type Asking, askPrompt } from './ask.ts';
import { PAIR_EXAMPLES } from './examples.ts';
import { type JudgePrompt, promptOf, SETTING } from './prompts.ts';
import { wholeRun } from './transcript.ts';
import type { JudgedRun, JudgeSettings, PairRecord } from './types.ts';

/** Two runs of one task, in the order in which the judge reads them. */
export interface PairQuestion {
  /** A choice belongs to one step of one run, so it is not compared. */
  readonly kind: PairRecord['kind'];
  readonly first: JudgedRun;
  readonly second: JudgedRun;
}

const CRITERIA: Readonly<Record<PairRecord['kind'], string>> = {
  plan:
    'Two runs of the same task stand below. Question: behind which of them is the more sensible plan: one ' +
    'that does all of what was asked and no more, and finds out what it must know before it acts?',
  support:
    'Two runs of the same task stand below. Question: the reply of which of them is better supported by the ' +
    'results of its own tools, with less that is stated and not shown?',
};

const FORM =
  'Their order is arbitrary, and a longer run is not a better one. Answer with one JSON object and nothing ' +
  'else: {"verdict": "first" or "second" or "tie", "confidence": the probability from 0 to 1 that your ' +
  'verdict is right, "reason": one or two sentences with what decided it}.';

export function pairPrompt({ kind, first, second }: PairQuestion, settings: JudgeSettings = {}): JudgePrompt {
  const shown = (one: JudgedRun, other: JudgedRun): string => {
    const [left, right] = [one, other].map((run) => wholeRun(run, { withReply: kind === 'support' }));
    return `The first run:\n${left}\n\nThe second run:\n${right}`;
  };
  const worked = PAIR_EXAMPLES[kind].slice(0, settings.fewShot ?? 0).flatMap((example): ChatMessage[] => [
    { role: 'user', text: shown(example.first, example.second) },
    { role: 'assistant', text: JSON.stringify(example.reply), calls: [] },
  ]);
  return promptOf({
    system: [SETTING, CRITERIA[kind], FORM],
    worked,
    asked: shown(first, second),
    settings,
  });
}

/** @throws ChatError where the model gives no reply */
export async function askPair(question: PairQuestion, asking: Asking): Promise<PairRecord> {
  const { kind, first, second } = question;
  const form = { verdicts: ['first', 'second', 'tie'] as const, steps: 0 };
  const answer = await askPrompt(pairPrompt(question, asking.settings), { ...asking, form });
  return { kind, first: first.name, second: second.name, ...answer };
}

/** A pair that was judged in both orders. */
export interface PairJudgement {
  readonly kind: PairRecord['kind'];
  readonly first: string;
  readonly second: string;
  /** Of the runs as they were given. `tie` where the two orders disagree; null without both verdicts. */
  readonly winner: 'first' | 'second' | 'tie' | null;
  /** Whether both orders say the same; null without both verdicts. */
  readonly consistent: boolean | null;
  /** As given, and swapped. */
  readonly records: readonly [PairRecord, PairRecord];
}

/** Judges a pair in both orders: what hangs on the order is no difference between the runs. */
export async function judgePair(
  { kind, first, second }: PairQuestion,
  ask: (question: PairQuestion) => Promise<PairRecord>,
): Promise<PairJudgement> {
  const records = await Promise.all([
    ask({ kind, first, second }),
    ask({ kind, first: second, second: first }),
  ]);
  const [given, swapped] = [records[0].verdict, turned(records[1].verdict)];
  const consistent = given === null || swapped === null ? null : given === swapped;
  const winner = consistent === null ? null : consistent ? given : 'tie';
  return { kind, first: first.name, second: second.name, winner, consistent, records };
}

const turned = (verdict: PairRecord['verdict']): PairRecord['verdict'] =>
  verdict === 'first' ? 'second' : verdict === 'second' ? 'first' : verdict;

/** A judged pair with what its habits are told by. */
export interface WeighedPair {
  readonly judgement: PairJudgement;
  /** Pairs of one instance count as one cluster. */
  readonly instance: string;
  /** Characters of what the judge was shown of each run. */
  readonly lengths: readonly [number, number];
  /** The models that made the runs; null where it is not known. */
  readonly models: readonly [string | null, string | null];
}

/** What a judge is swayed by. Each share is .5 for one that is not, where the runs are as good. */
export interface PairHabits {
  readonly pairs: number;
  /** Pairs without a verdict in one of the orders: they are in no figure. */
  readonly unjudged: number;
  /** Pairs of which both orders say the same. */
  readonly consistency: Estimate;
  /** Single verdicts for the run that was read first, of those for either. */
  readonly firstSlot: Estimate;
  /** Pairs won by the longer run, of those that are won and differ in length. */
  readonly longer: Estimate;
  /** Pairs won by the run of the judge's own family, of those that are won and have one such run. */
  readonly ownFamily: Estimate;
}

export function pairHabits(pairs: readonly WeighedPair[]): PairHabits {
  const judged = pairs.filter(({ judgement }) => judgement.consistent !== null);
  const won = judged.filter(({ judgement: { winner } }) => winner === 'first' || winner === 'second');
  return {
    pairs: pairs.length,
    unjudged: pairs.length - judged.length,
    consistency: shareOf(
      judged.map(({ judgement, instance }) => seen(judgement.consistent === true, instance)),
      'no pair was judged in both orders',
    ),
    firstSlot: shareOf(
      judged.flatMap(({ judgement, instance }) =>
        judgement.records.flatMap(({ verdict }) =>
          verdict === 'first' || verdict === 'second' ? [seen(verdict === 'first', instance)] : [],
        ),
      ),
      'no verdict is for either run',
    ),
    longer: shareOf(
      won.flatMap(({ judgement, lengths: [first, second], instance }) =>
        first === second ? [] : [seen(first > second === (judgement.winner === 'first'), instance)],
      ),
      'no pair of different length was won',
    ),
    ownFamily: shareOf(won.flatMap(ownWins), 'no pair with one run of the own family was won'),
  };
}

const seen = (holds: boolean, cluster: string): Observation => ({ value: holds ? 1 : 0, cluster });

function shareOf(observations: readonly Observation[], reason: string): Estimate {
  return observations.length === 0 ? { value: null, reason } : rateEstimate(observations);
}

function ownWins({ judgement, models, instance }: WeighedPair): Observation[] {
  const { judge, model } = judgement.records[0];
  const own = familyOf(model ?? judge);
  const [first, second] = models.map((one) => own !== null && one !== null && familyOf(one) === own);
  return first === second ? [] : [seen((judgement.winner === 'first') === first, instance)];
}

const FAMILIES: readonly (readonly [string, RegExp])[] = [
  ['openai', /\b(?:gpt|chatgpt|o[1-9])(?:\b|-|_)/u],
  ['anthropic', /\bclaude/u],
  ['google', /\b(?:gemini|gemma)/u],
  ['meta', /\b(?:meta-)?llama/u],
  ['qwen', /\bq(?:wen|wq)/u],
  ['mistral', /\b(?:mi[sx]tral|ministral|magistral|codestral)/u],
  ['deepseek', /\bdeepseek/u],
  ['microsoft', /\bphi-?\d/u],
];

/** Models of one maker, by their names; null for a name that tells none. */
export function familyOf(model: string): string | null {
  // `openai:` is a protocol, which any maker's model may be behind.
  const name = model.toLowerCase().replace(/^(?:chat:)?(?:openai|anthropic):/u, '');
  return FAMILIES.find(([, pattern]) => pattern.test(name))?.[0] ?? null;
}
