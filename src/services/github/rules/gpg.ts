import { type JsonObject, sha1Hex } from '../../../service/index.ts';
import { type Bytes, base64OfBytes, bytesOfBase64, textOfBytes } from '../git/index.ts';

const PUBLIC_KEY = 6;
const USER_ID = 13;
const PUBLIC_SUBKEY = 14;

interface Packet {
  readonly tag: number;
  readonly body: Bytes;
  /** The packet with its header. */
  readonly whole: Bytes;
}

interface Numbering {
  readonly id: number;
  readonly nextId: () => number;
  readonly created_at: string;
}

/** What GitHub shows of an armoured public key, read off its packets; null for what is none. */
export function readGpgKey(armoured: string, { id, nextId, created_at }: Numbering): JsonObject | null {
  const lines = armoured.split(/\r?\n/u);
  const start = lines.findIndex((line) => line.trim() === '');
  const end = lines.findIndex((line) => line.startsWith('=') || line.startsWith('-----END'));
  const bytes = start < 0 || end < start ? null : bytesOfBase64(lines.slice(start, end).join(''));
  const packets = bytes === null ? [] : packetsOf(bytes);
  const primary = packets.find(({ tag }) => tag === PUBLIC_KEY);
  if (!primary) return null;
  const emails = packets
    .filter(({ tag }) => tag === USER_ID)
    .map(({ body }) => /<([^<>]+)>/u.exec(textOfBytes(body))?.[1])
    .filter((email) => email !== undefined)
    .map((email) => ({ email, verified: true }));
  const subkeys = packets
    .filter(({ tag }) => tag === PUBLIC_SUBKEY)
    .map((packet) => ({
      id: nextId(),
      primary_key_id: id,
      key_id: keyIdOf(packet),
      raw_key: null,
      public_key: base64OfBytes(packet.whole),
      emails: [],
      subkeys: [],
      can_sign: false,
      can_encrypt_comms: true,
      can_encrypt_storage: true,
      can_certify: false,
      created_at,
      expires_at: null,
      revoked: false,
    }));
  return {
    primary_key_id: null,
    key_id: keyIdOf(primary),
    raw_key: armoured,
    public_key: base64OfBytes(primary.whole),
    emails,
    subkeys,
    can_sign: true,
    can_encrypt_comms: false,
    can_encrypt_storage: false,
    can_certify: true,
    created_at,
    expires_at: null,
    revoked: false,
  };
}

/** The last eight bytes of the fingerprint, which is the SHA-1 of the packet in its old form. */
function keyIdOf({ body }: Packet): string {
  const length = String.fromCharCode(body.length >> 8, body.length & 0xff);
  return sha1Hex(`\x99${length}${body}`).slice(-16).toUpperCase();
}

/** Packets with lengths in full; what follows one of another kind is not read. */
function packetsOf(bytes: Bytes): readonly Packet[] {
  const packets: Packet[] = [];
  let at = 0;
  while (at < bytes.length) {
    const head = bytes.charCodeAt(at);
    if ((head & 0x80) === 0) break;
    const isNew = (head & 0x40) !== 0;
    const tag = isNew ? head & 0x3f : (head >> 2) & 0x0f;
    const size = isNew ? newLength(bytes, at + 1) : oldLength(bytes, at + 1, head & 3);
    if (!size || size.start + size.length > bytes.length) break;
    const stop = size.start + size.length;
    packets.push({ tag, body: bytes.slice(size.start, stop), whole: bytes.slice(at, stop) });
    at = stop;
  }
  return packets;
}

interface Extent {
  readonly start: number;
  readonly length: number;
}

function oldLength(bytes: Bytes, at: number, kind: number): Extent | null {
  if (kind === 3) return null;
  const width = 1 << kind;
  return { start: at + width, length: numberAt(bytes, at, width) };
}

function newLength(bytes: Bytes, at: number): Extent | null {
  const first = bytes.charCodeAt(at);
  if (first < 192) return { start: at + 1, length: first };
  if (first < 224) return { start: at + 2, length: ((first - 192) << 8) + bytes.charCodeAt(at + 1) + 192 };
  return first === 255 ? { start: at + 5, length: numberAt(bytes, at + 1, 4) } : null;
}

function numberAt(bytes: Bytes, at: number, width: number): number {
  let value = 0;
  for (let index = 0; index < width; index += 1) value = value * 256 + bytes.charCodeAt(at + index);
  return value;
}
