/** Ways to damage a text that a parser takes: bytes, tokens, and the structure of JSON. */
import fc from 'fast-check';

/** Values that break careless code. */
const NASTY: readonly unknown[] = [
  null,
  true,
  -1,
  0.5,
  1e21,
  9_007_199_254_740_992,
  '',
  '\u0000',
  '\ud800',
  'constructor',
  '__proto__',
  [],
  {},
  [[[[]]]],
  { a: { b: { c: {} } } },
  'x'.repeat(5_000),
];

const TOKENS: readonly string[] = [
  '"',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '\n',
  '\\',
  '- ',
  '  ',
  '\t',
  '#',
  '&a ',
  '*a',
  '!!js ',
  '|',
  '>',
  '---\n',
  'null',
  'true',
  '1e999',
  '-0',
  '99999999999999999999',
  '0x1F',
  '"__proto__":{"x":1},',
  '"constructor":1,',
  '\ufeff',
  '\ud800',
  '\u2028',
  '{{',
  '}}',
  '{{order.id}}',
  '<<: *a',
  '"type":"end"',
  '$result',
];

const edit = fc.oneof(
  fc.record({ kind: fc.constant('flip' as const), at: fc.nat(), bit: fc.nat({ max: 7 }) }),
  fc.record({ kind: fc.constant('cut' as const), at: fc.nat(), length: fc.nat({ max: 60 }) }),
  fc.record({ kind: fc.constant('copy' as const), at: fc.nat(), length: fc.nat({ max: 60 }), to: fc.nat() }),
  fc.record({ kind: fc.constant('token' as const), at: fc.nat(), token: fc.constantFrom(...TOKENS) }),
  fc.record({ kind: fc.constant('lines' as const), at: fc.nat(), to: fc.nat() }),
  fc.record({ kind: fc.constant('end' as const), at: fc.nat() }),
  fc.record({ kind: fc.constant('deep' as const), at: fc.nat(), depth: fc.constantFrom(50, 500, 5_000) }),
);

type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never;

/** One of the texts, with one to three edits of its bytes. */
export function damagedBytes(texts: readonly string[]): fc.Arbitrary<Uint8Array> {
  return fc
    .tuple(fc.constantFrom(...texts), fc.array(edit, { minLength: 1, maxLength: 3 }))
    .map(([text, edits]) => edits.reduce<Uint8Array>(apply, Buffer.from(text)));
}

function apply(bytes: Uint8Array, change: Edit): Uint8Array {
  const at = change.at % (bytes.length + 1);
  const insert = (middle: Uint8Array): Uint8Array =>
    Buffer.concat([bytes.subarray(0, at), middle, bytes.subarray(at)]);
  switch (change.kind) {
    case 'flip': {
      const copy = Uint8Array.from(bytes);
      if (at < copy.length) copy[at] = (copy[at] ?? 0) ^ (1 << change.bit);
      return copy;
    }
    case 'cut':
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + change.length)]);
    case 'copy': {
      const to = change.to % (bytes.length + 1);
      return insert(bytes.subarray(to, to + change.length));
    }
    case 'token':
      return insert(Buffer.from(change.token));
    case 'lines':
      return swapLines(bytes, change.at, change.to);
    case 'end':
      return bytes.subarray(0, at);
    default:
      return insert(Buffer.from('['.repeat(change.depth)));
  }
}

function swapLines(bytes: Uint8Array, one: number, other: number): Uint8Array {
  const lines = Buffer.from(bytes).toString('latin1').split('\n');
  const [left, right] = [one % lines.length, other % lines.length];
  [lines[left], lines[right]] = [lines[right] ?? '', lines[left] ?? ''];
  return Buffer.from(lines.join('\n'), 'latin1');
}

/** A JSON value with one to three of its parts replaced, taken out, renamed or added to. */
export function damagedJson(value: unknown): fc.Arbitrary<unknown> {
  const parts = pathsOf(value);
  const change = fc.record({
    path: fc.constantFrom(...parts),
    how: fc.constantFrom('replace', 'remove', 'rename', 'add', 'double'),
    nasty: fc.constantFrom(...NASTY),
    name: fc.constantFrom('__proto__', 'constructor', 'toString', 'kind', 'extra', '0', ''),
  });
  return fc
    .array(change, { minLength: 1, maxLength: 3 })
    .map((changes) => changes.reduce((current, { path, ...rest }) => alter(current, path, rest), value));
}

interface Alteration {
  readonly how: string;
  readonly nasty: unknown;
  readonly name: string;
}

function pathsOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([name, part]) => pathsOf(part, [...path, name]))];
}

function alter(value: unknown, path: readonly string[], change: Alteration): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return alterHere(value, change);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item: unknown, index) =>
      String(index) === name ? alter(item, rest, change) : item,
    );
    if (rest.length === 0 && change.how === 'remove') items.splice(Number(name), 1);
    if (rest.length === 0 && change.how === 'double') items.push(items[Number(name)]);
    return items;
  }
  const entries = Object.entries(value as object).flatMap(([key, part]: [string, unknown]) => {
    if (key !== name) return [[key, part]];
    if (rest.length === 0 && change.how === 'remove') return [];
    if (rest.length === 0 && change.how === 'rename') return [[change.name, part]];
    return [[key, alter(part, rest, change)]];
  });
  return Object.fromEntries(entries) as unknown;
}

function alterHere(value: unknown, { how, nasty, name }: Alteration): unknown {
  if (how === 'replace') return nasty;
  if (how !== 'add' || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return [...(value as unknown[]), nasty];
  return Object.fromEntries([...Object.entries(value), [name, nasty]]) as unknown;
}
