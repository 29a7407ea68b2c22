import type { CoverageEntry, Operation } from '../../service/index.ts';
import published from './coverage.json' with { type: 'json' };

/** One operation of the published description, and what is known of it besides. */
export interface Published {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly documentationUrl: string;
  /** The value of `x-accepted-oauth-scopes`, where it was seen. */
  readonly acceptedScopes: string | undefined;
}

const DOCS = 'https://docs.github.com/rest/';

/** All operations that GitHub publishes, by id. */
export const PUBLISHED: ReadonlyMap<string, Published> = new Map(
  (published as readonly (readonly string[])[]).map(
    ([operation = '', method = '', path = '', docs = '', scopes]) => [
      operation,
      {
        operation,
        method,
        path,
        documentationUrl: docs.startsWith('https://') ? docs : `${DOCS}${docs}`,
        acceptedScopes: scopes,
      },
    ],
  ),
);

/** What is modelled with something left out, by operation. */
const PARTIAL: Readonly<Record<string, string>> = {};

/**
 * The whole operation table: what is not in it does not exist, what is `absent` exists and is not modelled.
 */
export function coverageOf(operations: readonly Operation[]): readonly CoverageEntry[] {
  const modelled = new Set(operations.map((operation) => operation.id));
  const entries: CoverageEntry[] = [...PUBLISHED.values()].map(({ operation, method, path }) => {
    // Two commits are one word of the path since they are compared by `base...head`.
    if (operation === 'repos/compare-commits') {
      return { operation, status: 'absent', note: 'served as repos/compare-commits-with-basehead' };
    }
    if (!modelled.has(operation)) {
      const http = { method, path: restPath(path) } as NonNullable<CoverageEntry['http']>;
      return { operation, status: 'absent', note: 'not modelled', http };
    }
    const note = PARTIAL[operation];
    return note === undefined ? { operation, status: 'supported' } : { operation, status: 'partial', note };
  });
  const others = operations.filter((operation) => !PUBLISHED.has(operation.id));
  return [
    ...entries,
    ...others.map(
      ({ id }): CoverageEntry => ({
        operation: id,
        status: 'supported',
        note: 'not in the REST description',
      }),
    ),
  ];
}

/** Parameters that may hold slashes take the rest of the path. */
function restPath(path: string): string {
  return path.replace(/\{(path|ref|basehead)\}$/u, '{$1*}');
}
