import type { z } from 'zod';
import { UsageError } from '../base/errors.ts';
import { readText } from './text-files.ts';

/**
 * The lines of a JSONL file that people or their programs write: unlike in a file of ours, the last one may
 * lack its line break. Empty lines at the end do not count.
 * @throws UsageError for a file that is not there, and for a line that is not of the form, with its place
 */
export function readJsonLines<T>(file: string, form: z.ZodType<T>, hint: string): readonly T[] {
  const lines = readText(file).split('\n');
  while (lines.at(-1)?.trim() === '') lines.pop();
  return lines.map((line, index) => {
    const parsed = form.safeParse(jsonOf(line));
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    const path = issue?.path.join('.') ?? '';
    const whole = issue?.code === 'custom' ? issue.message : 'this line is of no form that is known';
    const what = path === '' ? whole : `${path}: ${issue?.message ?? ''}`;
    throw new UsageError('bad-line', what, { place: { file, line: index + 1, column: 1 }, hint });
  });
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}
