import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import type { TraceFile } from '../documents.ts';
import { textOf } from '../run-builder.ts';

type Attributes = Readonly<Record<string, Json>>;

/** An event of a span, or a log record that belongs to it. */
export interface SpanEvent {
  readonly name: string;
  readonly attributes: Attributes;
  readonly body: Json;
}

/** A span of any of the layouts, its attributes under flat names. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | null;
  readonly name: string;
  readonly startNs: bigint;
  readonly endNs: bigint;
  readonly attributes: Attributes;
  readonly events: readonly SpanEvent[];
  readonly isError: boolean;
  /** Attributes and events that the exporter dropped by its limits. */
  readonly dropped: number;
}

/**
 * Spans of an OTLP/JSON request, of lists of them or of flat lists of spans, in order of start, then end,
 * then file. Null when any part of the file is neither span nor log record.
 */
export function readSpans(trace: TraceFile): readonly Span[] | null {
  const spans: Span[] = [];
  const logs: JsonObject[] = [];
  for (const { value } of trace.documents) if (!collect(value, spans, logs)) return null;
  return sorted(withLogs(spans, logs));
}

function collect(value: Json, spans: Span[], logs: JsonObject[]): boolean {
  if (Array.isArray(value)) {
    return value.length > 0 && (value as readonly Json[]).every((item) => collect(item, spans, logs));
  }
  if (!isJsonObject(value)) return false;
  if (Array.isArray(value.resourceSpans) || Array.isArray(value.resourceLogs)) {
    for (const scope of scopesOf(value.resourceSpans, ['scopeSpans', 'instrumentationLibrarySpans'])) {
      for (const span of listOf(scope.spans)) spans.push(spanOf(span));
    }
    for (const scope of scopesOf(value.resourceLogs, ['scopeLogs'])) logs.push(...listOf(scope.logRecords));
    return true;
  }
  if (Array.isArray(value.spans)) return collect(value.spans as readonly Json[], spans, logs);
  if (!isSpan(value)) return false;
  spans.push(spanOf(value));
  return true;
}

function scopesOf(resources: Json | undefined, names: readonly string[]): JsonObject[] {
  return listOf(resources).flatMap((resource) => names.flatMap((name) => listOf(resource[name])));
}

function listOf(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? (value as readonly Json[]).filter(isJsonObject) : [];
}

/** Where the layouts keep ids: in the span, in its context, in `snake_case`. */
function contextOf(span: JsonObject): JsonObject {
  for (const context of [span.context, span.spanContext]) if (isJsonObject(context)) return context;
  return {};
}

const idOf = (span: JsonObject, names: readonly string[]): string | null => {
  const context = contextOf(span);
  for (const name of names) {
    const id = textOf(span[name]) ?? textOf(context[name]);
    if (id !== null) return id.replace(/^0x/u, '').toLowerCase();
  }
  return null;
};

function isSpan(value: JsonObject): boolean {
  return (
    typeof value.name === 'string' &&
    idOf(value, ['traceId', 'trace_id']) !== null &&
    idOf(value, ['spanId', 'span_id']) !== null
  );
}

function spanOf(span: JsonObject): Span {
  const parent = isJsonObject(span.parentSpanContext) ? textOf(span.parentSpanContext.spanId) : null;
  const startNs = timeOf(
    span.startTimeUnixNano ?? span.start_time_unix_nano ?? span.start_time ?? span.startTime,
  );
  const endNs = timeOf(span.endTimeUnixNano ?? span.end_time_unix_nano ?? span.end_time ?? span.endTime);
  return {
    traceId: idOf(span, ['traceId', 'trace_id']) ?? '',
    spanId: idOf(span, ['spanId', 'span_id']) ?? '',
    parentId:
      textOf(span.parentSpanId ?? span.parent_span_id ?? span.parentId ?? span.parent_id)
        ?.replace(/^0x/u, '')
        .toLowerCase() ?? parent,
    name: textOf(span.name) ?? '',
    startNs,
    endNs,
    attributes: attributesOf(span.attributes),
    events: listOf(span.events ?? span.span_events).map(eventOf),
    isError: isErrorStatus(span.status ?? span.status_code),
    dropped: Number(span.droppedAttributesCount ?? 0) + Number(span.droppedEventsCount ?? 0),
  };
}

function eventOf(event: JsonObject): SpanEvent {
  const attributes = attributesOf(event.attributes);
  const name = textOf(event.name) ?? textOf(event.eventName) ?? textOf(event.event_name);
  return {
    name: name ?? textOf(attributes['event.name']) ?? '',
    attributes,
    body: plain(event.body ?? null),
  };
}

const ERROR_CODES: readonly Json[] = [2, '2', 'ERROR', 'STATUS_CODE_ERROR', 'error'];

function isErrorStatus(status: Json | undefined): boolean {
  if (isJsonObject(status)) return ERROR_CODES.includes((status.code ?? status.status_code ?? null) as Json);
  return ERROR_CODES.includes(status ?? null);
}

/**
 * Nanoseconds of a number or its digits, of `[seconds, nanoseconds]`, of an ISO date; 0 for anything else.
 */
function timeOf(time: Json | undefined): bigint {
  if (Array.isArray(time)) {
    const [seconds = 0, nanos = 0] = time as readonly Json[];
    return whole(seconds) * 1_000_000_000n + whole(nanos);
  }
  if (typeof time === 'string' && !/^\d+$/u.test(time)) {
    const ms = Date.parse(time);
    return Number.isNaN(ms) ? 0n : BigInt(ms) * 1_000_000n + microsecondsOf(time);
  }
  return whole(time ?? 0);
}

function whole(value: Json): bigint {
  if (typeof value === 'string' && /^\d+$/u.test(value)) return BigInt(value);
  return typeof value === 'number' && Number.isFinite(value) ? BigInt(Math.trunc(value)) : 0n;
}

/** What an ISO date says beyond its milliseconds. */
function microsecondsOf(time: string): bigint {
  const digits = /\.(\d+)/u.exec(time)?.[1] ?? '';
  return BigInt(digits.padEnd(9, '0').slice(3, 9) || '0');
}

/** A list of keys and typed values, a flat object, or a nested one, as flat names. */
function attributesOf(value: Json | undefined): Attributes {
  if (Array.isArray(value)) {
    return Object.fromEntries(
      listOf(value).map(({ key, value: given }) => [String(key), plain(given ?? null)]),
    );
  }
  if (!isJsonObject(value)) return {};
  // Without a prototype, so that no name means more than what the file gives it.
  const flat = Object.create(null) as Record<string, Json>;
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    if (!name.includes('.') && (isJsonObject(member) || Array.isArray(member))) flatten(flat, name, member);
    else flat[name] = member;
  }
  return flat;
}

function flatten(flat: Record<string, Json>, name: string, value: Json): void {
  flat[name] = value;
  const entries = Array.isArray(value) || isJsonObject(value) ? Object.entries(value as JsonObject) : [];
  for (const [key, member] of entries) if (member !== undefined) flatten(flat, `${name}.${key}`, member);
}

/** A typed value of OTLP as plain JSON; anything else as it is. */
function plain(value: Json): Json {
  if (!isJsonObject(value)) return value;
  const [name, given, ...more] = Object.entries(value).flat();
  if (more.length > 0 || typeof name !== 'string' || given === undefined) return value;
  const inner = given as Json;
  if (name === 'intValue') return Number(inner);
  if (/^(?:string|double|bool|bytes)Value$/u.test(name)) return inner;
  if (name === 'arrayValue') return isJsonObject(inner) ? valuesOf(inner).map(plain) : [];
  if (name !== 'kvlistValue') return value;
  return isJsonObject(inner) ? attributesOf(valuesOf(inner)) : {};
}

function valuesOf(list: JsonObject): readonly Json[] {
  return Array.isArray(list.values) ? (list.values as readonly Json[]) : [];
}

/** Log records join the span that they name; one whose span is not in the file stands for it. */
function withLogs(spans: readonly Span[], logs: readonly JsonObject[]): Span[] {
  const byId = new Map(spans.map((span) => [`${span.traceId} ${span.spanId}`, span]));
  for (const log of logs) {
    const event = eventOf(log);
    const [traceId, spanId] = [
      idOf(log, ['traceId', 'trace_id']) ?? '',
      idOf(log, ['spanId', 'span_id']) ?? '',
    ];
    const time = timeOf(log.timeUnixNano ?? log.observedTimeUnixNano);
    const key = `${traceId} ${spanId}`;
    const known = byId.get(key) ?? {
      traceId,
      spanId,
      parentId: null,
      name: event.name,
      startNs: time,
      endNs: time,
      attributes: {},
      events: [],
      isError: false,
      dropped: 0,
    };
    byId.set(key, { ...known, events: [...known.events, event] });
  }
  return [...byId.values()];
}

function sorted(spans: readonly Span[]): Span[] {
  const compare = (left: bigint, right: bigint): number => (left < right ? -1 : left > right ? 1 : 0);
  return [...spans].sort(
    (one, other) => compare(one.startNs, other.startNs) || compare(one.endNs, other.endNs),
  );
}

/** The lists and objects that flat names such as `llm.output_messages.0.message.role` stand for. */
export function nested(attributes: Attributes, prefix: string): Json[] {
  const root: Nest = new Map();
  for (const [name, value] of Object.entries(attributes)) {
    if (!name.startsWith(`${prefix}.`)) continue;
    const path = name.slice(prefix.length + 1).split('.');
    if (!/^\d+$/u.test(path[0] ?? '')) continue;
    put(root, path, value);
  }
  const list = root.size === 0 ? [] : unpacked(root);
  return Array.isArray(list) ? list : [];
}

type Nest = Map<string, Nest | { readonly value: Json }>;

function put(nest: Nest, path: readonly string[], value: Json): void {
  let current = nest;
  for (const [depth, name] of path.entries()) {
    const known = current.get(name);
    if (depth === path.length - 1) {
      if (!(known instanceof Map)) current.set(name, { value });
      return;
    }
    const next = known instanceof Map ? known : new Map();
    current.set(name, next);
    current = next;
  }
}

function unpacked(nest: Nest): Json {
  const entries = [...nest].map(([name, inner]): [string, Json] => [
    name,
    inner instanceof Map ? unpacked(inner) : inner.value,
  ]);
  if (!entries.every(([name]) => /^\d+$/u.test(name))) return Object.fromEntries(entries);
  return entries.sort(([one], [other]) => Number(one) - Number(other)).map(([, value]) => value);
}
