import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { z } from 'zod';
import { UsageError } from '../base/errors.ts';
import { writeWhole } from './run-lines.ts';
import { readText } from './text-files.ts';

/** How a sealed scenario's file ends. */
export const SEALED_ENDING = '.sealed.json';

/** Names the file with the key under which sealed scenarios are read. */
export const KEY_VARIABLE = 'GROUNDHOG_BANK_KEY';

/** Begins every canary: whoever finds it in a corpus knows what leaked. */
export const CANARY = 'groundhog-sealed-scenario';

const sealedSchema = z.strictObject({
  format: z.literal('groundhog.sealed'),
  version: z.literal(1),
  id: z.string(),
  notice: z.string(),
  canary: z.string(),
  cipher: z.literal('aes-256-gcm'),
  nonce: z.base64(),
  tag: z.base64(),
  data: z.base64(),
});

type SealedFile = z.infer<typeof sealedSchema>;

/** A scenario that was read out of its sealed file. */
export interface OpenedScenario {
  readonly text: string;
  readonly canary: string;
}

const NOTICE =
  'A sealed scenario of a benchmark. It must not be in training data: the canary tells where it went.';

/** A sealed file's text. Two seals of one text differ: nonce and canary are drawn anew. */
export function sealText(id: string, text: string, key: Uint8Array): string {
  const nonce = randomBytes(12);
  const canary = `${CANARY}:${randomUUID()}`;
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(`${id}\n${canary}`));
  const data = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  const file: SealedFile = {
    format: 'groundhog.sealed',
    version: 1,
    id,
    notice: NOTICE,
    canary,
    cipher: 'aes-256-gcm',
    nonce: nonce.toString('base64'),
    tag: cipher.getAuthTag().toString('base64'),
    data: data.toString('base64'),
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

/** The id in a sealed file's name. */
export const sealedId = (path: string): string => basename(path).slice(0, -SEALED_ENDING.length);

/**
 * Opens a sealed file. Id and canary are sealed with the text, so neither can be exchanged or taken away.
 * @throws UsageError for a file that is none, was changed, or was sealed under another key
 */
export function openSealed(path: string, key: Uint8Array): OpenedScenario {
  const file = readSealed(path);
  try {
    const nonce = Buffer.from(file.nonce, 'base64');
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: 16 })
      .setAAD(Buffer.from(`${sealedId(path)}\n${file.canary}`))
      .setAuthTag(Buffer.from(file.tag, 'base64'));
    const text = Buffer.concat([decipher.update(Buffer.from(file.data, 'base64')), decipher.final()]);
    return { text: text.toString('utf8'), canary: file.canary };
  } catch {
    throw new UsageError('sealed', 'the file does not open: another key sealed it, or it was changed', {
      place: { file: path, line: 1, column: 1 },
      hint: `${KEY_VARIABLE} names the file with the key`,
    });
  }
}

function readSealed(path: string): SealedFile {
  let value: unknown;
  try {
    value = JSON.parse(readText(path));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    value = null;
  }
  const parsed = sealedSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new UsageError('sealed', 'the file is no sealed scenario', {
    place: { file: path, line: 1, column: 1 },
  });
}

/** The key of a key file: 64 hex digits. @throws UsageError for a file that is not there or holds no key. */
export function readKey(path: string): Uint8Array {
  const text = readText(path).trim();
  if (/^[0-9a-f]{64}$/iu.test(text)) return Buffer.from(text, 'hex');
  throw new UsageError('no-key', `${path} holds no key: a key is 64 hex digits`, {
    hint: '`groundhog bank seal` writes a new one where the file is not there yet',
  });
}

/** The key that the environment names; null when it names none. */
export function keyOfEnvironment(): Uint8Array | null {
  const path = process.env[KEY_VARIABLE];
  return path === undefined || path === '' ? null : readKey(path);
}

/** The key of this file, which is written with a new one, for its owner alone, where it is not there. */
export function keyFile(path: string): { readonly key: Uint8Array; readonly made: boolean } {
  if (existsSync(path)) return { key: readKey(path), made: false };
  const key = randomBytes(32);
  writeWhole(path, `${key.toString('hex')}\n`, { mode: 0o600 });
  return { key, made: true };
}
