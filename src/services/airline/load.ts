import { z } from 'zod';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  type RowOf,
  type Seeding,
  UsageError,
} from '../../service/index.ts';
import { type AirlineSchema, schema } from './schema.ts';

const FILES = ['flights.json', 'users.json', 'reservations.json'] as const;
type FileName = (typeof FILES)[number];

/**
 * Builds the tables from the three files of an airline database: each an object of documents by flight number,
 * user id and reservation number.
 * @throws UsageError that names the file, the document and what was expected of it.
 */
export function load(seeding: Seeding<AirlineSchema>, documents: JsonObject): void {
  const { tx } = seeding;
  let position = 0;
  for (const [key, document] of entriesOf(documents, 'flights.json')) {
    const row = checkedRow<'flights'>('flights.json', key, { ...document, position });
    assertNamed({ file: 'flights.json', key, member: 'flight_number' }, row.flight_number);
    tx.flights.insert(row);
    position += 1;
  }
  for (const [key, document] of entriesOf(documents, 'users.json')) {
    tx.users.insert(checkedRow<'users'>('users.json', key, { user_id: key, ...document }));
  }
  for (const [key, document] of entriesOf(documents, 'reservations.json')) {
    const row = checkedRow<'reservations'>('reservations.json', key, document);
    assertNamed({ file: 'reservations.json', key, member: 'reservation_id' }, row.reservation_id);
    if (!tx.users.has(row.user_id)) throw wrong('reservations.json', key, `users.json has no user ${row.user_id}`);
    tx.reservations.insert(row);
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

/** The document itself, not the parsed copy: parsing would put its members into another order. */
function checkedRow<Table extends keyof AirlineSchema>(
  file: FileName,
  key: string,
  document: Readonly<Record<string, Json | undefined>>,
): RowOf<AirlineSchema[Table]['columns']> {
  const parsed = ROW_CHECKS[file].safeParse(document);
  if (parsed.success) return document as unknown as RowOf<AirlineSchema[Table]['columns']>;
  const [issue] = parsed.error.issues;
  throw wrong(file, key, `${issue?.path.map(String).join('.') || 'document'}: ${issue?.message ?? 'unexpected'}`);
}

function assertNamed(at: { file: FileName; key: string; member: string }, value: string): void {
  if (value !== at.key) throw wrong(at.file, at.key, `its ${at.member} is ${value}`);
}

function wrong(file: FileName, key: string, problem: string): UsageError {
  return new UsageError('bad-document', `${key === '' ? '' : `${key}: `}${problem}`, {
    place: { file },
    hint: 'the layout is that of the airline database of tau-bench, version 1',
  });
}
