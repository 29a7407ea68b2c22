import { z } from 'zod';
import { UsageError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { appendLine, readLines, writeWhole } from '../../store/run-lines.ts';
import { MAST_MODES } from './mast.ts';
import { type FailureLabel, labelKey, placeText } from './types.ts';

const number = z.int().nonnegative();
const labelSchema = z.strictObject({
  scenario: z.string().min(1),
  trial: number,
  at: z.union([z.strictObject({ step: number }), z.strictObject({ message: number }), z.null()]),
  code: z.string().min(1),
  mast: z
    .array(
      z.string().refine((mode) => Object.hasOwn(MAST_MODES, mode), 'expected a mode of MAST such as 2.6'),
    )
    .optional(),
  note: z.string().optional(),
  disputed: z.string().optional(),
  by: z.string().optional(),
});

/**
 * The labels of a file, one a trial and labeller: a later line replaces an earlier one. A file that is not
 * there has none.
 * @throws UsageError with file and line for a line that is no label.
 */
export function readLabels(path: string, options: { readonly repair?: boolean } = {}): FailureLabel[] {
  const lines = readLines(path, labelSchema, { repair: options.repair ?? false, sealed: false });
  const latest = new Map<string, FailureLabel>();
  for (const { value } of lines) {
    const key = `${labelKey(value)} ${value.by ?? ''}`;
    // Deleted first, so that the order is that of the last word on each.
    latest.delete(key);
    latest.set(key, value);
  }
  return [...latest.values()];
}

/** Adds one label; what was there stays. */
export function appendLabel(path: string, label: FailureLabel): void {
  appendLine(path, JSON.stringify(label));
}

/**
 * Writes labels for other tools: `.csv` for tables, `.json` for programs.
 * @throws UsageError for another ending.
 */
export function exportLabels(path: string, labels: readonly FailureLabel[]): void {
  if (path.endsWith('.csv')) writeWhole(path, csvOf(labels));
  else if (path.endsWith('.json')) {
    writeWhole(path, `${JSON.stringify(labels as unknown as Json, null, 2)}\n`);
  } else {
    throw new UsageError('bad-export', `${path} is neither .csv nor .json`, {
      hint: 'the labels themselves are a file of JSON lines: copy that',
    });
  }
}

const COLUMNS = ['scenario', 'trial', 'at', 'code', 'mast', 'note', 'disputed', 'by'] as const;

function csvOf(labels: readonly FailureLabel[]): string {
  const rows = labels.map((label) => [
    label.scenario,
    String(label.trial),
    placeText(label.at),
    label.code,
    (label.mast ?? []).join(' '),
    label.note ?? '',
    label.disputed ?? '',
    label.by ?? '',
  ]);
  return [[...COLUMNS], ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

/** By RFC 4180. A spreadsheet would run a cell that starts like a formula. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/u.test(text) ? `'${text}` : text;
  return /[",\r\n]/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
