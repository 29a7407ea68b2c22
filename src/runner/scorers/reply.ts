import { z } from 'zod';
import { ScorerFailure, type ScorerReply } from './types.ts';

const reply = z.object({
  score: z
    .union([z.number(), z.boolean().transform(Number)])
    .nullable()
    .optional(),
  label: z.string().nullable().optional(),
  explanation: z.string().nullable().optional(),
  version: z.string().nullable().optional(),
  cost: z.number().nonnegative().nullable().optional(),
  error: z.string().optional(),
});

/** A verdict with its reason; what is longer would only swell the report. */
const LENGTH_MOST = 1_000_000;

/** Reads what a scorer said. @throws ScorerFailure for what is no reply, and for a scorer's own error */
export function readReply(text: string): ScorerReply {
  if (text.length > LENGTH_MOST) {
    throw new ScorerFailure(`its reply has more than ${LENGTH_MOST} characters`, false);
  }
  const parsed = reply.safeParse(jsonOf(text));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where = issue?.path.join('.') || 'the reply';
    throw new ScorerFailure(`${where} is not of the form {"score", "label"?, "explanation"?}`, false);
  }
  const { score = null, label = null, explanation = null, version = null, cost = null, error } = parsed.data;
  if (error !== undefined) throw new ScorerFailure(error, false);
  if (score === null && label === null) {
    throw new ScorerFailure(`it gave neither score nor label${explanation ? `: ${explanation}` : ''}`, false);
  }
  return { score, label, explanation, version, cost };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
