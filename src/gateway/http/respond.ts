import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip, gzipSync } from 'node:zlib';
import { jsonText } from '../../base/json.ts';
import type { BodyForm } from '../../service/types.ts';
import type { Delivery } from '../../session/index.ts';
import { JSON_TYPE } from './answers.ts';
import type { Rebased } from './origins.ts';
import { type Trickle, trickled } from './trickle.ts';

/** Answers from this size on are packed for clients that take it, in bytes. */
const PACKED_FROM = 1_024;
/** Up to this size packing is quicker than handing the work to another thread. */
const PACKED_HERE = 64 * 1_024;
const FAST = { level: 1 };

/** What a call delivered, as far as it is sent. */
export type Sent = Pick<Delivery, 'status' | 'body' | 'headers' | 'form' | 'broken'>;

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
    rebased = null,
    trickle = null,
  }: {
    readonly delivery: Sent;
    readonly atMs?: number;
    readonly rebased?: Rebased | null;
    /** How the body comes in slowly. */
    readonly trickle?: Trickle | null;
  },
): Promise<void> | undefined {
  const { status, body, form = 'json' } = delivery;
  const { head, isDated, isTyped } = headOf(delivery, rebased);
  if (atMs !== undefined && !isDated) head.push('date', dateText(atMs));
  if (status === 204 || status === 304) {
    response.writeHead(status, head);
    response.end();
    return undefined;
  }
  if (form !== 'empty' && !isTyped) head.push('content-type', TYPES[form]);
  if (form === 'empty' || form === 'base64') {
    const bytes = form === 'base64' && typeof body === 'string' ? Buffer.from(body, 'base64') : NO_BYTES;
    head.push('content-length', String(bytes.length));
    response.writeHead(status, head);
    return ended(response, bytes, trickle);
  }
  const text = asItIs(delivery) ? String(body) : sentText(body, rebased);
  const length = Buffer.byteLength(text);
  if (length >= PACKED_FROM && takesGzip(raw.headers['accept-encoding'])) {
    return answerPacked(response, status, { head, text, length, trickle });
  }
  head.push('content-length', String(length));
  response.writeHead(status, head);
  if (trickle) return trickled(response, Buffer.from(text), trickle);
  // As many bytes as characters: all of it is ASCII, which Latin-1 writes as the same bytes in less time.
  response.end(text, length === text.length ? 'latin1' : 'utf8');
  return undefined;
}

/** Whether a body is a text that goes out as it is: one that is no JSON, or is none any more. */
function asItIs({ form, body, broken }: Sent): boolean {
  return typeof body === 'string' && (form === 'text' || broken === true);
}

function ended(response: ServerResponse, bytes: Buffer, trickle: Trickle | null): Promise<void> | undefined {
  if (trickle) return trickled(response, bytes, trickle);
  response.end(bytes);
  return undefined;
}

const NO_BYTES = Buffer.alloc(0);

/** What a body is, where the vendor does not say so itself. */
const TYPES: Readonly<Record<Exclude<BodyForm, 'empty'>, string>> = {
  json: JSON_TYPE,
  text: 'text/plain; charset=utf-8',
  base64: 'application/octet-stream',
};

function sentText(body: Delivery['body'], rebased: Rebased | null): string {
  return rebased ? rebased.origins.textOf(body, rebased.base) : jsonText(body);
}

/** How long a body is, and how it comes, is this connection's affair alone. */
const FRAMING: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding', 'connection']);
/** The headers in which clients find where to go on. */
const LEADING: ReadonlySet<string> = new Set(['link', 'location']);

/** The vendor's headers as a list of names and values; whether a date and a type are among them. */
function headOf(
  { headers, form }: Sent,
  rebased: Rebased | null,
): { readonly head: string[]; readonly isDated: boolean; readonly isTyped: boolean } {
  const head: string[] = [];
  let isDated = false;
  let isTyped = false;
  for (const name in headers) {
    const lower = name.toLowerCase();
    if (FRAMING.has(lower) || (form === 'empty' && lower === 'content-type')) continue;
    const value = headers[name] ?? '';
    const here = rebased && LEADING.has(lower) ? rebased.origins.inHeader(value, rebased.base) : value;
    head.push(name, headerText(here));
    isDated ||= lower === 'date';
    isTyped ||= lower === 'content-type';
  }
  return { head, isDated, isTyped };
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
  { head, text, length, trickle }: { head: string[]; text: string; length: number; trickle: Trickle | null },
): Promise<void> {
  const packed = length <= PACKED_HERE ? gzipSync(text, FAST) : await gzipElsewhere(text, FAST);
  head.push('content-encoding', 'gzip', 'vary', 'accept-encoding', 'content-length', String(packed.length));
  response.writeHead(status, head);
  await ended(response, packed, trickle);
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
