import { isJsonObject, type Json, type JsonObject } from '../base/json.ts';

/**
 * How Python prints JSON values, for domain worlds whose recorded answers came from a Python program.
 *
 * JSON in JavaScript has one kind of number, Python has two, and `5` and `5.0` print differently. A whole
 * number that is a float in Python is kept as `{"$float": 5}`; every other number is a plain number.
 */
export interface PythonFloat extends JsonObject {
  readonly $float: number;
}

/** A number as a Python program holds it. */
export type PythonNumber = number | PythonFloat;

/**
 * A Python dictionary whose member order matters and is not the usual one of its kind. Members of JSON
 * objects have no order that a recorder keeps, so it is written out: `{"$members": [["b", 1], ["a", 2]]}`.
 */
export interface PythonMembers extends JsonObject {
  readonly $members: readonly (readonly [string, Json])[];
}

/** True for a dictionary whose order is written out. */
export function isPythonMembers(value: unknown): value is PythonMembers {
  if (!isJsonObject(value) || Object.keys(value).length !== 1) return false;
  const members = value.$members;
  return Array.isArray(members) && members.every(isMember);
}

function isMember(value: unknown): boolean {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === 'string';
}

/**
 * The object with its members in the order of a Python dictionary: the order that is written out, or else
 * `usual` first and then the rest as it comes. Values inside are left as they are.
 */
export function inPythonOrder(value: JsonObject, usual: readonly string[]): JsonObject {
  if (isPythonMembers(value)) return Object.fromEntries(value.$members);
  const names = usual.filter((name) => Object.hasOwn(value, name));
  const rest = Object.keys(value).filter((name) => !usual.includes(name));
  return Object.fromEntries([...names, ...rest].map((name) => [name, value[name]]));
}

/**
 * A value whose objects keep their member order through a recorder: an object in an order that
 * `inPythonOrder` would not give back is written out, every other stays plain.
 */
export function keepPythonOrder(value: Json, usual: readonly string[]): Json {
  if (Array.isArray(value)) return value.map((item) => keepPythonOrder(item, usual));
  if (!isJsonObject(value) || isPythonFloat(value)) return value;
  const members = Object.entries(value).map(([name, member]): [string, Json] => [
    name,
    keepPythonOrder(member ?? null, usual),
  ]);
  // A recorder sorts what it keeps, so what is left of the order must follow from the names alone.
  const sorted = Object.fromEntries([...members].sort(([left], [right]) => (left < right ? -1 : 1)));
  const givenBack = Object.keys(inPythonOrder(sorted, usual));
  return members.every(([name], index) => name === givenBack[index]) ? sorted : { $members: members };
}

/** Keeps a number as a Python float: marked when it is whole, plain otherwise. */
export function pythonFloat(value: number): PythonNumber {
  return Number.isInteger(value) ? { $float: value } : value;
}

/** True for the mark of a whole-numbered float. */
export function isPythonFloat(value: unknown): value is PythonFloat {
  if (!isJsonObject(value) || typeof value.$float !== 'number') return false;
  return Object.keys(value).length === 1;
}

/** True for either kind of number. */
export function isPythonNumber(value: unknown): value is PythonNumber {
  return typeof value === 'number' || isPythonFloat(value);
}

/** The magnitude alone, for comparisons. */
export function magnitudeOf(value: PythonNumber): number {
  return typeof value === 'number' ? value : value.$float;
}

/** `left + right` and the like: the result is a float when either side is. */
export function pythonArithmetic(
  operator: '+' | '-' | '*',
  left: PythonNumber,
  right: PythonNumber,
): PythonNumber {
  const [first, second] = [magnitudeOf(left), magnitudeOf(right)];
  const result = operator === '+' ? first + second : operator === '-' ? first - second : first * second;
  const float = isFloat(left) || isFloat(right);
  // `+ 0` turns the -0 of JavaScript into the only zero that Python's integers have.
  return float ? pythonFloat(result) : result + 0;
}

function isFloat(value: PythonNumber): boolean {
  return typeof value !== 'number' || !Number.isInteger(value);
}

/**
 * Reads JSON text as Python does: `5.0` and `5e0` stay floats (marked), `5` an integer.
 * @throws SyntaxError for text that is not JSON.
 */
export function parsePythonJson(text: string): Json {
  // Looking at every number costs several times the parsing; most texts have no such number.
  if (!/\d\.0+(?!\d)|\d[eE][+-]?\d/u.test(text)) return JSON.parse(text) as Json;
  return JSON.parse(text, keepFloat) as Json;
}

function keepFloat(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || !Number.isInteger(value)) return value;
  return /[.eE]/u.test(context?.source ?? '') ? { $float: value } : value;
}

/** `json.dumps(value)`: separators `", "` and `": "`, ASCII only, members in their own order. */
export function pythonJson(value: Json | undefined): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (typeof value === 'string') return pythonJsonText(value);
  if (isPythonNumber(value)) return pythonNumberText(value);
  if (Array.isArray(value)) return `[${value.map(pythonJson).join(', ')}]`;
  const members = Object.entries(value as JsonObject).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${pythonJsonText(name)}: ${pythonJson(member)}`).join(', ')}}`;
}

function pythonJsonText(text: string): string {
  // Only plain ASCII without quotes and backslashes needs no escapes; that is nearly every text.
  if (/^[ !#-[\]-~]*$/u.test(text)) return `"${text}"`;
  return JSON.stringify(text).replace(/[\u007f-\uffff]/g, unicodeEscape);
}

function unicodeEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** `str(number)`: integers without a point, floats as the shortest text that reads back, `1e+16`, `5.0`. */
export function pythonNumberText(value: PythonNumber): string {
  const number = magnitudeOf(value);
  if (typeof value === 'number' && Number.isInteger(value)) {
    return Number.isSafeInteger(value) ? String(value + 0) : BigInt(value).toString();
  }
  return pythonFloatText(number);
}

/** `repr(float)`. */
export function pythonFloatText(number: number): string {
  if (Number.isNaN(number)) return 'nan';
  if (!Number.isFinite(number)) return number > 0 ? 'inf' : '-inf';
  if (number === 0) return Object.is(number, -0) ? '-0.0' : '0.0';
  const sign = number < 0 ? '-' : '';
  const [digits, exponent] = decimalParts(number < 0 ? -number : number);
  return sign + placePoint(digits, exponent);
}

/** Shortest digits without a point, and the power of ten of the first digit. */
function decimalParts(number: number): [digits: string, exponent: number] {
  const [mantissa = '', power = '0'] = number.toExponential().split('e');
  return [mantissa.replace('.', ''), Number(power)];
}

/** Python writes plain digits for exponents from -4 to 15. */
function placePoint(digits: string, exponent: number): string {
  if (exponent < -4 || exponent >= 16) {
    const fraction = digits.length > 1 ? `.${digits.slice(1)}` : '';
    const power = String(exponent < 0 ? -exponent : exponent).padStart(2, '0');
    return `${digits.slice(0, 1)}${fraction}e${exponent < 0 ? '-' : '+'}${power}`;
  }
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  return `${whole}.${digits.slice(exponent + 1) || '0'}`;
}

/** `repr(text)`: single quotes unless the text has one and no double one. */
export function pythonTextRepr(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  if (/^[ !#-&(-[\]-~]*$/u.test(text)) return quote + text + quote;
  let escaped = '';
  for (const character of text) escaped += reprCharacter(character, quote);
  return quote + escaped + quote;
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

function reprCharacter(character: string, quote: string): string {
  if (character === quote) return `\\${character}`;
  const short = SHORT_ESCAPES[character];
  if (short !== undefined) return short;
  if (character === ' ' || !/[\p{C}\p{Z}]/u.test(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code < 0x100) return `\\x${hex.padStart(2, '0')}`;
  return code < 0x10000 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}

/**
 * `str(value)` inside a sentence, as an f-string prints it: texts bare, objects and lists as Python literals,
 * `None`, `True` and `False` for the three names.
 */
export function pythonText(value: Json | undefined): string {
  return typeof value === 'string' ? value : pythonRepr(value);
}

/** `repr(value)` of what Python's `json.loads` makes of a JSON value. */
export function pythonRepr(value: Json | undefined): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'string') return pythonTextRepr(value);
  if (isPythonNumber(value)) return pythonNumberText(value);
  if (Array.isArray(value)) return `[${value.map(pythonRepr).join(', ')}]`;
  const members = Object.entries(value as JsonObject).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${pythonTextRepr(name)}: ${pythonRepr(member)}`).join(', ')}}`;
}

/** The order in which Python sorts texts: by code points, which differs from code units beyond U+FFFF. */
export function comparePythonText(left: string, right: string): number {
  if (!/[\ud800-\udfff]/.test(left) && !/[\ud800-\udfff]/.test(right)) {
    return left < right ? -1 : left > right ? 1 : 0;
  }
  const [first, second] = [Array.from(left), Array.from(right)];
  for (let index = 0; index < first.length && index < second.length; index += 1) {
    const difference = (first[index]?.codePointAt(0) ?? 0) - (second[index]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return first.length - second.length;
}
