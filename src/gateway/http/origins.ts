import { type Json, type JsonObject, jsonText, textByParts } from '../../base/json.ts';
import type { Service } from '../../service/types.ts';

/**
 * The origins by which a service calls itself in its answers, and how a base URL of ours comes to stand in
 * their place, so that clients which follow URLs stay here. Only what is sent changes: worlds, records and
 * digests know the vendor's own URLs.
 */
export class Origins {
  /** How a text that begins with an origin begins in JSON. */
  readonly #beginnings: readonly string[];
  readonly #inHeader: RegExp;
  /** The newest text of a part of many answers, and the base in it. */
  readonly #sent = new WeakMap<JsonObject, { readonly base: string; readonly text: string }>();

  constructor(origins: readonly string[]) {
    this.#beginnings = origins.map((origin) => `"${origin}`);
    const any = origins.map((origin) => origin.replaceAll('.', '\\.')).join('|');
    this.#inHeader = new RegExp(String.raw`(?:${any})(?![\w.:\-])`, 'gu');
  }

  /** The JSON text of a body, as `inBody` gives it; parts of many answers are gone through once. */
  textOf(body: Json, base: string): string {
    return textByParts(body, (part) => this.#inPart(part, base)) ?? this.inBody(jsonText(body), base);
  }

  #inPart(part: JsonObject, base: string): string {
    const known = this.#sent.get(part);
    if (known?.base === base) return known.text;
    const text = this.inBody(jsonText(part), base);
    this.#sent.set(part, { base, text });
    return text;
  }

  /** The JSON text of a body with `base` in place of an origin wherever a text in it begins with one. */
  inBody(text: string, base: string): string {
    const begin = JSON.stringify(base).slice(0, -1);
    return this.#beginnings.reduce((sent, beginning) => withBeginning(sent, beginning, begin), text);
  }

  /** A header's value with `base` in place of each origin. */
  inHeader(value: string, base: string): string {
    return value.replaceAll(this.#inHeader, () => base);
  }
}

/** Searched by hand: a body may hold hundreds of URLs, and this is in the way of every answer. */
function withBeginning(text: string, beginning: string, begin: string): string {
  let sent = '';
  let done = 0;
  for (let at = text.indexOf(beginning); at >= 0; at = text.indexOf(beginning, at + 1)) {
    const end = at + beginning.length;
    if (!BEHIND_ORIGIN.has(text[end] ?? '') || !isValue(text, at, end)) continue;
    sent += text.slice(done, at) + begin;
    done = end;
  }
  return done === 0 ? text : sent + text.slice(done);
}

const BEHIND_ORIGIN: ReadonlySet<string> = new Set('/?{"');

/**
 * Whether a value begins at this quote: not a member's name, nor anything within a text, where a backslash
 * stands before the quote.
 */
function isValue(text: string, quote: number, from: number): boolean {
  const before = text[quote - 1];
  if (before !== ',') return before === undefined || before === ':' || before === '[';
  // Behind a comma stands an item, or a name, which a colon follows.
  let end = from;
  while (text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
  return text[end + 1] !== ':';
}

export function originsOf({ access }: Service): Origins | null {
  return access.origins && access.origins.length > 0 ? new Origins(access.origins) : null;
}

/** Origins, and what the client that is answered calls them. */
export interface Rebased {
  readonly origins: Origins;
  readonly base: string;
}
