import { UsageError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import type { Key, Row, RowChange, TableSpec, WorldValue } from '../../world/types.ts';
import type { HostedSession } from '../host/index.ts';
import { badPage, PAGE, type PageQuery, startOf } from './paging.ts';
import { type ControlRoute, controlRoute } from './route.ts';
import * as schemas from './schemas.ts';

/** In place of what a service declares redacted. */
const MASK = '***';

/** Routes that look into a world and change nothing. */
export const worldRoutes: readonly ControlRoute[] = [
  controlRoute({
    name: 'state',
    method: 'GET',
    path: '/sessions/{id}/state',
    summary: 'Clock, digests and tables of the world.',
    answer: schemas.state,
    run: ({ session }) => {
      const { world, stepCount } = session.episode.session;
      return {
        steps: stepCount,
        clockMs: world.clockMs,
        content: world.contentDigest(),
        full: world.fullDigest(),
        merkle: world.merkleRoot(),
        tables: world.tableNames.map((name) => tableOf(world, name)),
      };
    },
  }),
  controlRoute({
    name: 'rows',
    method: 'GET',
    path: '/sessions/{id}/tables/{table}',
    summary: 'Rows of a table by primary key, a page at a time; redacted columns are masked.',
    query: schemas.page,
    answer: schemas.tableRows,
    run: ({ session, params, query }) => rowsOf(session, params.table ?? '', query),
  }),
  controlRoute({
    name: 'diff',
    method: 'GET',
    path: '/sessions/{id}/diff',
    summary: 'What changed since the start or since an earlier step.',
    query: schemas.diffQuery,
    answer: schemas.diff,
    run: ({ session, query }) => {
      const { from = 0 } = query;
      const now = session.episode.session;
      const changes = now.fork(from).world.diff(now.world);
      return {
        from,
        to: now.stepCount,
        changes: changes.map((change) => maskedChange(change, now.world.spec(change.table))),
      };
    },
  }),
];

function tableOf(world: WorldValue, name: string) {
  const spec = world.spec(name);
  return {
    name,
    rows: world.table(name).size,
    columns: Object.keys(spec.columns),
    primaryKey: primaryColumns(spec),
    redacted: [...(spec.redacted ?? [])],
    ambient: spec.ambient ?? false,
  };
}

function rowsOf(session: HostedSession, name: string, { after, limit = PAGE }: PageQuery) {
  const { world } = session.episode.session;
  if (!world.tableNames.includes(name)) {
    throw new UsageError('no-table', `the world has no table named ${name}`, {
      hint: `it has ${world.tableNames.join(', ')}`,
    });
  }
  const spec = world.spec(name);
  const masked = (row: Row): Record<string, never> => maskedRow(row, spec.redacted ?? []) as never;
  const rows: Row[] = [];
  // A key that must not be seen cannot say where the next page starts.
  const hidden = primaryColumns(spec).some((column) => spec.redacted?.includes(column));
  const skipped = hidden ? startOf(after) : 0;
  let skip = skipped;
  const start = hidden || after === undefined ? {} : { after: keyFrom(after, primaryColumns(spec).length) };
  for (const row of world.table(name).scan(start)) {
    if (skip > 0) skip -= 1;
    else if (rows.push(row) > limit) break;
  }
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const more = rows.length > limit && last !== undefined;
  const next = hidden ? String(skipped + limit) : last && JSON.stringify(keyOf(last, spec));
  return { table: name, rows: shown.map(masked), next: more ? (next ?? null) : null };
}

/** The key that a page's `next` holds, of so many parts. */
function keyFrom(text: string, length: number): Key {
  try {
    const key: unknown = JSON.parse(text);
    const parts: readonly unknown[] = Array.isArray(key) ? key : [key];
    const isKey = parts.every((part) => typeof part === 'string' || Number.isFinite(part));
    if (isKey && parts.length === length) return key as Key;
  } catch {
    // Falls through: it is no key.
  }
  throw badPage();
}

function primaryColumns({ primaryKey }: TableSpec): string[] {
  return typeof primaryKey === 'string' ? [primaryKey] : [...primaryKey];
}

function keyOf(row: Row, spec: TableSpec): Json {
  const parts = primaryColumns(spec).map((column) => row[column] ?? null);
  return parts.length === 1 ? (parts[0] ?? null) : parts;
}

function maskedRow(row: Row, redacted: readonly string[]): Row {
  if (redacted.length === 0) return row;
  const members = Object.entries(row).map(([column, value]): [string, Json | undefined] => [
    column,
    redacted.includes(column) && value !== null && value !== undefined ? MASK : value,
  ]);
  return Object.fromEntries(members);
}

function maskedChange(change: RowChange, spec: TableSpec) {
  const { redacted = [] } = spec;
  const hidden = primaryColumns(spec).some((column) => redacted.includes(column));
  const { op, table } = change;
  const key = hidden ? MASK : (change.key as never);
  if (op !== 'update')
    return { op, table, key, row: maskedRow(change.row, redacted) as Record<string, never> };
  const cells = Object.entries(change.cells).map(([column, cell]) => [
    column,
    redacted.includes(column)
      ? { ...(cell.from !== undefined && { from: MASK }), ...(cell.to !== undefined && { to: MASK }) }
      : cell,
  ]);
  return { op, table, key, cells: Object.fromEntries(cells) as Record<string, never> };
}
