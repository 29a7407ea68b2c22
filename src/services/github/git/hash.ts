import { sha1Hex } from '../../../service/index.ts';
import { bytesOfBlob } from './blobs.ts';
import { arrayOf, type Bytes, bytesOfHex, bytesOfText } from './bytes.ts';
import type { GitCommit, GitObject, GitTag, Signature, TreeEntry } from './store.ts';

/** The hash of the tree without entries. */
export const EMPTY_TREE_SHA = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

const hashes = new WeakMap<GitObject, string>();

/** The hash that git gives an object. */
export function shaOf(object: GitObject): string {
  const known = hashes.get(object);
  if (known !== undefined) return known;
  const body = bodyOf(object);
  const sha = sha1Hex(arrayOf(`${object.kind} ${body.length}\0${body}`));
  hashes.set(object, sha);
  return sha;
}

function bodyOf(object: GitObject): Bytes {
  switch (object.kind) {
    case 'blob':
      return bytesOfBlob(object);
    case 'tree':
      return sortEntries(object.entries)
        .map(({ mode, path, sha }) => `${mode.replace(/^0+/u, '')} ${bytesOfText(path)}\0${bytesOfHex(sha)}`)
        .join('');
    case 'commit':
      return bytesOfText(commitText(object));
    case 'tag':
      return bytesOfText(tagText(object));
  }
}

/** Entries in git's order: by bytes, a tree as if its name ended in a slash. */
export function sortEntries(entries: readonly TreeEntry[]): TreeEntry[] {
  return entries
    .map((entry) => ({ entry, key: bytesOfText(entry.type === 'tree' ? `${entry.path}/` : entry.path) }))
    .sort((left, right) => (left.key < right.key ? -1 : left.key > right.key ? 1 : 0))
    .map(({ entry }) => entry);
}

/** The text that a commit hashes to. The lines of a signature follow the committer, its last break too. */
function commitText(commit: GitCommit): string {
  const { signature } = commit;
  const signed = signature ? `gpgsig ${signature.replaceAll('\n', '\n ')}\n` : '';
  return `${commitHead(commit)}${signed}\n${commit.message}`;
}

function commitHead({ tree, parents, author, committer }: GitCommit): string {
  const lines = [
    `tree ${tree}`,
    ...parents.map((parent) => `parent ${parent}`),
    `author ${personText(author)}`,
    `committer ${personText(committer)}`,
  ];
  return `${lines.join('\n')}\n`;
}

/** What a commit's signature signs: the commit without it. */
export function payloadOf(commit: GitCommit): string {
  return `${commitHead(commit)}\n${commit.message}`;
}

function tagText({ object, type, tag, tagger, message }: GitTag): string {
  const by = tagger ? `tagger ${personText(tagger)}\n` : '';
  return `object ${object}\ntype ${type}\ntag ${tag}\n${by}\n${message}`;
}

/** `Name <mail> seconds zone`. */
function personText({ name, email, date }: Signature): string {
  const { seconds, zone } = readDate(date);
  return `${name} <${email}> ${seconds} ${zone}`;
}

/** Seconds since 1970 and the zone, as `+0100`, of an ISO 8601 moment; zero when it is none. */
export function readDate(date: string): { readonly seconds: number; readonly zone: string } {
  const seconds = secondsOf(date);
  const offset = /([+-])(\d{2}):?(\d{2})$/u.exec(date);
  const zone = offset && date.includes('T') ? `${offset[1]}${offset[2]}${offset[3]}` : '+0000';
  return { seconds, zone };
}

/** Whole seconds since 1970 of an ISO 8601 moment; zero when it is none. */
export function secondsOf(date: string): number {
  const milliseconds = Date.parse(date);
  return Number.isNaN(milliseconds) ? 0 : Math.floor(milliseconds / 1000);
}
