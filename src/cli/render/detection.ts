import type { Detection } from '../../runner/detect/index.ts';
import { counted } from './counted.ts';

/** What `detect` prints for people: each run that is suspected, its steps below it. */
export function detectionLines({ runs, flaggedRuns, flagged, learned }: Detection): string[] {
  const lines: string[] = [];
  let run: string | null = null;
  for (const { run: name, step, kind, evidence } of flagged) {
    if (name !== run) lines.push(...(run === null ? [] : ['']), name);
    run = name;
    lines.push(`  ${step === null ? 'reply' : `step ${step}`}  ${kind.replaceAll('_', ' ')}: ${evidence}`);
  }
  if (lines.length > 0) lines.push('');
  const from = learned === null ? 'nothing learned' : `learned from ${counted(learned.runs, 'clean run')}`;
  lines.push(`${flaggedRuns} of ${counted(runs, 'run')} flagged, ${from}`);
  return lines;
}
