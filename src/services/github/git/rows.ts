import { blobOfStoredText, bytesOfBlob } from './blobs.ts';
import { strictTextOfBytes } from './bytes.ts';
import type { GitObjectRow } from './schema.ts';
import type { GitBlob, GitObject, TreeEntry, TreeEntryType } from './store.ts';

/** What rows hold, read once per row: rows never change. */
const parsed = new WeakMap<GitObjectRow, GitObject>();

/** The object that a row holds. */
export function objectOfRow(row: GitObjectRow): GitObject {
  const known = parsed.get(row);
  if (known) return known;
  const object = parseRow(row);
  parsed.set(row, object);
  return object;
}

function parseRow(row: GitObjectRow): GitObject {
  if (row.kind === 'tree') return { kind: 'tree', entries: parseEntries(row.entries ?? '') };
  if (row.kind === 'commit' && row.commit) return { kind: 'commit', ...row.commit };
  if (row.kind === 'tag' && row.tag) return { kind: 'tag', ...row.tag };
  return blobOfRow(row);
}

function blobOfRow({ text, base64 = '', size = 0 }: GitObjectRow): GitBlob {
  return text === undefined ? { kind: 'blob', base64, size } : blobOfStoredText(text, size);
}

function parseEntries(lines: string): TreeEntry[] {
  if (lines === '') return [];
  return lines.split('\n').map((line) => {
    const tab = line.indexOf('\t');
    const [mode = '', type = '', sha = ''] = line.slice(0, tab).split(' ');
    return { path: line.slice(tab + 1).replaceAll('\0', '\n'), mode, type: type as TreeEntryType, sha };
  });
}

/** The row that holds an object. A line break in a name is kept as NUL, which no name can hold. */
export function rowOfObject(sha: string, object: GitObject): GitObjectRow {
  switch (object.kind) {
    case 'blob': {
      const text = strictTextOfBytes(bytesOfBlob(object));
      const content = text === null ? { base64: object.base64 } : { text };
      return { sha, kind: 'blob', ...content, size: object.size };
    }
    case 'tree': {
      const lines = object.entries.map(
        ({ path, mode, type, sha: entry }) => `${mode} ${type} ${entry}\t${path.replaceAll('\n', '\0')}`,
      );
      return { sha, kind: 'tree', entries: lines.join('\n') };
    }
    case 'commit': {
      const { tree, author, committer, message, signature } = object;
      const commit = { tree, parents: [...object.parents], author, committer, message };
      return { sha, kind: 'commit', commit: { ...commit, ...(signature ? { signature } : {}) } };
    }
    case 'tag': {
      const { kind, ...tag } = object;
      return { sha, kind, tag };
    }
  }
}
