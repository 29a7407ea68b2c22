import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip, gzipSync } from 'node:zlib';
import type { Delivery } from '../../session/index.ts';
import { JSON_TYPE } from './answers.ts';

/** Answers from this size on are packed for clients that take it, in bytes. */
const PACKED_FROM = 1_024;
/** Up to this size packing is quicker than handing the work to another thread. */
const PACKED_HERE = 64 * 1_024;
const FAST = { level: 1 };

/**
 * Writes what a call delivered: the vendor's status, headers and body. `atMs` is the virtual moment of the
 * answer, milliseconds since 1970. Resolves once it is handed to the connection.
 */
export function answerDelivery(
  raw: IncomingMessage,
  response: ServerResponse,
  {
    delivery,
    atMs,
  }: { readonly delivery: Pick<Delivery, 'status' | 'body' | 'headers'>; readonly atMs?: number },
): Promise<void> | undefined {
  const { status, body, headers } = delivery;
  const head: string[] = [];
  let typed = false;
  for (const name in headers) {
    head.push(name, headerText(headers[name] ?? ''));
    typed ||= name.toLowerCase() === 'content-type';
  }
  if (atMs !== undefined) head.push('date', dateText(atMs));
  if (status === 204 || status === 304) {
    response.writeHead(status, head);
    response.end();
    return undefined;
  }
  const text = JSON.stringify(body);
  if (!typed) head.push('content-type', JSON_TYPE);
  const length = Buffer.byteLength(text);
  if (length >= PACKED_FROM && takesGzip(raw.headers['accept-encoding'])) {
    return answerPacked(response, status, { head, text, length });
  }
  head.push('content-length', String(length));
  response.writeHead(status, head);
  response.end(text);
  return undefined;
}

/** What a header cannot hold in a way that all read alike, or not at all. */
const UNSENDABLE = /[^\t\x20-\x7e]+/gu;

/**
 * A header's value as it can be sent, anything but ASCII percent-encoded. The step behind the answer was
 * made: what a world put into a header must not fail it.
 */
function headerText(value: string): string {
  return value.replaceAll(UNSENDABLE, (text) => encodeURIComponent(text.toWellFormed()));
}

const gzipElsewhere = promisify(gzip) as (text: string, options: typeof FAST) => Promise<Buffer>;

async function answerPacked(
  response: ServerResponse,
  status: number,
  { head, text, length }: { head: string[]; text: string; length: number },
): Promise<void> {
  const packed = length <= PACKED_HERE ? gzipSync(text, FAST) : await gzipElsewhere(text, FAST);
  head.push('content-encoding', 'gzip', 'vary', 'accept-encoding', 'content-length', String(packed.length));
  response.writeHead(status, head);
  response.end(packed);
}

function takesGzip(accepted: string | undefined): boolean {
  return accepted !== undefined && /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:\s*[,;]|\s*$))/iu.test(accepted);
}

let lastSecond = Number.NaN;
let lastText = '';

function dateText(atMs: number): string {
  const second = Math.floor(atMs / 1000);
  if (second !== lastSecond) {
    lastSecond = second;
    lastText = new Date(second * 1000).toUTCString();
  }
  return lastText;
}
