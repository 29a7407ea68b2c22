import { UsageError } from '../base/errors.ts';
import type { Json } from '../base/json.ts';
import { isTooDeep } from './depth.ts';
import { jsonFaultAt } from './json-fault.ts';

/** A JSON value of a file and the line on which it begins. */
export interface TraceDocument {
  readonly value: Json;
  readonly line: number;
}

/** What a file holds: one JSON value, or one a line. */
export interface TraceFile {
  readonly file: string;
  readonly form: 'json' | 'jsonl';
  readonly documents: readonly TraceDocument[];
}

type Reviver = (this: unknown, key: string, value: unknown, context?: { source?: string }) => unknown;

/** Nanoseconds do not fit into a number: of an unsafe whole number the digits are kept, as text. */
const keepDigits: Reviver = (_key, value, context) => {
  const unsafe = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
  return unsafe && /^\d+$/u.test(context?.source ?? '') ? context?.source : value;
};

const parse = (text: string): Json => JSON.parse(text, keepDigits) as Json;

/**
 * Reads a file as JSON, or as JSON lines.
 * @throws UsageError with file:line:column when it is neither.
 */
export function readDocuments(file: string, text: string): TraceFile {
  const content = text.startsWith('\uFEFF') ? text.slice(1) : text;
  if (content.trim() === '') {
    throw new UsageError('empty-trace', 'the file is empty', { place: { file, line: 1, column: 1 } });
  }
  try {
    return { file, form: 'json', documents: [documentOf(file, content, 1)] };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const lines = content.split(/\r?\n/u);
    if (!isLineOfJson(lines.find((line) => line.trim() !== '') ?? '') || written(lines) < 2) {
      throw damaged({ file, text: content, line: 1 });
    }
    return {
      file,
      form: 'jsonl',
      documents: lines.flatMap((line, index) => readLine(file, line, index + 1)),
    };
  }
}

/** @throws SyntaxError for text that is no JSON, UsageError for what is nested too deep to be a trace. */
function documentOf(file: string, text: string, line: number): TraceDocument {
  const value = parse(text);
  if (!isTooDeep(value)) return { value, line };
  throw new UsageError('too-deep', 'lists and objects are nested deeper than in any trace', {
    place: { file, line, column: 1 },
  });
}

const written = (lines: readonly string[]): number => lines.filter((line) => line.trim() !== '').length;

function isLineOfJson(line: string): boolean {
  try {
    return /^\s*[[{]/u.test(line) && JSON.parse(line) !== null;
  } catch {
    return false;
  }
}

function readLine(file: string, line: string, lineNumber: number): TraceDocument[] {
  if (line.trim() === '') return [];
  try {
    return [documentOf(file, line, lineNumber)];
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw damaged({ file, text: line, line: lineNumber });
  }
}

function damaged({
  file,
  text,
  line,
}: {
  readonly file: string;
  readonly text: string;
  readonly line: number;
}): UsageError {
  const offset = jsonFaultAt(text);
  const before = text.slice(0, offset).split('\n');
  const atEnd = offset >= text.trimEnd().length;
  return new UsageError('not-json', atEnd ? 'the JSON is cut short here' : 'this is not JSON', {
    place: { file, line: line + before.length - 1, column: (before.at(-1) ?? '').length + 1 },
    hint: 'a trace is JSON, or JSON lines: see docs/scoring-traces.md',
  });
}
