import { blobAt, listTree } from '../git/index.ts';
import type { Reading } from '../operation.ts';
import type { Repository } from '../schema/repositories.ts';
import { languageOfPath } from './languages.ts';
import { findCommit, objectsOf, treeOf } from './refs.ts';

/** Prose and data are no part of a repository's languages. */
const UNCOUNTED: ReadonlySet<string> = new Set(['JSON', 'Markdown', 'YAML']);

/** Bytes of code by language, the most first: as they were counted, else as the default branch has them. */
export function languagesOf(ctx: Reading, repository: Repository): [string, number][] {
  const counted = [...ctx.tx.languages.by('by_size', [repository.id], { reverse: true })];
  if (counted.length > 0) return counted.map(({ name, bytes }) => [name, bytes]);
  const reader = objectsOf(ctx);
  const head = findCommit(ctx, repository, repository.default_branch);
  const tree = head === undefined ? undefined : treeOf(reader, head);
  const bytes = new Map<string, number>();
  for (const { path, type, sha } of tree === undefined ? [] : listTree(reader, tree)) {
    const language = languageOfPath(path);
    if (type !== 'blob' || language === null || UNCOUNTED.has(language)) continue;
    bytes.set(language, (bytes.get(language) ?? 0) + (blobAt(reader, sha)?.size ?? 0));
  }
  return [...bytes].sort(([, one], [, other]) => other - one);
}
