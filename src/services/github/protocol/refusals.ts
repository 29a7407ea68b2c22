import { type InputIssue, isJsonObject, type Json } from '../../../service/index.ts';

/** What GitHub says of a member that does not fit, such as `For 'properties/labels', 7 is not an array.` */
export function refusalText({ path, message, received, alternatives = [] }: InputIssue): string {
  const place = `For 'properties/${path.replaceAll('.', '/')}',`;
  const kinds = [...new Set(alternatives.map(kindIn))];
  if (kinds.length === 0) return `${place} ${complaint(message, received as Json)}.`;
  if (kinds.includes(undefined)) return 'No subschema in "anyOf" matched.';
  return `${place} ${inspected(received as Json)} is not ${oneOf(kinds as string[])}.`;
}

/** One article does for all: `an integer, string, or null`. */
function oneOf(kinds: readonly string[]): string {
  const words = kinds.map((kind, index) => (index === 0 ? kind : kind.replace(/^an? /u, '')));
  const [last, ...before] = words.toReversed();
  if (before.length === 0) return `${last}`;
  return before.length === 1 ? `${before[0]} or ${last}` : `${before.toReversed().join(', ')}, or ${last}`;
}

const KINDS: Readonly<Record<string, string>> = {
  array: 'an array',
  boolean: 'a boolean',
  int: 'an integer',
  // Every number of GitHub's is whole.
  number: 'an integer',
  object: 'an object',
  record: 'an object',
  null: 'a null',
  string: 'a string',
};

function kindIn(message: string): string | undefined {
  return KINDS[/expected (\w+), received/u.exec(message)?.[1] ?? ''];
}

function complaint(message: string, received: Json | undefined): string {
  const kind = kindIn(message);
  if (kind !== undefined) return `${inspected(received)} is not ${kind}`;
  const most = /^Too big: expected (?:number|int) to be <=(-?[\d.]+)$/u.exec(message)?.[1];
  if (most !== undefined) return `${inspected(received)} must be less than or equal to ${most}`;
  const options = /^Invalid option: expected one of (.+)$/u.exec(message)?.[1];
  const only = /^Invalid input: expected (".*")$/u.exec(message)?.[1];
  const members = options?.replaceAll('"|"', '", "') ?? only;
  if (members === undefined) return message;
  const value = typeof received === 'string' ? received : inspected(received);
  return `${value} is not a member of [${members}]`;
}

/** A value as Ruby writes it, which GitHub is written in. */
function inspected(value: Json | undefined): string {
  if (value === null || value === undefined) return 'nil';
  if (Array.isArray(value)) return `[${value.map(inspected).join(', ')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, of]) => `${JSON.stringify(name)}=>${inspected(of)}`);
  return `{${members.join(', ')}}`;
}
