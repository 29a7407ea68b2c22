import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { UsageError } from '../../base/errors.ts';
import {
  type GuardScore,
  type GuardVerdict,
  RISK_NAMES,
  type RiskLabel,
  type RiskName,
  scoreGuard,
} from '../../scoring/index.ts';
import { readJsonLines } from '../../store/json-lines.ts';
import { RISKS_LABELS, RISKS_MANIFEST } from './write.ts';

const risk = z.enum(RISK_NAMES as [RiskName, ...RiskName[]]).nullable();
const label = z.object({
  id: z.string(),
  risk,
  step: z.int().nonnegative().nullable(),
  twin: z.string(),
  instance: z.string(),
});
const verdict = z.object({
  id: z.string(),
  unsafe: z.boolean(),
  risk: risk.optional(),
  step: z.int().nonnegative().nullable().optional(),
});

/**
 * Scores a guard's verdicts on a set of risks.
 * @throws UsageError for a folder that is no such set, and for a line that is no verdict of one of its
 * records, or a second one of the same, with its place
 */
export function scoreVerdicts(folder: string, file: string): GuardScore & { readonly verdicts: number } {
  if (!existsSync(join(folder, RISKS_MANIFEST))) {
    throw new UsageError('no-risks', `${folder} is no set of risks: it holds no ${RISKS_MANIFEST}`, {
      hint: 'groundhog risks BANK --out DIR makes one',
    });
  }
  const labels = readJsonLines(
    join(folder, RISKS_LABELS),
    label,
    'the file was cut off or edited: make the set anew with groundhog risks BANK --out DIR --fresh',
  ) as readonly RiskLabel[];
  const known = new Set(labels.map(({ id }) => id));
  const said = new Map<string, GuardVerdict>();
  const read = readJsonLines(file, verdict, 'one JSON object a line: {"id": "r00001", "unsafe": true}');
  for (const [index, one] of read.entries()) {
    const place = { file, line: index + 1, column: 1 };
    if (!known.has(one.id)) {
      throw new UsageError('unknown-record', `there is no record named ${one.id} in ${folder}`, { place });
    }
    if (said.has(one.id)) {
      throw new UsageError('twice', `there is a verdict on ${one.id} already`, { place });
    }
    said.set(one.id, one as GuardVerdict);
  }
  return { ...scoreGuard(labels, [...said.values()]), verdicts: said.size };
}
