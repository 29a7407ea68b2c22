import { existsSync } from 'node:fs';
import { z } from 'zod';
import { readText } from '../../store/text-files.ts';
import type { BlamedStep, DecisiveStep } from '../blame/index.ts';

const share = z.number().min(0).max(1).nullable();

const blameSchema = z.object({
  steps: z.array(
    z.object({
      step: z.int().nonnegative(),
      before: share,
      after: share,
      drop: z.number().min(-1).max(1).nullable(),
    }),
  ),
  decisive: z
    .object({ step: z.int().nonnegative(), tool: z.string(), drop: z.number(), reason: z.string() })
    .nullable(),
  reason: z.string().nullable(),
});

/** What each step of a trial did to the success of whatever follows, as `blame --json` prints it. */
export interface BlamedTrial {
  readonly steps: readonly Omit<BlamedStep, 'tool'>[];
  readonly decisive: Omit<DecisiveStep, 'estimate'> | null;
  readonly reason: string | null;
}

/** A blame, or why there is none; null where nobody asked for one. */
export type ReadBlame = BlamedTrial | { readonly unreadable: string } | null;

/** The blame that lies beside a trajectory: `X.blame.json` beside `X.traj.jsonl`. */
export function readBlameBeside(trajectoryPath: string): ReadBlame {
  const file = trajectoryPath.replace(/\.traj\.jsonl$/u, '.blame.json');
  if (!existsSync(file)) return null;
  try {
    return blameSchema.parse(JSON.parse(readText(file)));
  } catch {
    return { unreadable: `${file} is not the JSON of a blame` };
  }
}
