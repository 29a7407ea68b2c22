import type { Service } from '../../service/types.ts';

/**
 * The origins by which a service calls itself in its answers, and how a base URL of ours comes to stand in
 * their place, so that clients which follow URLs stay here. Only what is sent changes: worlds, records and
 * digests know the vendor's own URLs.
 */
export class Origins {
  /** What some value of a body must hold, before anything is looked for. */
  readonly #beginnings: readonly string[];
  readonly #inBody: RegExp;
  readonly #inHeader: RegExp;

  constructor(origins: readonly string[]) {
    const any = origins.map((origin) => origin.replaceAll(/[.*+?^${}()|[\]\\/]/gu, '\\$&')).join('|');
    this.#beginnings = origins.map((origin) => `"${origin}`);
    // A value follows a colon, a bracket, a comma or nothing; what a colon follows is a name. A quote within
    // a text has a backslash before it.
    this.#inBody = new RegExp(
      String.raw`(?<=^|[:\[,])"(?:${any})(?=[\/?\{"])(?![^"\\]*(?:\\.[^"\\]*)*":)`,
      'gv',
    );
    this.#inHeader = new RegExp(String.raw`(?:${any})(?![\w.:\-])`, 'gv');
  }

  /** The JSON text of a body with `base` in place of an origin wherever a text in it begins with one. */
  inBody(text: string, base: string): string {
    if (!this.#beginnings.some((beginning) => text.includes(beginning))) return text;
    const begin = JSON.stringify(base).slice(0, -1);
    return text.replaceAll(this.#inBody, () => begin);
  }

  /** A header's value with `base` in place of each origin. */
  inHeader(value: string, base: string): string {
    return value.replaceAll(this.#inHeader, () => base);
  }
}

export function originsOf({ access }: Service): Origins | null {
  return access.origins && access.origins.length > 0 ? new Origins(access.origins) : null;
}

/** Origins, and what the client that is answered calls them. */
export interface Rebased {
  readonly origins: Origins;
  readonly base: string;
}
