import type { IncomingMessage } from 'node:http';
import { brotliDecompress, gunzip, inflate, inflateRaw, type ZlibOptions } from 'node:zlib';
import { BodyProblem } from './types.ts';

const EMPTY = Buffer.alloc(0);

/** Codings that one body may have been packed with, one on the other. */
const CODINGS_MOST = 2;

/** Whether the headers of a request announce a body. */
export function announcesBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/** The length that a request announces, in bytes; 0 when it announces none. */
export function announcedLength({ headers }: IncomingMessage): number {
  return Number(headers['content-length'] ?? 0);
}

/**
 * The whole body of a request, unpacked, of `bytesMost` bytes at the most both packed and unpacked.
 * @throws BodyProblem when it is larger, or cannot be unpacked.
 */
export async function readBody(request: IncomingMessage, bytesMost: number): Promise<Buffer> {
  if (!announcesBody(request)) return EMPTY;
  if (announcedLength(request) > bytesMost) throw tooLarge(bytesMost);
  const packed = await received(request, bytesMost);
  const coding = request.headers['content-encoding'];
  return coding === undefined ? packed : unpacked(packed, coding, bytesMost);
}

function received(request: IncomingMessage, bytesMost: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let first: Buffer | undefined;
    let more: Buffer[] | undefined;
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > bytesMost) {
        request.removeAllListeners('data');
        reject(tooLarge(bytesMost));
      } else if (first === undefined) first = chunk;
      else if (more) more.push(chunk);
      else more = [first, chunk];
    });
    request.on('end', () => resolve(more ? Buffer.concat(more) : (first ?? EMPTY)));
    request.on('error', reject);
  });
}

async function unpacked(packed: Buffer, coding: string, bytesMost: number): Promise<Buffer> {
  const codings = coding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  if (codings.length > CODINGS_MOST) throw new BodyProblem(415, 'the body is packed too often');
  let body = packed;
  for (const name of codings.reverse()) body = await unpackedOnce(body, name, bytesMost);
  return body;
}

type Unpack = (body: Buffer, options: ZlibOptions, done: (error: Error | null, body: Buffer) => void) => void;

const UNPACKERS: Readonly<Record<string, Unpack>> = {
  gzip: gunzip,
  'x-gzip': gunzip,
  br: brotliDecompress,
  // Half of the clients send the bare stream under this name.
  deflate: (body, options, done) =>
    ((body[0] ?? 0) & 0x0f) === 8 ? inflate(body, options, done) : inflateRaw(body, options, done),
};

function unpackedOnce(body: Buffer, name: string, bytesMost: number): Promise<Buffer> {
  const unpack = Object.hasOwn(UNPACKERS, name) ? UNPACKERS[name] : undefined;
  if (!unpack) throw new BodyProblem(415, `the body is packed as ${name}, which is not taken here`);
  return new Promise((resolve, reject) => {
    // The limit is what makes a small body that unpacks to gigabytes harmless.
    unpack(body, { maxOutputLength: bytesMost }, (error, result) => {
      if (!error) resolve(result);
      else if ('code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') reject(tooLarge(bytesMost));
      else reject(new BodyProblem(400, `the body is not ${name}`));
    });
  });
}

function tooLarge(bytesMost: number): BodyProblem {
  return new BodyProblem(413, `the body has more than ${bytesMost} bytes`);
}
