import type { LogRecord } from '../../store/session-log.ts';
import { Held, type Shelf } from './held.ts';
import type { InputRecord, LoggedCredential } from './records.ts';
import { credentialOf } from './records.ts';
import { TokenIndex } from './token-index.ts';
import type { Credential } from './types.ts';

/** Which sessions there are, by id and by token. */
export class SessionRegistry {
  readonly #byId = new Map<string, Held>();
  readonly #tokens = new TokenIndex<Held>();

  get size(): number {
    return this.#byId.size;
  }

  get(id: string): Held | undefined {
    return this.#byId.get(id);
  }

  /** Sessions in the order in which they came, `limit` of them after `after`. */
  list(after: string | undefined, limit: number): readonly Held[] {
    const found: Held[] = [];
    let begun = after === undefined;
    for (const [id, held] of this.#byId) {
      if (found.length >= limit) break;
      if (begun) found.push(held);
      else begun = id === after;
    }
    return found;
  }

  credential(token: string): Credential | undefined {
    const found = this.#tokens.find(token);
    return found && { token, session: found.owner.id, ...found.opening };
  }

  add(held: Held, credentials: readonly Credential[]): void {
    this.#byId.set(held.id, held);
    this.addCredentials(held, credentials);
  }

  addCredentials(held: Held, credentials: readonly Credential[]): void {
    for (const { token, service, actor, worldToken } of credentials) {
      const opening = { service, actor, ...(worldToken !== undefined && { worldToken }) };
      this.#tokens.add(token, opening, held);
    }
  }

  remove(held: Held, credentials: readonly Credential[]): void {
    for (const { token } of credentials) this.#tokens.remove(token);
    this.#byId.delete(held.id);
  }
}

/** Fills a registry with the sessions that a log leaves open. */
export class RegistryReader {
  readonly #registry: SessionRegistry;
  readonly #shelf: Shelf;
  readonly #open = new Map<string, { position: number; credentials: LoggedCredential[] }>();

  constructor(registry: SessionRegistry, shelf: Shelf) {
    this.#registry = registry;
    this.#shelf = shelf;
  }

  startAnew(): void {
    this.#open.clear();
  }

  /** Takes the records of the log in order. */
  visit({ kind, session, position, body }: LogRecord & { readonly position: number }): void {
    if (kind === 'c') {
      this.#open.delete(session);
      return;
    }
    const known = this.#open.get(session);
    const entry = known ?? { position, credentials: [] };
    entry.position = position;
    if (!known) this.#open.set(session, entry);
    if (kind !== 'o' && kind !== 'j') return;
    const { credentials = [] } = JSON.parse(body.toString()) as Pick<InputRecord, 'credentials'>;
    entry.credentials.push(...credentials);
  }

  /** All records were taken. */
  finish(): void {
    for (const [id, { position, credentials }] of this.#open) {
      const held = new Held(id, this.#shelf, { warm: null, last: position, touchedMs: 0 });
      this.#registry.add(
        held,
        credentials.map((logged) => credentialOf(id, logged)),
      );
    }
    this.#open.clear();
  }
}
