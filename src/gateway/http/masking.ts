import type { Service } from '../../service/types.ts';
import { CONTROL_TOKEN, ENVIRONMENT_TOKEN, SESSION_TOKEN } from '../host/index.ts';

/** Tokens of the server itself. */
const OWN = [SESSION_TOKEN, CONTROL_TOKEN, ENVIRONMENT_TOKEN];
const MASKED = '***';

/** Hides what looks like a token of these services, or of the server, in a text that is to be logged. */
export function tokenMask(services: readonly Service[]): (text: string) => string {
  const prefixes = [...OWN, ...services.map(({ access }) => access.token)]
    .map(({ prefix }) => prefix)
    .filter((prefix) => prefix !== '')
    .map((prefix) => prefix.replaceAll(/[^A-Za-z0-9_-]/gu, '\\$&'));
  const pattern = new RegExp(`(${[...new Set(prefixes)].join('|')})[A-Za-z0-9_-]{16,}`, 'gu');
  const masked = (text: string): string => text.replaceAll(pattern, `$1${MASKED}`);
  return (text) => {
    const plain = text.includes('%') ? decoded(text) : text;
    const hidden = masked(plain);
    // A token that a client percent-encoded is one all the same; what holds none stays as it came.
    return hidden === plain ? masked(text) : hidden;
  };
}

/** Percent-decoded, but for what does not decode. */
function decoded(text: string): string {
  return text.replaceAll(/%[0-7][0-9a-f]/giu, (part) => decodeURIComponent(part));
}
