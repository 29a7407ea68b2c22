import { type InputIssue, isJsonObject, type Json } from '../../../service/index.ts';

/** What GitHub says of a member that does not fit, such as `For 'properties/labels', 7 is not an array.` */
export function refusalText({ path, message, received }: InputIssue): string {
  return `For 'properties/${path.replaceAll('.', '/')}', ${complaint(message, received as Json)}.`;
}

const KINDS: Readonly<Record<string, string>> = {
  array: 'an array',
  boolean: 'a boolean',
  int: 'an integer',
  number: 'a number',
  object: 'an object',
  string: 'a string',
};

function complaint(message: string, received: Json | undefined): string {
  const kind = KINDS[/expected (\w+), received/u.exec(message)?.[1] ?? ''];
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
