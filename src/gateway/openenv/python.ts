import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { referenced } from '../http/index.ts';

/** The words of Python that name nothing. */
const KEYWORDS = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for ' +
    'from global if import in is lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
);

/** A text as Python source: a JSON string is one, in ASCII so that no encoding can spoil it. */
export function literal(text: string): string {
  return JSON.stringify(text).replaceAll(/[^\x20-\x7e]/gu, (sign) => {
    const code = (sign.codePointAt(0) ?? 0).toString(16);
    return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`;
  });
}

/** A text as part of a docstring: on one line, nothing in it ends the string. */
export function docText(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim().replaceAll('\\', '\\\\').replaceAll('"', '\\"');
}

/** Names that Python takes, one for each given, all different, none reserved or private. */
export function identifiers(names: readonly string[], reserved: readonly string[]): readonly string[] {
  const taken = new Set(reserved);
  return names.map((name) => {
    let safe = name.replaceAll(/\W/gu, '_').replace(/^_+/u, '');
    if (safe === '' || /^\d/u.test(safe)) safe = `n_${safe}`;
    if (KEYWORDS.has(safe) || taken.has(safe)) safe = `${safe}_`;
    while (taken.has(safe)) safe = `${safe}_`;
    taken.add(safe);
    return safe;
  });
}

const SCALARS: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
};

/** Schemas nested deeper say no more about a type. */
const DEPTH_MOST = 6;

/** The Python type of a JSON Schema, as far as type hints can say it. */
export function pythonType(schema: Json | undefined, root: JsonObject, depth = 0): string {
  if (!isJsonObject(schema) || depth > DEPTH_MOST) return 'Any';
  const { $ref: reference, anyOf, oneOf, enum: choices, type } = schema;
  if (typeof reference === 'string') return pythonType(referenced(root, reference), root, depth + 1);
  const alternatives = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : null;
  if (alternatives) return union(alternatives.map((one: Json) => pythonType(one, root, depth + 1)));
  const values = 'const' in schema ? [schema.const ?? null] : Array.isArray(choices) ? choices : null;
  if (values) return union(values.map((value: Json) => typeOfValue(value)));
  if (Array.isArray(type)) {
    return union(type.map((one: Json) => pythonType({ ...schema, type: one }, root, depth + 1)));
  }
  if (type === 'array') return `list[${pythonType(schema.items, root, depth + 1)}]`;
  if (type === 'object') return 'dict[str, Any]';
  return SCALARS[String(type)] ?? 'Any';
}

function typeOfValue(value: Json): string {
  if (value === null) return 'None';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float';
  return SCALARS[typeof value] ?? 'Any';
}

function union(types: readonly string[]): string {
  const distinct = [...new Set(types)];
  if (distinct.includes('Any') || distinct.length === 0) return 'Any';
  const others = distinct.filter((type) => type !== 'None');
  if (others.length === 0) return 'None';
  const joined = others.length === 1 ? String(others[0]) : `Union[${others.join(', ')}]`;
  return others.length < distinct.length ? `Optional[${joined}]` : joined;
}
