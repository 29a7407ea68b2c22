import type { Json } from '../base/json.ts';

/**
 * Reads the `repr` of a Python dict or list, which several instrumentations write where JSON belongs: quotes
 * of either kind, `True`, `False`, `None`, tuples. Undefined for anything else.
 */
export function parsePythonLiteral(text: string): Json | undefined {
  const reader = new LiteralReader(text);
  const value = reader.value(0);
  return reader.atEnd() ? value : undefined;
}

const WORDS: Readonly<Record<string, Json>> = { True: true, False: false, None: null };
const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '\\': '\\',
  "'": "'",
  '"': '"',
};
const CLOSING: Readonly<Record<string, string>> = { '{': '}', '[': ']', '(': ')' };
const DEPTH = 100;

class LiteralReader {
  readonly #text: string;
  #at = 0;
  #failed = false;

  constructor(text: string) {
    this.#text = text;
  }

  atEnd(): boolean {
    this.#skipSpace();
    return !this.#failed && this.#at === this.#text.length;
  }

  value(depth: number): Json | undefined {
    this.#skipSpace();
    const next = this.#text.charAt(this.#at);
    if (depth > DEPTH) return this.#fail();
    if (next === '{') return this.#dict(depth);
    if (next === '[' || next === '(') return this.#list(next, depth);
    if (next === "'" || next === '"') return this.#string(next);
    const word = /^(?:-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|True|False|None)/u.exec(
      this.#text.slice(this.#at, this.#at + 40),
    )?.[0];
    if (word === undefined) return this.#fail();
    this.#at += word.length;
    return Object.hasOwn(WORDS, word) ? WORDS[word] : Number(word);
  }

  #dict(depth: number): Json | undefined {
    const entries: [string, Json][] = [];
    this.#items('{', () => {
      const key = this.value(depth + 1);
      this.#skipSpace();
      if (this.#text.charAt(this.#at) !== ':') this.#fail();
      this.#at += 1;
      const value = this.value(depth + 1);
      if (typeof key !== 'string' && typeof key !== 'number') this.#fail();
      else if (value !== undefined) entries.push([String(key), value]);
    });
    return this.#failed ? undefined : Object.fromEntries(entries);
  }

  #list(open: string, depth: number): Json | undefined {
    const items: Json[] = [];
    this.#items(open, () => {
      const value = this.value(depth + 1);
      if (value !== undefined) items.push(value);
    });
    return this.#failed ? undefined : items;
  }

  #items(open: string, item: () => void): void {
    const close = CLOSING[open] ?? '';
    this.#at += 1;
    for (;;) {
      this.#skipSpace();
      if (this.#failed || this.#at >= this.#text.length) return void this.#fail();
      if (this.#text.charAt(this.#at) === close) break;
      item();
      this.#skipSpace();
      if (this.#text.charAt(this.#at) === ',') this.#at += 1;
      else if (this.#text.charAt(this.#at) !== close) return void this.#fail();
    }
    this.#at += 1;
  }

  #string(quote: string): string | undefined {
    let read = '';
    for (this.#at += 1; this.#at < this.#text.length; this.#at += 1) {
      const character = this.#text.charAt(this.#at);
      if (character === quote) {
        this.#at += 1;
        return read;
      }
      if (character !== '\\') read += character;
      else read += this.#escape();
    }
    return this.#fail();
  }

  #escape(): string {
    this.#at += 1;
    const letter = this.#text.charAt(this.#at);
    const digits = { x: 2, u: 4, U: 8 }[letter];
    if (digits === undefined) return ESCAPES[letter] ?? `\\${letter}`;
    const code = Number.parseInt(this.#text.slice(this.#at + 1, this.#at + 1 + digits), 16);
    this.#at += digits;
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : '\uFFFD';
  }

  #skipSpace(): void {
    while (/\s/u.test(this.#text.charAt(this.#at))) this.#at += 1;
  }

  #fail(): undefined {
    this.#failed = true;
    return undefined;
  }
}
