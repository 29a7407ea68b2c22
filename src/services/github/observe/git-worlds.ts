import {
  base64OfBytes,
  blobOfText,
  bytesOfBase64,
  type GitCommit,
  type GitWriter,
  gitStore,
  type Signature,
  shaOf,
  type TreeEntry,
  typeOfMode,
  UNKNOWN_SHA,
} from '../git/index.ts';
import { plantDifferences } from './git-differences.ts';
import { type CommitFact, type GitFacts, gitFactsOf, type HistoryFact, type TreeFact } from './git-facts.ts';
import { chain, linkLists } from './git-histories.ts';
import type { Sight } from './sight.ts';

const SOMEBODY: Signature = {
  name: 'Somebody',
  email: 'somebody@users.example',
  date: '2015-01-01T00:00:00Z',
};

/**
 * Writes the git objects and refs that a recording began with, each under the hash it was shown by. Of most
 * of them only a part is known: files that nobody saw are not there, and histories end where nobody looked.
 */
export function buildGitWorlds(sight: Sight): void {
  const facts = gitFactsOf(sight);
  const builder = new Builder(sight, facts);
  for (const [key, slots] of facts.chains) chain(facts, slots, { salt: key });
  for (const [id, history] of facts.histories) {
    if (sight.tx.repositories.has(id) && !sight.isMade('repositories', id)) builder.settle(id, history);
  }
  builder.write();
}

class Builder {
  readonly #sight: Sight;
  readonly #facts: GitFacts;
  readonly #store: GitWriter;
  /** Files of commits whose tree's hash nobody told. */
  readonly #roots = new Map<string, TreeFact>();

  constructor(sight: Sight, facts: GitFacts) {
    this.#sight = sight;
    this.#facts = facts;
    this.#store = gitStore(sight.tx);
  }

  /** Gives every ref and word of a repository its commit, and writes the refs. */
  settle(id: number, history: HistoryFact): void {
    const { tx } = this.#sight;
    const branch = tx.repositories.get(id)?.default_branch ?? 'main';
    const main = `refs/heads/${branch}`;
    if (!history.isEmpty && !history.refs.has(main) && !this.#sight.isMade('git_refs', [id, main])) {
      history.refs.set(main, undefined);
    }
    for (const word of history.files.keys()) this.#place(history, word);
    linkLists(this.#facts, history, (sha) => this.#treeOf(sha));
    for (const [ref, told] of history.refs) {
      const sha = told ?? this.#blankCommit(`${id} ${ref === main ? 'main' : ref}`);
      if (told === undefined) history.refs.set(ref, sha);
      if (!this.#facts.tags.has(sha)) this.#facts.commit(sha);
      if (!tx.git_refs.has([id, ref])) tx.git_refs.insert({ repository_id: id, ref, sha });
    }
  }

  /** Puts what was read by a word into the tree of the commit that the word names. */
  #place(history: HistoryFact, word: string): void {
    const isHash = /^[0-9a-f]{40}$/u.test(word);
    const tag = history.refs.get(`refs/tags/${word}`);
    const ref = `refs/heads/${word}`;
    const sha = isHash ? word : (tag ?? history.refs.get(ref) ?? this.#blankCommit(`${ref} of ${word}`));
    if (!isHash && tag === undefined && history.refs.get(ref) === undefined) history.refs.set(ref, sha);
    this.#facts.commit(sha);
    const files = history.files.get(word);
    const told = this.#facts.commits.get(sha)?.tree;
    if (!files) return;
    if (told !== undefined) this.#facts.merge(this.#facts.tree(told), files);
    else this.#rooted(sha, files);
  }

  /** What is known of a commit's files. */
  #treeOf(sha: string): TreeFact {
    const told = this.#facts.commits.get(sha)?.tree;
    if (told !== undefined) return this.#facts.tree(told);
    const known = this.#roots.get(sha) ?? { names: new Map(), total: 0 };
    this.#roots.set(sha, known);
    return known;
  }

  /** Files of a commit of whose tree nobody told the hash. */
  #rooted(sha: string, files: TreeFact): void {
    const known = this.#roots.get(sha);
    if (known) this.#facts.merge(known, files);
    else this.#roots.set(sha, files);
  }

  /** Trees that were shown under the hash of their commit. */
  #unwrap(): void {
    const { trees, commits } = this.#facts;
    for (const [sha, tree] of [...trees]) {
      const commit = commits.get(sha);
      if (!commit) continue;
      trees.delete(sha);
      if (commit.tree === undefined) this.#rooted(sha, tree);
      else this.#facts.merge(this.#facts.tree(commit.tree), tree);
    }
  }

  /** A commit of which nothing is known but that it is there. */
  #blankCommit(salt: string): string {
    const sha = shaOf(blobOfText(`commit of ${salt}`));
    this.#facts.commit(sha, { message: 'Initial commit' });
    return sha;
  }

  write(): void {
    plantDifferences(this.#facts, this.#store, (sha) => this.#treeOf(sha));
    this.#unwrap();
    const { blobs, trees, tags, commits } = this.#facts;
    const isMade = (sha: string): boolean => this.#sight.isMade('git_objects', sha);
    for (const [sha, { base64, size }] of blobs) {
      if (!isMade(sha)) this.#store.place(sha, { kind: 'blob', base64: filled(base64, size), size });
    }
    for (const [sha, tree] of trees) {
      if (!isMade(sha)) this.#store.place(sha, { kind: 'tree', entries: this.#entries(tree, sha) });
    }
    for (const [sha, tag] of tags) if (!isMade(sha)) this.#store.place(sha, tag);
    for (const [sha, commit] of commits) if (!isMade(sha)) this.#writeCommit(sha, commit);
  }

  #writeCommit(sha: string, fact: CommitFact): void {
    const { verified, tree: told, ...known } = fact;
    const root = this.#roots.get(sha);
    const tree =
      told ?? (root ? this.#store.put({ kind: 'tree', entries: this.#entries(root, sha) }) : UNKNOWN_SHA);
    const commit: GitCommit = {
      kind: 'commit',
      tree,
      parents: known.parents ?? [],
      author: known.author ?? SOMEBODY,
      committer: known.committer ?? known.author ?? SOMEBODY,
      message: known.message ?? 'A commit',
      signature: known.signature,
    };
    this.#store.place(sha, commit);
    if (tree !== UNKNOWN_SHA && this.#store.get(tree) === undefined) {
      this.#store.place(tree, { kind: 'tree', entries: [] });
    }
    const { commit_verifications: checked } = this.#sight.tx;
    if (verified && !checked.has(sha)) checked.insert({ sha, ...verified, verified_at: null });
  }

  /** The entries of a tree in git's order, with as many more as were hidden. */
  #entries(tree: TreeFact, salt: string): TreeEntry[] {
    const entries: TreeEntry[] = [...tree.names].map(([path, { mode, sha, inside }]) => ({
      path,
      mode,
      type: typeOfMode(mode),
      sha:
        sha ??
        this.#store.put({ kind: 'tree', entries: inside ? this.#entries(inside, `${salt}/${path}`) : [] }),
    }));
    for (let index = 0; index < tree.total - tree.names.size; index += 1) {
      const blob = this.#store.put(blobOfText(`${salt} ${index}`));
      entries.push({ path: `~${index}`, mode: '100644', type: 'blob', sha: blob });
    }
    const key = ({ path, type }: TreeEntry): string => (type === 'tree' ? `${path}/` : path);
    return entries.sort((one, other) => (key(one) < key(other) ? -1 : 1));
  }
}

/** As many bytes as a file has, of which the first were shown. */
function filled(base64: string, size: number): string {
  const shown = base64.slice(0, base64.length - (base64.length % 4));
  const bytes = shown === '' ? 0 : Math.floor((shown.replace(/=+$/u, '').length * 3) / 4);
  if (bytes >= size) return shown;
  return base64OfBytes((bytesOfBase64(shown) ?? '').padEnd(size, ' '));
}
