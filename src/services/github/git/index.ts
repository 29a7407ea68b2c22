/**
 * A git engine over stored objects: pure functions of a `GitReader` (get by hash) or a `GitWriter` (put too).
 * Objects that are not stored count as unknown: nothing throws for one, an unknown tree is empty, an unknown
 * commit ends a history.
 *
 * - store: `gitStore(tables)`, `gitReader(tables)`, `memoryStore(under?)`; `commitAt`, `blobAt`,
 *   `entriesAt`, `peelToCommit`, `shasByPrefix`
 * - hashes: `shaOf(object)`, `EMPTY_TREE_SHA`
 * - bytes: `bytesOfText`, `textOfBytes`, `bytesOfBase64` (null when not valid), `base64OfBytes`, `wrapBase64`
 * - blobs: `blobOfText`, `blobOfBase64`, `textOfBlob`, `isBinary`, `countLines`, `textAt`
 * - trees: `entryAtPath`, `shaAtPath`, `listTree`, `isTreePath`, `writeTree(writer, base, changes)`, `absentRemovals`
 * - history: `log` (lazy, with path, since, until and author filters), `isAncestor`, `mergeBase`,
 *   `compareCommits`, `commitsBetween`
 * - diff: `changedPaths` (no content read but for renames), `diffTrees`, `diffCommit`, `diffSinceBase` (pulls,
 *   comparisons), `totalsOf`; `unifiedDiff` and `mailPatches` are the media types `diff` and `patch`;
 *   `diffTexts`; `patchLineAt` and `patchLineByPosition` tell where a review comment stands
 * - merge: `mergeConflicts` (mergeability, keeps nothing), `mergeTrees`, `merge`, `squash`, `rebase`,
 *   `cherryPick`, `revert`: each gives the new commit, `up-to-date`, or the paths in conflict
 * - commits: `createCommit`, `createTag`, `verificationOf`, `utcSeconds`
 */
export {
  blobOfBase64,
  blobOfBytes,
  blobOfText,
  countLines,
  isBinary,
  splitLines,
  textOfBlob,
} from './blobs.ts';
export {
  type Bytes,
  base64OfBytes,
  base64OfText,
  bytesOfBase64,
  bytesOfText,
  strictTextOfBytes,
  textOfBytes,
  wrapBase64,
} from './bytes.ts';
export {
  createCommit,
  createTag,
  type NewCommit,
  utcSeconds,
  verificationOf,
} from './commits.ts';
export {
  changedPaths,
  diffCommit,
  diffSinceBase,
  diffTrees,
  type FileDiff,
  totalsOf,
} from './diff.ts';
export { EMPTY_TREE_SHA, payloadOf, secondsOf, shaOf } from './hash.ts';
export {
  type Comparison,
  commitsBetween,
  compareCommits,
  isAncestor,
  type LoggedCommit,
  type LogOptions,
  log,
  mergeBase,
  mergeBases,
} from './history.ts';
export { mailPatches, splitMessage } from './mail.ts';
export {
  mergeBytes,
  mergeCommits,
  mergeConflicts,
  mergeTrees,
} from './merge.ts';
export { diffTexts } from './patch.ts';
export { type PatchSide, patchLineAt, patchLineByPosition } from './patch-lines.ts';
export {
  cherryPick,
  merge,
  rebase,
  revert,
  squash,
} from './replay.ts';
export { type GitObjectRow, gitObjects } from './schema.ts';
export {
  blobAt,
  commitAt,
  entriesAt,
  type GitCommit,
  type GitReader,
  type GitTag,
  type GitWriter,
  gitReader,
  gitStore,
  memoryStore,
  peelToCommit,
  type Signature,
  shasByPrefix,
  type TreeEntry,
  textAt,
  UNKNOWN_SHA,
} from './store.ts';
export {
  absentRemovals,
  entryAtPath,
  isTreePath,
  listTree,
  shaAtPath,
  type TreeChange,
  typeOfMode,
  writeTree,
} from './trees.ts';
export { unifiedDiff } from './unified.ts';
