import type { TableReader, TableWriter } from '../../../service/index.ts';
import { textOfBlob } from './blobs.ts';
import { shaOf } from './hash.ts';
import { objectOfRow, rowOfObject } from './rows.ts';
import type { GitObjectRow } from './schema.ts';

/** Stands in a commit whose tree is not known, as when only a list told of the commit. */
export const UNKNOWN_SHA = '';

/** The bytes of a file. */
export interface GitBlob {
  readonly kind: 'blob';
  /** Standard base64 in one line, with padding. */
  readonly base64: string;
  /** In bytes. */
  readonly size: number;
}

/** What a tree entry can be: a submodule is a `commit`. */
export type TreeEntryType = 'blob' | 'tree' | 'commit';

/** One name in a tree. */
export interface TreeEntry {
  /** The name in its tree; a full path where entries are listed recursively. */
  readonly path: string;
  /** `100644`, `100755`, `040000` (tree), `120000` (symbolic link) or `160000` (submodule). */
  readonly mode: string;
  readonly type: TreeEntryType;
  readonly sha: string;
}

export interface GitTree {
  readonly kind: 'tree';
  readonly entries: readonly TreeEntry[];
}

/** Who did something, and when: an ISO 8601 moment, in UTC or with its offset. */
export interface Signature {
  readonly name: string;
  readonly email: string;
  readonly date: string;
}

export interface GitCommit {
  readonly kind: 'commit';
  /** `UNKNOWN_SHA` when nobody told. */
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: Signature;
  readonly committer: Signature;
  readonly message: string;
  /** An armoured PGP, SSH or S/MIME signature. */
  readonly signature?: string | null | undefined;
}

/** An annotated tag. */
export interface GitTag {
  readonly kind: 'tag';
  readonly object: string;
  readonly type: GitObject['kind'];
  readonly tag: string;
  readonly tagger: Signature | null;
  readonly message: string;
}

export type GitObject = GitBlob | GitTree | GitCommit | GitTag;

/** Reads objects by hash. What is not there is unknown: every algorithm here goes on without it. */
export interface GitReader {
  get(sha: string): GitObject | undefined;
}

/** Writes objects too. */
export interface GitWriter extends GitReader {
  /** Stores an object under its own hash and gives that hash. Storing what is there changes nothing. */
  put(object: GitObject): string;
  /**
   * Stores what is known of an object under a hash that was told, whether or not its content gives it. What
   * was known before and is not told again stays: a commit's tree and parents, a blob's content. A blob of
   * which the size alone is known has empty base64.
   */
  place(sha: string, object: GitObject): void;
}

/** The objects of a world, to read. */
export function gitReader(tables: { readonly git_objects: TableReader<GitObjectRow> }): GitReader {
  const { git_objects: objects } = tables;
  return {
    get: (sha) => {
      const row = objects.get(sha);
      return row && objectOfRow(row);
    },
  };
}

/** The hashes of stored objects that start so, in order: of all repositories, so look whose it is. */
export function* shasByPrefix(
  tables: { readonly git_objects: TableReader<GitObjectRow> },
  prefix: string,
): Generator<string> {
  if (tables.git_objects.has(prefix)) yield prefix;
  for (const { sha } of tables.git_objects.scan({ after: prefix })) {
    if (!sha.startsWith(prefix)) return;
    yield sha;
  }
}

/** The objects of a world inside a transaction. */
export function gitStore(tables: { readonly git_objects: TableWriter<GitObjectRow> }): GitWriter {
  const { git_objects: objects } = tables;
  const write = (sha: string, object: GitObject): void => {
    const row = rowOfObject(sha, object);
    if (objects.has(sha)) objects.delete(sha);
    objects.insert(row);
  };
  return {
    ...gitReader(tables),
    put: (object) => {
      const sha = shaOf(object);
      const known = objects.get(sha);
      if (known === undefined || shaOf(objectOfRow(known)) !== sha) write(sha, object);
      return sha;
    },
    place: (sha, object) => {
      const known = objects.get(sha);
      write(sha, known ? fullerOf(sha, objectOfRow(known), object) : object);
    },
  };
}

/** Objects in memory: for tests, and for work whose objects are not to be kept, such as a trial merge. */
export function memoryStore(under?: GitReader): GitWriter {
  const objects = new Map<string, GitObject>();
  return {
    get: (sha) => objects.get(sha) ?? under?.get(sha),
    put: (object) => {
      const sha = shaOf(object);
      objects.set(sha, object);
      return sha;
    },
    place: (sha, object) => {
      const known = objects.get(sha);
      objects.set(sha, known ? fullerOf(sha, known, object) : object);
    },
  };
}

/** What is known of an object when it is told once more: all of it where its content gives its hash. */
function fullerOf(sha: string, known: GitObject, told: GitObject): GitObject {
  if (shaOf(known) === sha) return known;
  if (known.kind === 'commit' && told.kind === 'commit') {
    return {
      ...told,
      tree: told.tree === UNKNOWN_SHA ? known.tree : told.tree,
      parents: told.parents.length === 0 ? known.parents : told.parents,
      signature: told.signature ?? known.signature,
    };
  }
  if (known.kind === 'tree' && told.kind === 'tree') {
    return known.entries.length > told.entries.length ? known : told;
  }
  if (known.kind === 'blob' && told.kind === 'blob') return isContentKnown(told) ? told : known;
  return told;
}

/** Whether more is known of a blob than its size. */
function isContentKnown({ base64, size }: GitBlob): boolean {
  return size === 0 || base64 !== '';
}

/** The commit of that hash, if it is known and is one. */
export function commitAt(reader: GitReader, sha: string): GitCommit | undefined {
  const object = reader.get(sha);
  return object?.kind === 'commit' ? object : undefined;
}

/** The entries of the tree of that hash; none when it is not known. */
export function entriesAt(reader: GitReader, sha: string): readonly TreeEntry[] {
  const object = reader.get(sha);
  return object?.kind === 'tree' ? object.entries : [];
}

/** The blob of that hash, if it is known and is one. */
export function blobAt(reader: GitReader, sha: string): GitBlob | undefined {
  const object = reader.get(sha);
  return object?.kind === 'blob' ? object : undefined;
}

/** The same, but only when its content is known, and not its size alone. */
export function contentAt(reader: GitReader, sha: string): GitBlob | undefined {
  const blob = blobAt(reader, sha);
  return blob && isContentKnown(blob) ? blob : undefined;
}

/** The text of the blob of that hash; null when it is not known. */
export function textAt(reader: GitReader, sha: string): string | null {
  const blob = contentAt(reader, sha);
  return blob ? textOfBlob(blob) : null;
}

/** The commit that a hash leads to: the commit itself, or what an annotated tag points to. */
export function peelToCommit(reader: GitReader, sha: string): string | null {
  const object = reader.get(sha);
  if (object?.kind === 'commit') return sha;
  return object?.kind === 'tag' ? peelToCommit(reader, object.object) : null;
}
