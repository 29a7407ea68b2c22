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

/** Reads what a scorer said. @throws ScorerFailure for what is no reply, and for a scorer's own error */
export function readReply(text: string): ScorerReply {
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
