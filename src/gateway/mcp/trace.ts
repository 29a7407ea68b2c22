import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import type { TraceContext } from '../host/index.ts';

const TRACE_PARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/u;

/** The most that W3C asks one to pass on, in characters. */
const STATE_MOST = 512;
const BAGGAGE_MOST = 8192;

/** The W3C trace context in a request's `_meta`; undefined where there is none, or not a valid one. */
export function traceOf(meta: Json | undefined): TraceContext | undefined {
  if (!isJsonObject(meta)) return undefined;
  const { traceparent, tracestate, baggage } = meta;
  if (typeof traceparent !== 'string' || !TRACE_PARENT.test(traceparent)) return undefined;
  return {
    traceparent,
    ...(isShort(tracestate, STATE_MOST) && { tracestate }),
    ...(isShort(baggage, BAGGAGE_MOST) && { baggage }),
  };
}

function isShort(value: Json | undefined, most: number): value is string {
  return typeof value === 'string' && value !== '' && value.length <= most;
}

/** `_meta` of a result: the caller's trace context back, so that both ends name the same trace. */
export function metaOf(trace: TraceContext | undefined): { readonly _meta?: JsonObject } {
  return trace ? { _meta: { ...trace } } : {};
}
