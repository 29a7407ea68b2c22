import type { IncomingHttpHeaders } from 'node:http';
import type { TraceContext } from '../host/index.ts';

const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/u;
/** Longer baggage than the recommendation asks anyone to carry is dropped, in characters. */
const CARRIED_MOST = 8_192;

/** The W3C trace context of a request; undefined when there is none that is well-formed. */
export function traceOf(headers: IncomingHttpHeaders): TraceContext | undefined {
  const { traceparent } = headers;
  if (typeof traceparent !== 'string' || !TRACEPARENT.test(traceparent)) return undefined;
  const tracestate = carried(headers.tracestate);
  const baggage = carried(headers.baggage);
  return {
    traceparent,
    ...(tracestate !== undefined && { tracestate }),
    ...(baggage !== undefined && { baggage }),
  };
}

function carried(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' && value.length <= CARRIED_MOST ? value : undefined;
}
