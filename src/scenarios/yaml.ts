import {
  type Document,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  parseDocument,
  visit,
  type YAMLError,
} from 'yaml';
import type { z } from 'zod';
import { nearestName, type SourcePlace, UsageError } from '../base/errors.ts';
import { knownNames } from './known-names.ts';

/** A value read from YAML that knows where each of its parts stands. */
export interface PlacedYaml<T> {
  readonly value: T;
  /** The place of the part at this path; of the nearest part around it when it is not there. */
  readonly place: (path: readonly PropertyKey[]) => SourcePlace;
}

type Issue = z.core.$ZodIssue;

/**
 * Parses YAML and checks it against a schema.
 * @throws UsageError with file:line:column, what was expected, and the nearest valid name.
 */
export function readYaml<T>(text: string, file: string, schema: z.ZodType<T>): PlacedYaml<T> {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    // What the library would print as a warning is an error of the form here, or nothing.
    logLevel: 'error',
    maxAliasCount: 100,
  } as never);
  const place = (path: readonly PropertyKey[], key = false): SourcePlace =>
    placeOf({ document, lines, file }, path, key);
  const syntax = document.errors[0];
  if (syntax) {
    const { line, col } = lines.linePos(syntax.pos[0]);
    throw new UsageError('yaml', wordsOf(syntax), {
      place: { file, line: Math.max(1, line), column: Math.max(1, col) },
      hint: 'the file must be YAML 1.2',
    });
  }
  const alias = lostAlias(document);
  if (alias) {
    const { line, col } = lines.linePos(alias.offset);
    throw new UsageError('yaml', `the alias *${alias.name} refers to no anchor before it`, {
      place: { file, line: Math.max(1, line), column: Math.max(1, col) },
    });
  }
  const raw = toJs(document, file);
  const parsed = schema.safeParse(raw);
  if (parsed.success) return { value: parsed.data, place };
  throw formError({ issue: deepest(parsed.error.issues), schema, raw, place });
}

function wordsOf(error: YAMLError): string {
  if (error.code === 'MULTIPLE_DOCS') return 'a second document begins here, and a file holds one';
  return firstLine(error.message);
}

/** The first alias without an anchor. */
function lostAlias(document: Document): { readonly name: string; readonly offset: number } | null {
  let found: { name: string; offset: number } | null = null;
  visit(document, {
    Alias(_key, node) {
      if (node.resolve(document)) return undefined;
      found = { name: node.source, offset: node.range?.[0] ?? 0 };
      return visit.BREAK;
    },
  });
  return found;
}

function toJs(document: Document, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 }) as unknown;
  } catch (error) {
    throw new UsageError('yaml', firstLine(error instanceof Error ? error.message : String(error)), {
      place: { file, line: 1, column: 1 },
      hint: 'write the repeated parts out instead of using so many aliases',
    });
  }
}

function formError(input: {
  readonly issue: Issue;
  readonly schema: z.ZodType;
  readonly raw: unknown;
  readonly place: (path: readonly PropertyKey[], key?: boolean) => SourcePlace;
}): UsageError {
  const { issue, raw } = input;
  const { path, message, hint, isKey } = faultOf(issue, input.schema, raw);
  return new UsageError('form', `${pathText(path)}: ${message}`, {
    place: input.place(path, isKey),
    ...(hint !== undefined && { hint }),
  });
}

/** What is wrong with the form of a value, and where in it. */
export interface FormFault {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly hint?: string;
  /** True when the member's name is wrong, and not its value. */
  readonly isKey: boolean;
}

/**
 * The fault of a value that says most; null when it fits the schema. Faults at paths that `passOver` is true
 * for are not counted.
 */
export function formFault(
  schema: z.ZodType,
  raw: unknown,
  passOver: (path: readonly PropertyKey[]) => boolean,
): FormFault | null {
  const parsed = schema.safeParse(raw);
  const issues = (parsed.error?.issues ?? []).filter(({ path }) => !passOver(path));
  return issues.length === 0 ? null : faultOf(deepest(issues), schema, raw);
}

function faultOf(issue: Issue, schema: z.ZodType, raw: unknown): FormFault {
  if (issue.code === 'unrecognized_keys') {
    const key = issue.keys[0] ?? '';
    const hint = hintFor(key, knownNames(schema, raw, issue.path));
    return { path: [...issue.path, key], message: 'no such member', hint, isKey: true };
  }
  const known = knownValues(issue);
  const written = valueAtPath(raw, issue.path);
  const fault = { path: issue.path, message: describe(issue, written), isKey: false };
  if (typeof written !== 'string' || known.length === 0) return fault;
  return { ...fault, hint: hintFor(written, known) };
}

/** The words of a list, or the kinds that a `kind` may be. */
function knownValues(issue: Issue): string[] {
  if (issue.code === 'invalid_value') return issue.values.map(String);
  if (issue.code !== 'invalid_union' || !('options' in issue)) return [];
  return Array.isArray(issue.options) ? issue.options.map(String) : [];
}

function describe(issue: Issue, written: unknown): string {
  if (written === undefined && issue.code === 'invalid_type') return `missing, expected ${issue.expected}`;
  return issue.message.charAt(0).toLowerCase() + issue.message.slice(1);
}

/** Of the branches of a union, the one that got furthest says most. */
function deepest(issues: readonly Issue[]): Issue {
  let best = issues[0] as Issue;
  for (const issue of issues) if (depthOf(issue) > depthOf(best)) best = issue;
  if (best.code !== 'invalid_union' || best.errors.length === 0) return best;
  const inner = best.errors.map((branch) => deepest(branch));
  const furthest = inner.reduce((left, right) => (right.path.length > left.path.length ? right : left));
  return { ...furthest, path: [...best.path, ...furthest.path] } as Issue;
}

/** A member too many is as deep as one too few, and says more: it is mostly the missing one, misspelt. */
function depthOf(issue: Issue): number {
  return issue.path.length + (issue.code === 'unrecognized_keys' ? 1.5 : 0);
}

function hintFor(written: string, known: readonly string[]): string {
  const near = nearestName(written, known);
  return near === undefined ? `known are ${known.join(', ')}` : `did you mean ${near}?`;
}

function pathText(path: readonly PropertyKey[]): string {
  return path.length === 0 ? 'the file' : path.map(partText).join('.');
}

/** A key of YAML may be anything, also a list over several lines: in a sentence it is one short word. */
function partText(part: PropertyKey): string {
  const text = String(part);
  const plain = /\p{Cc}/u.test(text) ? JSON.stringify(text) : text;
  return plain.length > PART_CHARACTERS ? `${plain.slice(0, PART_CHARACTERS)}…` : plain;
}

const PART_CHARACTERS = 60;

function placeOf(
  source: { readonly document: Document; readonly lines: LineCounter; readonly file: string },
  path: readonly PropertyKey[],
  key: boolean,
): SourcePlace {
  const { document, lines, file } = source;
  for (let length = path.length; length >= 0; length -= 1) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    const start = key && length === path.length ? keyStart(document, path) : undefined;
    const offset = start ?? (isNode(node) ? node.range?.[0] : undefined);
    if (offset === undefined) continue;
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(1, line), column: Math.max(1, col) };
  }
  return { file, line: 1, column: 1 };
}

function keyStart(document: Document, path: readonly PropertyKey[]): number | undefined {
  const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  if (!isMap(parent)) return undefined;
  const wanted = String(path.at(-1));
  const pair = parent.items.find((item) => isScalar(item.key) && String(item.key.value) === wanted);
  return pair && isNode(pair.key) ? pair.key.range?.[0] : undefined;
}

function valueAtPath(value: unknown, path: readonly PropertyKey[]): unknown {
  let current = value;
  for (const part of path) {
    if (typeof current !== 'object' || current === null) return undefined;
    current = (current as Record<PropertyKey, unknown>)[part];
  }
  return current;
}

function firstLine(message: string): string {
  return message.split('\n')[0] ?? message;
}
