import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import { invariant } from '../../base/errors.ts';
import type { Access } from '../../service/types.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** The token of a session itself: MCP, the path prefix and the session header take it. */
export const SESSION_TOKEN: Access['token'] = { prefix: 'hog_session_', length: 40 };

/** What opens the control plane. */
export const CONTROL_TOKEN: Access['token'] = { prefix: 'hog_control_', length: 40 };

/** The id of an environment that outlives its connection. */
export const ENVIRONMENT_TOKEN: Access['token'] = { prefix: 'hog_environment_', length: 40 };

/** Draws a token that nobody can guess: the one place where a world's surroundings are random. */
export function drawToken({ prefix, length, alphabet = LETTERS }: Access['token']): string {
  invariant(length * Math.log2(alphabet.length) >= 100, 'a token of this shape could be guessed', { prefix });
  // Not one character put to another: the engine would keep all the pieces of the text.
  const codes = Array.from({ length }, () => alphabet.charCodeAt(randomInt(alphabet.length)));
  return Buffer.from(prefix + String.fromCharCode(...codes)).toString();
}

/** Whether two secrets are equal, in a time that says nothing about where they differ. */
export function sameSecret(given: string, known: string): boolean {
  return timingSafeEqual(hashed(given), hashed(known));
}

function hashed(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
