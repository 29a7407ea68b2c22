import type { Service } from '../../service/types.ts';

/** Tokens of the server itself: of sessions, and of the control plane. */
const OWN = [{ prefix: 'ghs_' }, { prefix: 'ghc_' }];
const MASKED = '***';

/** Hides what looks like a token of these services, or of the server, in a text that is to be logged. */
export function tokenMask(services: readonly Service[]): (text: string) => string {
  const prefixes = [...OWN, ...services.map(({ access }) => access.token)]
    .map(({ prefix }) => prefix)
    .filter((prefix) => prefix !== '')
    .map((prefix) => prefix.replaceAll(/[^A-Za-z0-9_-]/gu, '\\$&'));
  const pattern = new RegExp(`(${[...new Set(prefixes)].join('|')})[A-Za-z0-9_-]{16,}`, 'gu');
  return (text) => text.replaceAll(pattern, `$1${MASKED}`);
}
