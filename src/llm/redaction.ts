import type { Json } from '../base/json.ts';

/** What stands where a secret stood. */
const MASK = '[masked]';

/** Shorter values are words such as `false` or `disabled`, and masking those would garble every text. */
const SECRET_LEAST = 8;

/** `KEY` or the like as a word of the name: `TOKENIZERS_PARALLELISM` holds none. */
const SECRET_NAME =
  /(?:^|_)(?:(?:API)?KEYS?|TOKENS?|SECRETS?|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|PAT|JWT|COOKIE)(?:_|$)/iu;

/** Credentials that are known by their looks: keys of providers, and what an authorisation header carries. */
const SECRET_LOOKS = [
  String.raw`\bsk-[\w-]{16,}`,
  String.raw`\bBearer\s+(?:(?=\S*\d)[\w.~+/=-]{8,}|[\w.~+/=-]{20,})`,
] as const;

/**
 * The values of an environment that are credentials, by the names of their variables; those of `named`
 * whatever they are called, and passwords that stand in URLs.
 */
export function secretsOf(
  environment: Readonly<Record<string, string | undefined>>,
  named: readonly string[] = [],
): readonly string[] {
  return Object.entries(environment).flatMap(([name, value = '']) => {
    if (named.includes(name) || SECRET_NAME.test(name)) return [value];
    const { password = '' } = (/:\/\/[^\s:/@]*:(?<password>[^\s/@]+)@/u.exec(value)?.groups ?? {}) as {
      readonly password?: string;
    };
    return [password];
  });
}

/** Masks secrets in texts and in plain data, before either is written anywhere. */
export class Redaction {
  readonly #pattern: RegExp;

  /** Secrets of fewer than 8 characters are left out: they are found in harmless words. */
  constructor(secrets: Iterable<string> = []) {
    const values = [...new Set([...secrets].map((secret) => secret.trim()))]
      .filter(({ length }) => length >= SECRET_LEAST)
      .flatMap(writings)
      .sort((left, right) => right.length - left.length);
    this.#pattern = new RegExp([...values.map((value) => escaped(value)), ...SECRET_LOOKS].join('|'), 'gu');
  }

  text(text: string): string {
    return text.replace(this.#pattern, MASK);
  }

  /** A copy with every text masked, names of members included. */
  json<T>(value: T): T {
    return this.#masked(value as Json | undefined) as T;
  }

  #masked(value: Json | undefined): Json | undefined {
    if (typeof value === 'string') return this.text(value);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((item: Json) => this.#masked(item) as Json);
    const members = Object.entries(value).map(([name, member]) => [this.text(name), this.#masked(member)]);
    return Object.fromEntries(members) as Json;
  }
}

/** A secret as it stands in a text, in JSON within the text, and in JSON within that. */
function writings(secret: string): string[] {
  const once = JSON.stringify(secret).slice(1, -1);
  const twice = JSON.stringify(once).slice(1, -1);
  return [...new Set([secret, once, twice])];
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&');
}
