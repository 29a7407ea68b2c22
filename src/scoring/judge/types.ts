import type { ChatUsage } from '../../llm/types.ts';
import type { DetectRun } from '../detect/types.ts';

/** What a judge may be asked; anything else is counted by a program, or not asked. */
export const JUDGE_KINDS = ['plan', 'choice', 'support'] as const;
export type JudgeKind = (typeof JUDGE_KINDS)[number];

/** A run as a judge may see it: what its agent saw, and nothing of intent, labels or faults. */
export interface JudgedRun extends DetectRun {
  /**
   * The model turn of each call, null where it is not known. What a call of the same turn gave was not known
   * yet when this one was chosen. Left out: every call is a turn of its own.
   */
  readonly turns?: readonly (string | null)[];
}

/** One question about one run. */
export interface JudgeQuestion {
  readonly kind: JudgeKind;
  readonly run: JudgedRun;
  /** The step whose choice is judged, from 0; null for the other kinds. */
  readonly step: number | null;
  /** `outcome` shows task, policy and reply alone: for `support` only. `steps` when left out. */
  readonly view?: 'steps' | 'outcome';
  /** The question in a person's words; the usual wording when left out. */
  readonly wording?: string;
}

/** How a judge is asked. All of it is part of what a verdict is stored under. */
export interface JudgeSettings {
  /** Worked examples before the question, 0 when left out: each is paid for in every prompt. */
  readonly fewShot?: number;
  /** 0 when left out; null for models that take none. */
  readonly temperature?: number | null;
  readonly seed?: number;
  readonly maxOutputTokens?: number;
}

/** What examples add to a prompt. */
export interface FewShotPrice {
  readonly examples: number;
  /** Their share of the characters of the prompt, from 0 to 1: about their share of its input tokens. */
  readonly share: number;
}

/** What a judge answered, or that it gave no answer that counts. */
interface JudgeAnswer<Verdict> {
  /** Null where there is none: it is never guessed. `reason` says why. */
  readonly verdict: Verdict | null;
  /** The judge's own probability that its verdict is right, from 0 to 1; null without a verdict. */
  readonly confidence: number | null;
  /** The judge's reason, or why there is no verdict. */
  readonly reason: string;
  /** The step that the judge points to; null where it names none. */
  readonly pointsTo: number | null;
}

/** Who answered, under which prompt, at what price. */
interface JudgeCost {
  /** The judge as a person names it, such as `openai:gpt-4.1-mini`. */
  readonly judge: string;
  /** The model that answered, as its provider names it; null where nothing was asked. */
  readonly model: string | null;
  readonly promptVersion: string;
  /** SHA-256 of prompt version, model configuration and request: what the verdict is stored under. */
  readonly key: string | null;
  /** Tokens of all requests for this verdict; null where the provider did not count. */
  readonly usage: ChatUsage;
  /** In the currency of the prices; null without a price. */
  readonly cost: number | null;
  /** Requests made for it, 2 where the first reply could not be read; 0 where nothing had to be asked. */
  readonly requests: number;
  /** True when it was read from a cache: then `usage` and `cost` tell what it took the first time. */
  readonly cached: boolean;
  readonly fewShot: FewShotPrice;
}

/** A verdict on a run, or on one of its steps. `yes` speaks for the agent in all three kinds. */
export interface JudgeRecord extends JudgeAnswer<'yes' | 'no'>, JudgeCost {
  readonly kind: JudgeKind;
  readonly view: 'steps' | 'outcome';
  readonly run: string;
  /** The step that was asked about; null for questions about the whole run. */
  readonly step: number | null;
}

/** A verdict on two runs as they stood in the prompt. */
export interface PairRecord extends JudgeAnswer<'first' | 'second' | 'tie'>, JudgeCost {
  readonly kind: Exclude<JudgeKind, 'choice'>;
  readonly first: string;
  readonly second: string;
}
