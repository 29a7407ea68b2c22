import { Agent, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isJsonObject, type Json, type JsonObject } from '../base/json.ts';
import type { Answered, CorpusRequest } from './types.ts';

/** A request as it goes over the wire. */
export interface WireRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

const agent = new Agent({ keepAlive: true, maxSockets: 8 });
const TIMEOUT_MS = 30_000;

/**
 * Sends one request: no redirect is followed, nothing is tried twice.
 * @throws Error when no answer comes.
 */
export function exchange({ url, method, headers, body }: WireRequest): Promise<Answered> {
  const secure = url.startsWith('https:');
  return new Promise((resolve, reject) => {
    const options = { method, headers, timeout: TIMEOUT_MS, ...(secure ? {} : { agent }) };
    const sent = (secure ? httpsRequest : httpRequest)(url, options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const found = headersOf(response.headers);
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: response.statusCode ?? 0, headers: found, body: bodyOf(text, found) });
      });
    });
    sent.on('timeout', () => sent.destroy(new Error(`no answer within ${TIMEOUT_MS / 1000} s`)));
    sent.on('error', reject);
    sent.end(body ?? undefined);
  });
}

function headersOf(
  raw: Readonly<Record<string, string | string[] | undefined>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(raw).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}

/** JSON where it is said to be JSON, text otherwise, null for nothing. */
function bodyOf(text: string, headers: Readonly<Record<string, string>>): Json {
  if (text === '') return null;
  if (!/[/+]json\b/u.test(headers['content-type'] ?? '')) return text;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

/** A recorded request as it goes to a base URL; `headers` are those that prove who asks. */
export function wireRequest(
  base: string,
  request: CorpusRequest,
  headers: Readonly<Record<string, string>>,
): WireRequest {
  const type = request.headers['content-type'];
  const body = bodyText(request.body, type);
  return {
    url: `${base}${request.path}${queryText(request.query)}`,
    method: request.method,
    headers: {
      'user-agent': 'groundhog-fidelity',
      ...sentHeaders(request.headers),
      ...(body !== null && !type && { 'content-type': 'application/json' }),
      ...(body !== null && { 'content-length': String(Buffer.byteLength(body)) }),
      ...headers,
    },
    body,
  };
}

const SENT = ['accept', 'content-type', 'if-none-match', 'if-modified-since'];

/** The headers of a recorded request that change what is answered. */
function sentHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => SENT.includes(name) || name.startsWith('x-')),
  );
}

/** A query as it stands behind a path. */
function queryText(query: JsonObject): string {
  const parts = pairsOf(query, '');
  if (parts.length === 0) return '';
  return `?${parts.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`;
}

/** A recorded body as it was sent; `{"$text": …}` is no JSON but that text. */
function bodyText(body: Json, contentType: string | undefined): string | null {
  if (body === null) return null;
  if (contentType?.includes('x-www-form-urlencoded') && typeof body === 'object' && !Array.isArray(body)) {
    return pairsOf(body as JsonObject, '')
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .join('&');
  }
  if (typeof body === 'string') return body;
  const { $text: text, ...rest } = isJsonObject(body) ? body : {};
  return typeof text === 'string' && Object.keys(rest).length === 0 ? text : JSON.stringify(body);
}

/** Members as form fields; nested ones in brackets. */
function pairsOf(value: Json, name: string): readonly (readonly [string, string])[] {
  if (value === null || typeof value !== 'object') return [[name, String(value ?? '')]];
  return Object.entries(value).flatMap(([member, item]) => {
    const inner = encodeURIComponent(member);
    return pairsOf(item as Json, name === '' ? inner : `${name}[${inner}]`);
  });
}
