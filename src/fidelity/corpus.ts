import { readFileSync } from 'node:fs';
import { UsageError } from '../base/errors.ts';
import { compareText, isJsonObject, type Json, type JsonObject } from '../base/json.ts';
import { withSentAccept } from './accept.ts';
import type { Answered, CorpusRecord, CorpusRequest, CorpusScenario, Cut, Era } from './types.ts';

/**
 * Reads corpus files: scenarios in the order in which they first appear, exchanges by their `seq`.
 * @throws UsageError naming file and line for a line that is no exchange, and for a file that is not there.
 */
export function readCorpus(files: readonly string[]): readonly CorpusScenario[] {
  const records = files.flatMap((file) => corpusRecords(textOf(file), file));
  const ids = new Set<string>();
  for (const { id } of records) {
    if (ids.has(id)) throw new UsageError('bad-corpus', `two exchanges of the corpus have the id ${id}`);
    ids.add(id);
  }
  return scenariosOf(records);
}

/**
 * The exchanges of a corpus text; samples without a request are left out.
 * @throws UsageError naming file and line for a line that is none.
 */
export function corpusRecords(text: string, file: string): readonly CorpusRecord[] {
  const records: CorpusRecord[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const place = { file, line: index + 1 };
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      throw new UsageError('bad-corpus', 'the line is not JSON', { place });
    }
    if (isSample(value)) continue;
    const record = recordOf(value);
    if (typeof record === 'string') throw new UsageError('bad-corpus', record, { place });
    records.push(record);
  }
  return records;
}

/** Groups exchanges by scenario. */
export function scenariosOf(records: readonly CorpusRecord[]): readonly CorpusScenario[] {
  const byName = new Map<string, CorpusRecord[]>();
  for (const record of records) {
    const known = byName.get(record.scenario);
    if (known) known.push(record);
    else byName.set(record.scenario, [record]);
  }
  return [...byName].map(([name, list]) => ({
    name,
    records: list.toSorted((left, right) => left.seq - right.seq || compareText(left.id, right.id)),
  }));
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new UsageError('no-such-file', `there is no corpus at ${file}`);
  }
}

/** A sample that says that its request is not known: there is nothing to send. */
function isSample(value: unknown): boolean {
  if (!isJsonObject(value) || value.request === undefined) return false;
  return value.request === null || (isJsonObject(value.request) && value.request.path === null);
}

/** The exchange that a line holds, or what is wrong with it. */
function recordOf(value: unknown): CorpusRecord | string {
  if (!isJsonObject(value)) return 'the line is no JSON object';
  const { id, scenario, seq, request, response } = value;
  if (typeof id !== 'string') return 'the exchange has no id';
  if (typeof scenario !== 'string') return 'the exchange names no scenario';
  if (typeof seq !== 'number') return 'the exchange has no seq';
  const asked = requestOf(request);
  if (typeof asked === 'string') return asked;
  const answered = responseOf(response, value.truncated);
  if (typeof answered === 'string') return answered;
  return {
    id,
    scenario,
    seq,
    source: isJsonObject(value.source) ? (textOrNull(value.source.repo) ?? '') : '',
    kind: isJsonObject(value.source) ? (textOrNull(value.source.kind) ?? 'recorded') : 'recorded',
    recordedAt: textOrNull(value.recorded_at),
    era: eraOf(value.era),
    endpoint: textOrNull(value.endpoint),
    operation: textOrNull(value.operation),
    request: withSentAccept(asked, answered),
    response: answered,
    determined: textsOf(value.determined),
  };
}

function requestOf(value: Json | undefined): CorpusRequest | string {
  if (!isJsonObject(value)) return 'the exchange has no request';
  const { method, path, query, headers, auth, host, body } = value;
  if (typeof method !== 'string' || typeof path !== 'string') return 'the request has no method and path';
  return {
    method: method.toUpperCase(),
    path,
    host: textOrNull(host),
    query: isJsonObject(query) ? query : {},
    headers: headersOf(headers),
    auth: textOrNull(auth) ?? 'unknown',
    body: body ?? null,
  };
}

function responseOf(
  value: Json | undefined,
  outside: Json | undefined,
): (Answered & { readonly cuts: readonly Cut[] }) | string {
  if (!isJsonObject(value)) return 'the exchange has no response';
  const { status, headers, body, truncated = outside } = value;
  if (typeof status !== 'number') return 'the response has no status';
  return { status, headers: headersOf(headers), body: plainBody(body), cuts: cutsOf(truncated) };
}

/** A text that is not JSON is a text, however the corpus says so. */
function plainBody(body: Json | undefined): Json {
  if (isJsonObject(body) && typeof body._raw === 'string' && Object.keys(body).length === 1) return body._raw;
  return body ?? null;
}

function cutsOf(value: Json | undefined): readonly Cut[] {
  if (!Array.isArray(value)) return [];
  return (value as readonly Json[]).filter(isJsonObject).flatMap(({ at, why, kept, of }): Cut[] => {
    const reason = (['array', 'text', 'content', 'signature'] as const).find((one) => one === why);
    if (typeof at !== 'string' || typeof of !== 'number' || !reason) return [];
    return [{ at, of, why: reason, ...(typeof kept === 'number' && { kept }) }];
  });
}

function headersOf(value: Json | undefined): Readonly<Record<string, string>> {
  if (!isJsonObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, text]) =>
      text === undefined || text === null ? [] : [[name.toLowerCase(), String(text)]],
    ),
  );
}

function eraOf(value: Json | undefined): Era {
  return (['current', 'recent', 'legacy'] as const).find((era) => era === value) ?? 'undated';
}

function textOrNull(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

function textsOf(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? (value as readonly Json[]).filter((one) => typeof one === 'string') : [];
}

/** The values of a path under a template such as `/repos/{owner}/contents/{path}`; null for another. */
export function pathParameters(template: string, path: string): JsonObject | null {
  const names: string[] = [];
  const last = /\{(\w+)\}$/u.exec(template)?.[1];
  const pattern = template
    .split(/(\{\w+\*?\})/u)
    .map((part) => {
      const name = /^\{(\w+)\*?\}$/u.exec(part)?.[1];
      if (name === undefined) return part.replaceAll(/[.*+?^${}()|[\]\\]/gu, '\\$&');
      names.push(name);
      // The last parameter of a path may hold slashes: a file's path, a ref.
      return name === last ? '(.+)' : '([^/]+)';
    })
    .join('');
  const found = new RegExp(`^${pattern}$`, 'u').exec(path);
  if (!found) return null;
  return Object.fromEntries(names.map((name, index) => [name, decoded(found[index + 1] ?? '')]));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
