import { z } from 'zod';
import { isJsonObject, type JsonObject, type Seeding, UsageError } from '../../service/index.ts';
import { type AirlineSchema, schema } from './schema.ts';

const FILES = ['flights.json', 'users.json', 'reservations.json'] as const;
type FileName = (typeof FILES)[number];

/**
 * Builds the tables from the three files of an airline database: each an object of documents by flight
 * number, user id and reservation number.
 * @throws UsageError that names the file, the document and what was expected of it.
 */
export function load(seeding: Seeding<AirlineSchema>, documents: JsonObject): void {
  const { tx } = seeding;
  let position = 0;
  for (const [key, document] of entriesOf(documents, 'flights.json')) {
    assertNamed({ file: 'flights.json', key, member: 'flight_number' }, document);
    const row = { ...document, position };
    inserting('flights.json', key, { row, insert: () => tx.flights.insert(row as never) });
    position += 1;
  }
  for (const [key, document] of entriesOf(documents, 'users.json')) {
    const row = { user_id: key, ...document };
    inserting('users.json', key, { row, insert: () => tx.users.insert(row as never) });
  }
  for (const [key, row] of entriesOf(documents, 'reservations.json')) {
    assertNamed({ file: 'reservations.json', key, member: 'reservation_id' }, row);
    const user = String(row.user_id);
    if (!tx.users.has(user)) throw wrong('reservations.json', key, `users.json has no user ${user}`);
    inserting('reservations.json', key, { row, insert: () => tx.reservations.insert(row as never) });
  }
}

function entriesOf(documents: JsonObject, file: FileName): [string, JsonObject][] {
  const content = documents[file];
  if (content === undefined) {
    throw new UsageError('missing-document', `the airline database has no ${file}`, {
      hint: `it consists of ${FILES.join(', ')}`,
    });
  }
  if (!isJsonObject(content)) throw wrong(file, '', 'expected an object of documents by their id');
  return Object.entries(content).map(([key, document]) => {
    if (!isJsonObject(document)) throw wrong(file, key, 'expected an object');
    return [key, document];
  });
}

const ROW_CHECKS: Readonly<Record<FileName, z.ZodType>> = {
  'flights.json': z.strictObject(schema.flights.columns),
  'users.json': z.strictObject(schema.users.columns),
  'reservations.json': z.strictObject(schema.reservations.columns),
};

/** The table checks each row; only when it refuses one is the reason looked for, in the user's terms. */
function inserting(
  file: FileName,
  key: string,
  { row, insert }: { readonly row: JsonObject; readonly insert: () => unknown },
): void {
  try {
    insert();
  } catch (error) {
    const parsed = ROW_CHECKS[file].safeParse(row);
    if (parsed.success) throw error;
    const [issue] = parsed.error.issues;
    const path = issue?.path.map(String).join('.') || 'document';
    throw wrong(file, key, `${path}: ${issue?.message ?? 'unexpected'}`);
  }
}

function assertNamed(at: { file: FileName; key: string; member: string }, document: JsonObject): void {
  const name = document[at.member];
  if (name !== at.key) throw wrong(at.file, at.key, `its ${at.member} is ${JSON.stringify(name)}`);
}

function wrong(file: FileName, key: string, problem: string): UsageError {
  return new UsageError('bad-document', `${key === '' ? '' : `${key}: `}${problem}`, {
    place: { file },
    hint: 'the layout is that of the airline database of tau-bench, version 1',
  });
}
