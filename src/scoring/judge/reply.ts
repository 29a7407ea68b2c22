import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';

/** A reply of a judge that could be read. */
export interface ReadVerdict<Verdict extends string> {
  readonly verdict: Verdict;
  readonly confidence: number;
  readonly reason: string;
  readonly pointsTo: number | null;
}

/** A verdict, or what is wrong with the reply in words for the judge. */
export type VerdictReading<Verdict extends string> = ReadVerdict<Verdict> | { readonly problem: string };

/** What a reply may say. */
interface VerdictForm<Verdict extends string> {
  readonly verdicts: readonly Verdict[];
  /** Steps of the run: the judge may point to one of them. */
  readonly steps: number;
}

/** Reads a verdict, strictly: one JSON object, bare or in one fenced block. Nothing is guessed from prose. */
export function readVerdict<Verdict extends string>(
  text: string,
  form: VerdictForm<Verdict>,
): VerdictReading<Verdict> {
  const blocks = [...text.matchAll(/```(?:json)?[^\S\n]*\n([\s\S]*?)\n?[^\S\n]*```/gu)].map(
    (match) => match[1],
  );
  if (blocks.length > 1) return { problem: 'there is more than one fenced block' };
  const value = jsonOf(blocks[0] ?? text.trim());
  if (value === undefined) return { problem: 'it is no JSON object, bare or in a fenced block' };
  if (!isJsonObject(value)) return { problem: 'the JSON is no object' };
  return verdictOf(value, form);
}

function verdictOf<Verdict extends string>(
  { verdict: said, confidence, reason, step = null }: JsonObject,
  { verdicts, steps }: VerdictForm<Verdict>,
): VerdictReading<Verdict> {
  const verdict = verdicts.find((one) => one === said);
  if (verdict === undefined) {
    return { problem: `"verdict" must be ${verdicts.map((one) => JSON.stringify(one)).join(' or ')}` };
  }
  if (typeof confidence !== 'number' || !(confidence >= 0 && confidence <= 1)) {
    return { problem: '"confidence" must be a number from 0 to 1' };
  }
  if (typeof reason !== 'string' || reason.trim() === '') return { problem: '"reason" must be a text' };
  if (step === null) return { verdict, confidence, reason, pointsTo: null };
  if (typeof step !== 'number' || !Number.isInteger(step) || step < 0 || step >= steps) {
    return { problem: `"step" must be null or the number of a step of the run, below ${steps}` };
  }
  return { verdict, confidence, reason, pointsTo: step };
}

function jsonOf(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
