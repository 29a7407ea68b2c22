import { payloadOf, secondsOf } from './hash.ts';
import type { GitCommit, GitTag, GitWriter, Signature } from './store.ts';

/** What a new commit is made of. */
export interface NewCommit {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  readonly author: Signature;
  /** The author, when it is absent. */
  readonly committer?: Signature | undefined;
  readonly signature?: string | null | undefined;
}

/** Stores a commit and gives its hash. Moments are kept to the second, in the zone they were given in. */
export function createCommit(writer: GitWriter, commit: NewCommit): string {
  const { tree, parents, message, author, committer = author, signature } = commit;
  return writer.put({
    kind: 'commit',
    tree,
    parents,
    author: cleanSignature(author),
    committer: cleanSignature(committer),
    message,
    ...(signature ? { signature } : {}),
  });
}

/** What a new annotated tag is made of. */
export type NewTag = Omit<GitTag, 'kind'>;

/** Stores an annotated tag and gives its hash. */
export function createTag(writer: GitWriter, { tagger, ...tag }: NewTag): string {
  return writer.put({ kind: 'tag', ...tag, tagger: tagger && cleanSignature(tagger) });
}

/** Names lose what would break their line, and the punctuation around them, as in git. */
function cleanSignature({ name, email, date }: Signature): Signature {
  return { name: cleanName(name), email: cleanName(email), date: wholeSeconds(date) };
}

function cleanName(name: string): string {
  return name.replace(/[<>\n]/gu, '').replace(/^[\0- .,:;"'\\]+|[\0- .,:;"'\\]+$/gu, '');
}

function wholeSeconds(date: string): string {
  return date.replace(/\.\d+/u, '').replace(/[+-]00:?00$/u, 'Z');
}

/** A moment of any zone as the API writes it: UTC, to the second. */
export function utcSeconds(date: string): string {
  return new Date(secondsOf(date) * 1000).toISOString().replace('.000Z', 'Z');
}

/** What the API tells of a commit's signature. */
export interface Verification {
  readonly verified: boolean;
  readonly reason: 'unsigned' | 'valid' | 'unknown_key' | 'unverified_email' | 'bad_email' | 'invalid';
  readonly signature: string | null;
  /** The signed text; null without a signature. */
  readonly payload: string | null;
}

/**
 * A signature's standing. Keys are not checked: who calls knows whether the signer's key is known here.
 */
export function verificationOf(commit: GitCommit, keyIsKnown = true): Verification {
  const signature = commit.signature ?? null;
  if (signature === null) return { verified: false, reason: 'unsigned', signature: null, payload: null };
  const reason = keyIsKnown ? 'valid' : 'unknown_key';
  return { verified: keyIsKnown, reason, signature, payload: payloadOf(commit) };
}
