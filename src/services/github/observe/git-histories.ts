import { blobOfText, shaOf } from '../git/index.ts';
import type { CommitListFact, GitFacts, HistoryFact, TreeFact } from './git-facts.ts';

/** A commit that is known, or null for one that nobody showed. */
type Slot = string | null;

/** What a chain of commits is made for. */
export interface ChainWish {
  /** Tells its unseen commits from those of other chains. */
  readonly salt: string;
  /** The path that every commit of the chain changes. */
  readonly path?: string | undefined;
  /** Commits between two of the chain may be thought of. */
  readonly mayAdd?: boolean | undefined;
}

/** Names of commits that nobody showed. */
function unseen(salt: string, index: number): string {
  return shaOf(blobOfText(`unseen commit ${index} of ${salt}`));
}

/**
 * Makes commits follow one another, the youngest first: each has the next one among its parents, or a commit
 * in between that nobody showed. Parents that were told stay.
 */
export function chain(facts: GitFacts, slots: readonly Slot[], wish: ChainWish): readonly string[] {
  const shas: string[] = [];
  for (const [index, slot] of slots.entries()) {
    const before = shas.at(-1);
    const parent = before === undefined ? undefined : facts.commits.get(before)?.parents?.[0];
    const isFree = parent !== undefined && !facts.commits.has(parent) && !slots.includes(parent);
    shas.push(slot ?? (isFree ? parent : unseen(wish.salt, index)));
  }
  let date: string | undefined;
  let lastUnseen: string | undefined;
  for (const [index, sha] of shas.entries()) {
    const next = shas[index + 1];
    const fact = facts.commits.get(sha);
    date = fact?.committer?.date ?? date;
    if (!fact?.author && date !== undefined)
      facts.commit(sha, { author: somebody(date), committer: somebody(date) });
    else facts.commit(sha);
    if (slots[index] === null) lastUnseen = sha;
    if (next !== undefined) follow(facts, { sha, next, date, lastUnseen }, wish);
  }
  return shas;
}

function somebody(date: string) {
  return { name: 'Somebody', email: 'somebody@users.example', date };
}

interface Step {
  readonly sha: string;
  readonly next: string;
  readonly date: string | undefined;
  readonly lastUnseen: string | undefined;
}

function follow(facts: GitFacts, { sha, next, date, lastUnseen }: Step, { mayAdd = false }: ChainWish): void {
  const parents = facts.commits.get(sha)?.parents;
  if (parents === undefined) facts.commit(sha, { parents: [next] });
  else if (parents.includes(next)) return;
  else {
    const [parent] = parents;
    if (mayAdd && parent !== undefined && !facts.commits.has(parent)) {
      const people = date === undefined ? {} : { author: somebody(date), committer: somebody(date) };
      facts.commit(parent, { parents: [next], ...people });
    } else addParent(facts, lastUnseen ?? sha, next);
  }
}

function addParent(facts: GitFacts, sha: string, parent: string): void {
  const fact = facts.commits.get(sha) ?? {};
  facts.commits.set(sha, { ...fact, parents: [...(fact.parents ?? []), parent] });
}

const SEARCHED = /^[0-9a-f]{40}$/u;

/** Makes the histories that lists of commits showed; `treeOf` gives what is known of a commit's files. */
export function linkLists(facts: GitFacts, history: HistoryFact, treeOf: (sha: string) => TreeFact): void {
  for (const [key, list] of history.lists) {
    const slots = slotsOf(list);
    if (slots.length === 0) continue;
    const shas = chain(facts, slots, { salt: key, path: list.path, mayAdd: list.path !== undefined });
    head(facts, history, { word: list.word, first: shas[0] ?? '' });
    if (list.path !== undefined) changeAll(facts, { shas, path: list.path, treeOf });
  }
}

function slotsOf({ pages, total }: CommitListFact): Slot[] {
  const slots: Slot[] = Array.from({ length: total }, () => null);
  for (const { start, shas, length } of pages.values()) {
    for (let index = 0; index < length; index += 1) slots[start + index] = shas[index] ?? null;
  }
  return Array.from(slots, (slot) => slot ?? null);
}

/** The list begins at the commit that its branch stands on, or further back. */
function head(facts: GitFacts, history: HistoryFact, { word, first }: { word: string; first: string }): void {
  if (SEARCHED.test(word)) {
    if (word !== first) chain(facts, [word, first], { salt: word, mayAdd: true });
    return;
  }
  const ref = history.refs.has(`refs/tags/${word}`) ? `refs/tags/${word}` : `refs/heads/${word}`;
  const known = history.refs.get(ref);
  if (known === undefined) history.refs.set(ref, first);
  else if (known !== first && !reaches(facts, known, first)) {
    chain(facts, [known, first], { salt: word, mayAdd: true });
  }
}

function reaches(facts: GitFacts, from: string, to: string): boolean {
  const seen = new Set<string>();
  const queue = [from];
  for (let sha = queue.pop(); sha !== undefined; sha = queue.pop()) {
    if (sha === to) return true;
    if (seen.has(sha)) continue;
    seen.add(sha);
    queue.push(...(facts.commits.get(sha)?.parents ?? []));
  }
  return false;
}

/** Every commit of a list changes the path that the list is of; what is between them does not. */
function changeAll(
  facts: GitFacts,
  { shas, path, treeOf }: { shas: readonly string[]; path: string; treeOf: (sha: string) => TreeFact },
): void {
  for (const [index, sha] of shas.entries()) {
    const own = shaOf(blobOfText(`${path} in ${sha}`));
    plantFile(facts, treeOf(sha), { path, sha: own });
    const next = shas[index + 1];
    const between = facts.commits.get(sha)?.parents?.[0];
    if (next === undefined || between === undefined || between === next || !facts.commits.has(between))
      continue;
    plantFile(facts, treeOf(between), { path, sha: shaOf(blobOfText(`${path} in ${next}`)) });
  }
}

function plantFile(facts: GitFacts, tree: TreeFact, { path, sha }: { path: string; sha: string }): void {
  facts.plant(tree, path, { mode: '100644', sha });
  if (!facts.blobs.has(sha)) facts.blobs.set(sha, { base64: '', size: 1 });
}
