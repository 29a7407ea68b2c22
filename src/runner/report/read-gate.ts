import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readText } from '../../store/text-files.ts';

/** Where a gate's JSON lies, as `gate --json` and `run --gate --json` print it. */
const GATE_FILE = 'gate.json';

const gateSchema = z.object({
  profile: z.string(),
  verdict: z.enum(['pass', 'fail', 'inconclusive', 'infrastructure']),
  baseline: z.string().nullish(),
  checks: z.array(
    z.object({
      check: z.string(),
      verdict: z.enum(['pass', 'fail', 'inconclusive']),
      reason: z.string(),
    }),
  ),
});

export type ReadGate = z.infer<typeof gateSchema>;

/** A gate that lies beside a run, or why the file is none; null where there is no file. */
export function readGateOf(directory: string): ReadGate | { readonly unreadable: string } | null {
  const file = join(directory, GATE_FILE);
  if (!existsSync(file)) return null;
  try {
    const value: unknown = JSON.parse(readText(file));
    const inRun = z.object({ gate: gateSchema }).safeParse(value);
    return inRun.success ? inRun.data.gate : gateSchema.parse(value);
  } catch {
    return { unreadable: `${file} is not the JSON of a gate` };
  }
}
