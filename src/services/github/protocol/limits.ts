import type { Actor, Operation, Row, TableReader, TableWriter } from '../../../service/index.ts';

/** A primary rate limit: so many calls in a window. */
interface Limit {
  readonly resource: string;
  readonly limit: number;
  readonly windowSeconds: number;
}

const HOUR_SECONDS = 3_600;
const MINUTE_SECONDS = 60;

const SPECIAL: Readonly<Record<string, Limit>> = {
  'search/code': { resource: 'code_search', limit: 10, windowSeconds: MINUTE_SECONDS },
  'dependency-graph/export-sbom': { resource: 'dependency_sbom', limit: 100, windowSeconds: MINUTE_SECONDS },
  'code-scanning/upload-sarif': {
    resource: 'code_scanning_upload',
    limit: 1_000,
    windowSeconds: HOUR_SECONDS,
  },
  'apps/create-from-manifest': {
    resource: 'integration_manifest',
    limit: 5_000,
    windowSeconds: HOUR_SECONDS,
  },
  graphql: { resource: 'graphql', limit: 5_000, windowSeconds: HOUR_SECONDS },
  'graphql/query': { resource: 'graphql', limit: 5_000, windowSeconds: HOUR_SECONDS },
};

/** The limit that a call counts against. */
export function limitOf(operation: string, actor: Actor): Limit {
  const special = SPECIAL[operation];
  if (special) return special;
  const anonymous = isAnonymous(actor);
  if (operation.startsWith('search/')) {
    return { resource: 'search', limit: anonymous ? 10 : 30, windowSeconds: MINUTE_SECONDS };
  }
  if (operation.startsWith('codespaces/')) {
    return { resource: 'codespaces', limit: 5_000, windowSeconds: HOUR_SECONDS };
  }
  return { resource: 'core', limit: anonymous ? 60 : 5_000, windowSeconds: HOUR_SECONDS };
}

/** All limits of an actor, as `GET /rate_limit` lists them. */
export function limitsOf(actor: Actor): readonly Limit[] {
  const names = ['core', 'search/issues-and-pull-requests', 'graphql', ...Object.keys(SPECIAL)];
  const seen = new Map(names.map((name) => limitOf(name, actor)).map((limit) => [limit.resource, limit]));
  return [...seen.values()];
}

export function isAnonymous(actor: Actor): boolean {
  return actor.attributes?.anonymous === true;
}

/** How a bucket stands. `reset` and `minuteReset` are in seconds since 1970. */
export interface Bucket extends Limit {
  readonly used: number;
  readonly remaining: number;
  readonly reset: number;
  readonly minuteReset: number;
  /** What the calls of this minute weigh together. */
  readonly minutePoints: number;
  /** Things made in this minute, and in the whole window. */
  readonly minuteMade: number;
  readonly made: number;
}

/** How a bucket stands now: a window that is over is a fresh one. */
export function bucketOf(
  buckets: TableReader<Row>,
  actor: Actor,
  at: { limit: Limit; nowMs: number },
): Bucket {
  const { limit, nowMs } = at;
  const nowSeconds = Math.floor(nowMs / 1_000);
  const row = buckets.get([actor.id, limit.resource]);
  const open = row !== undefined && Number(row.reset) > nowSeconds ? row : undefined;
  const minute = open && Number(open.minute_reset) > nowSeconds ? open : undefined;
  const used = Number(open?.used ?? 0);
  return {
    ...limit,
    used,
    remaining: Math.max(0, limit.limit - used),
    reset: open ? Number(open.reset) : nowSeconds + limit.windowSeconds,
    minuteReset: minute ? Number(minute.minute_reset) : nowSeconds + MINUTE_SECONDS,
    minutePoints: Number(minute?.minute_points ?? 0),
    minuteMade: Number(minute?.minute_made ?? 0),
    made: Number(open?.made ?? 0),
  };
}

/** What GitHub's documentation calls secondary limits, of one actor. */
const MINUTE_POINTS = 900;
const GRAPHQL_MINUTE_POINTS = 2_000;
const MINUTE_MADE = 80;
const MADE = 500;
const WRITE_POINTS = 5;

/** How a call weighs: a read or a call of the graph one point, a write five; whether it makes a thing. */
export interface Weight {
  readonly points: number;
  readonly makes: boolean;
}

export function weightOf(operation: Weighed | undefined): Weight {
  const writes = operation?.effect === 'write' && !operation.id.startsWith('graphql');
  return { points: writes ? WRITE_POINTS : 1, makes: writes && operation.http?.method === 'POST' };
}

type Weighed = Pick<Operation, 'id' | 'effect' | 'http'>;

/** Seconds until a call of this weight is taken again; null when it is taken now. */
export function secondaryWaitSeconds(
  bucket: Bucket,
  { points, makes }: Weight,
  nowMs: number,
): number | null {
  const nowSeconds = Math.floor(nowMs / 1_000);
  if (makes && bucket.made >= MADE) return bucket.reset - nowSeconds;
  const most = bucket.resource === 'graphql' ? GRAPHQL_MINUTE_POINTS : MINUTE_POINTS;
  const over = bucket.minutePoints + points > most || (makes && bucket.minuteMade >= MINUTE_MADE);
  return over ? bucket.minuteReset - nowSeconds : null;
}

/** Counts one call, and gives the bucket after it. */
export function counted(
  buckets: TableWriter<Row>,
  actor: Actor,
  { before, weight }: { readonly before: Bucket; readonly weight: Weight },
): Bucket {
  const one = weight.makes ? 1 : 0;
  const after: Bucket = {
    ...before,
    used: before.used + 1,
    remaining: Math.max(0, before.limit - before.used - 1),
    minutePoints: before.minutePoints + weight.points,
    minuteMade: before.minuteMade + one,
    made: before.made + one,
  };
  const row = {
    used: after.used,
    reset: after.reset,
    minute_reset: after.minuteReset,
    minute_points: after.minutePoints,
    minute_made: after.minuteMade,
    made: after.made,
  };
  const key = [actor.id, before.resource];
  if (buckets.has(key)) buckets.update(key, row);
  else buckets.insert({ actor: actor.id, resource: before.resource, ...row });
  return after;
}
