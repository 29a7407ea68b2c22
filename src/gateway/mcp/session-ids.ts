import { createHash, randomBytes } from 'node:crypto';
import { sameSecret } from '../host/index.ts';

/** Ended ids that are remembered; the oldest are forgotten first. */
const ENDED_MOST = 10_000;

/**
 * The protocol's own session ids. An id belongs to a token and is checked by computing, so that none has to
 * be kept and those of before a restart still hold. Only what a client ended is remembered.
 */
export class SessionIds {
  readonly #ended = new Set<string>();

  issue(token: string): string {
    const nonce = randomBytes(12).toString('hex');
    return `${nonce}${proof(nonce, token)}`;
  }

  /** Whether this id was issued for the token, and not ended since. */
  holds(id: string, token: string): boolean {
    if (!/^[0-9a-f]{64}$/u.test(id) || this.#ended.has(id)) return false;
    const nonce = id.slice(0, 24);
    return sameSecret(id.slice(24), proof(nonce, token));
  }

  end(id: string): void {
    if (this.#ended.size >= ENDED_MOST) {
      const [oldest] = this.#ended;
      if (oldest !== undefined) this.#ended.delete(oldest);
    }
    this.#ended.add(id);
  }
}

function proof(nonce: string, token: string): string {
  return createHash('sha256').update(`${nonce}:${token}`).digest('hex').slice(0, 40);
}
