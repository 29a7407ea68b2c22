import { digestJson } from '../base/digest.ts';
import { InvariantError } from '../base/errors.ts';
import type { IdPattern } from './types.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const WORDS_PER_DIGEST = 16;

/**
 * Id number `draw` (from 0) of a table's stream. Token ids depend on the seed too; the others on the draw
 * only.
 */
export function drawId(table: string, pattern: IdPattern, stream: { seed: string; draw: number }): string {
  switch (pattern.kind) {
    case 'sequence':
      return pattern.prefix + String(pattern.start + stream.draw).padStart(pattern.width ?? 0, '0');
    case 'token':
      return pattern.prefix + token(pattern, [stream.seed, table, stream.draw]);
    case 'list': {
      const id = pattern.ids[stream.draw] ?? pattern.next?.(stream.draw);
      if (id !== undefined) return id;
      throw new InvariantError(`table ${table}: its list of ${pattern.ids.length} ids is used up`);
    }
  }
}

/** Characters from 16-bit words of SHA-256; the tilt of a word modulo 62 does not matter for a name. */
function token(
  pattern: { readonly length: number; readonly alphabet?: string },
  origin: readonly [string, string, number],
): string {
  const alphabet = pattern.alphabet ?? ALPHABET;
  let text = '';
  for (let block = 0; text.length < pattern.length; block += 1) {
    const digest = digestJson(block === 0 ? origin : [...origin, block]);
    for (let word = 0; word < WORDS_PER_DIGEST && text.length < pattern.length; word += 1) {
      text += alphabet[Number.parseInt(digest.slice(word * 4, word * 4 + 4), 16) % alphabet.length];
    }
  }
  return text;
}
