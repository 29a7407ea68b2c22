import { createHmac, randomBytes } from 'node:crypto';
import { isJsonObject, type Json, type JsonObject } from '../base/json.ts';

const SECRET = /(?:^|_)(?:token|secret|password|passwd|pem|private_key|signature|key)$/u;
const PERSONAL: ReadonlySet<string> = new Set(['company', 'location', 'blog', 'bio', 'twitter_username']);
const MAIL = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/gu;
const ADDRESS = /\b(?!127\.|0\.)(?:\d{1,3}\.){3}\d{1,3}\b/gu;
const LEAST_LOGIN_LENGTH = 2;

/**
 * Puts stable stand-ins in place of what is private: the same value gives the same stand-in for as long as
 * this lives. Logins, names of people, mail and network addresses, personal texts, tokens and keys go; ids,
 * texts of the work and names of things stay.
 */
export class Redaction {
  readonly #key: string;
  readonly #tokens: readonly string[];
  readonly #logins = new Map<string, string>();

  /** `tokens` are texts that must not appear anywhere; `key` makes stand-ins repeat, for tests. */
  constructor(tokens: readonly string[], key: string = randomBytes(16).toString('hex')) {
    this.#tokens = tokens.filter((token) => token !== '');
    this.#key = key;
  }

  /** Learns the logins of a body; to be called before any of it is redacted. */
  learn(value: Json): void {
    if (Array.isArray(value)) for (const item of value as readonly Json[]) this.learn(item);
    if (!isJsonObject(value)) return;
    const { login } = value;
    if (typeof login === 'string' && login.length >= LEAST_LOGIN_LENGTH) this.login(login);
    for (const member of Object.values(value)) if (member !== undefined) this.learn(member);
  }

  /** The stand-in of a login. */
  login(login: string): string {
    const known = this.#logins.get(login);
    if (known !== undefined) return known;
    const made = `user-${this.#mark(login.toLowerCase(), 6)}`;
    this.#logins.set(login, made);
    return made;
  }

  /** A body without what is private. */
  body(value: Json): Json {
    return this.#value(value, '', false);
  }

  /** A path, header or other text without what is private. */
  text(text: string): string {
    let plain = text;
    for (const token of this.#tokens) plain = plain.replaceAll(token, `REDACTED-${this.#mark(token, 6)}`);
    plain = plain
      .replaceAll(MAIL, (mail) => `${this.#mark(mail.toLowerCase(), 6)}@example.com`)
      .replaceAll(ADDRESS, (address) => `203.0.113.${Number.parseInt(this.#mark(address, 2), 16) % 255}`)
      .replaceAll(/\b(?:gh[a-z]_|github_pat_)\w{8,}/gu, (token) => `REDACTED-${this.#mark(token, 6)}`);
    for (const [login, made] of this.#logins) {
      if (plain.includes(login)) plain = plain.replaceAll(wordOf(login), made);
    }
    return plain;
  }

  #value(value: Json, name: string, isPerson: boolean): Json {
    if (Array.isArray(value)) {
      return (value as readonly Json[]).map((item) => this.#value(item, name, isPerson));
    }
    if (isJsonObject(value)) return this.#object(value);
    if (typeof value !== 'string' || value === '') return value;
    if (SECRET.test(name)) return `REDACTED-${this.#mark(value, 6)}`;
    if (isPerson && name === 'name') return `Person ${this.#mark(value, 4)}`;
    if (isPerson && PERSONAL.has(name)) return `REDACTED-${this.#mark(value, 6)}`;
    return this.text(value);
  }

  #object(value: JsonObject): JsonObject {
    const isPerson = typeof value.login === 'string' || typeof value.email === 'string';
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        member === undefined ? member : this.#value(member, name, isPerson),
      ]),
    );
  }

  #mark(text: string, length: number): string {
    return createHmac('sha256', this.#key).update(text).digest('hex').slice(0, length);
  }
}

/** A login where it stands as a word of its own. */
function wordOf(login: string): RegExp {
  const plain = login.replaceAll(/[.*+?^${}()|[\]\\]/gu, '\\$&');
  return new RegExp(`(?<![\\w-])${plain}(?![\\w-])`, 'gu');
}
