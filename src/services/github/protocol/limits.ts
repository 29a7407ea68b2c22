import type { Actor, Row, TableReader, TableWriter } from '../../../service/index.ts';

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

/** How a bucket stands. `reset` is in seconds since 1970. */
export interface Bucket extends Limit {
  readonly used: number;
  readonly remaining: number;
  readonly reset: number;
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
  const open = row !== undefined && Number(row.reset) > nowSeconds;
  const used = open ? Number(row.used) : 0;
  const reset = open ? Number(row.reset) : nowSeconds + limit.windowSeconds;
  return { ...limit, used, remaining: Math.max(0, limit.limit - used), reset };
}

/** Counts one call, and gives the bucket after it. */
export function counted(buckets: TableWriter<Row>, actor: Actor, before: Bucket): Bucket {
  const used = before.used + 1;
  const key = [actor.id, before.resource];
  if (buckets.has(key)) buckets.update(key, { used, reset: before.reset });
  else buckets.insert({ actor: actor.id, resource: before.resource, used, reset: before.reset });
  return { ...before, used, remaining: Math.max(0, before.limit - used) };
}
