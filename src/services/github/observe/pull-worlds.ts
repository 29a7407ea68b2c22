import { sha1Hex } from '../../../service/index.ts';
import {
  blobOfText,
  commitAt,
  EMPTY_TREE_SHA,
  entryAtPath,
  type GitWriter,
  gitStore,
  isAncestor,
  listTree,
  type Signature,
  shaOf,
  type TreeChange,
  UNKNOWN_SHA,
  writeTree,
} from '../git/index.ts';
import { gitFactsOf } from './git-facts.ts';
import { type FileTexts, textsOfCounts, textsOfPatches } from './hunks.ts';
import {
  type FileFact,
  factAbout,
  factsOf,
  mergeNotes,
  noteFile,
  notesOf,
  type PullFact,
} from './pull-facts.ts';
import type { Sight } from './sight.ts';

const SOMEBODY = { name: 'Somebody', email: 'somebody@users.example', date: '2015-01-01T00:00:00Z' };

/** A file that a pull changes, as both ends hold it. */
interface FileWish extends Partial<FileTexts> {
  readonly path: string;
  /** Of a file whose content stays: only its mode changes. */
  readonly isMode?: boolean;
  /** How the hashes of both contents begin, as far as they were shown. */
  readonly shas?: FileFact['shas'];
}

/** How the commits of a pull stand on those that were there before. */
interface Plan {
  readonly fact: PullFact;
  /** The commit that the pull left its base at. */
  readonly fork: string;
  /** The commit that those stand on which nobody saw, where that is not the fork. */
  readonly under?: string;
  /** The lowest known commit of the pull; commits that nobody saw go below. */
  readonly low: string;
  /** Of how many commits of the pull something is known, or will be. */
  readonly known: number;
  readonly isAttached: boolean;
  readonly files: readonly FileWish[];
}

/**
 * Writes the histories that pulls were seen to have: as many commits between their ends as were counted, and
 * files that differ as was shown. Ends that the recording's own requests made are left to them.
 */
export function buildPullWorlds(sight: Sight): void {
  const store = gitStore(sight.tx);
  giveEnds(sight);
  mergeNotes(sight);
  const facts = factsOf(sight);
  const isMade = (sha: string): boolean => sight.isMade('git_objects', sha);
  for (const fact of facts) noteDifferences(sight, fact);
  const bases = [...new Set(facts.map(({ base_sha }) => base_sha))].filter((sha) => !isMade(sha));
  for (const base of bases) standing(store, base);
  const plans = facts
    .filter(({ base_sha, head_sha }) => !isMade(base_sha) && !isMade(head_sha))
    .map((fact) => attach(store, planOf(store, fact)));
  for (const [fork, group] of byFork(plans)) {
    const files = beforeOf(store, group);
    fillBase(store, fork, files.some(({ path }) => path === README.path) ? files : [...files, README]);
  }
  for (const { fact, fork } of plans) if (fact.base_sha !== fork) levelWith(store, fact.base_sha, fork);
  for (const base of bases) fillBase(store, base, [README]);
  for (const plan of plans) fillPull(store, plan);
}

/** Pulls whose ends nobody showed come from some branch into the usual one. */
function giveEnds(sight: Sight): void {
  const { tx } = sight;
  for (const pull of [...tx.pulls.scan()]) {
    if (pull.head_sha !== '') continue;
    const { issue_id, repository_id } = pull;
    const base_ref = tx.repositories.get(repository_id)?.default_branch ?? 'main';
    const number = tx.issues.get(issue_id)?.number ?? 0;
    const notes = notesOf(sight, repository_id, number);
    const base_sha =
      notes.base_sha ??
      tx.git_refs.get([repository_id, `refs/heads/${base_ref}`])?.sha ??
      sha1Hex(`base of ${issue_id}`);
    const head_sha = notes.head_sha ?? sha1Hex(`head of ${issue_id}`);
    tx.pulls.update(issue_id, { base_ref, base_sha, head_sha });
    factAbout(sight, { repository_id, base_sha, head_sha }, number);
  }
}

/** What a comparison showed of both ends. */
function noteDifferences(sight: Sight, fact: PullFact): void {
  const found = gitFactsOf(sight).differences.get(`${fact.base_sha} ${fact.head_sha}`);
  for (const difference of found?.files ?? []) {
    if (!difference) continue;
    const { patch, sha: _, ...file } = difference;
    noteFile(fact, { ...file, patches: patch === undefined ? [] : [patch] });
  }
}

const README: TreeChange = { path: 'README.md', content: 'Read me.\n' };

/** A commit is there, whatever else is known of it. */
function standing(
  store: GitWriter,
  sha: string,
  { parents = [], author = SOMEBODY }: { parents?: readonly string[]; author?: Signature | undefined } = {},
): void {
  if (commitAt(store, sha)) return;
  const message = 'A commit';
  store.place(sha, { kind: 'commit', tree: UNKNOWN_SHA, parents, author, committer: author, message });
}

function planOf(store: GitWriter, fact: PullFact): Plan {
  const { base_sha: base, head_sha: head, commits = 1, isBehind = false } = fact;
  placeHeld(store, fact);
  const files = filesOf(fact);
  let [low, known] = [head, 1];
  for (;;) {
    const parent = commitAt(store, low)?.parents[0];
    const begun = parent === undefined ? begunOn(store, fact) : undefined;
    if (begun) return { fact, ...begun, low, known: known + begun.shown, isAttached: false, files };
    if (parent === undefined) {
      const fork = isBehind ? parentOf(store, base) : base;
      return { fact, fork, low, known, isAttached: false, files };
    }
    if (isAncestor(store, parent, base)) return { fact, fork: parent, low, known, isAttached: true, files };
    const isWhole = fact.commits !== undefined && known >= fact.commits;
    if (isWhole || (!commitAt(store, parent) && known >= commits)) {
      // The pull begins on a commit of the base that nobody showed as one.
      standing(store, parent);
      if (commitAt(store, base)?.parents.length === 0) join(store, base, parent);
      return { fact, fork: parent, low, known, isAttached: true, files };
    }
    low = parent;
    known += 1;
  }
}

/** The last of the first commits of a pull, on which those that were not shown stand, and their own fork. */
function begunOn(
  store: GitWriter,
  { base_sha: base, begins = [] }: PullFact,
): { readonly fork: string; readonly under: string; readonly shown: number } | undefined {
  const [first, under] = [begins[0], begins.at(-1)];
  if (first === undefined || under === undefined) return undefined;
  const fork = commitAt(store, first)?.parents[0] ?? base;
  standing(store, fork);
  join(store, first, fork);
  if (fork !== base && commitAt(store, base)?.parents.length === 0) join(store, base, fork);
  return { fork, under, shown: begins.length };
}

/** Commits that a pull was seen to hold stand below its head. */
function placeHeld(store: GitWriter, { head_sha, holds }: PullFact): void {
  let above = head_sha;
  for (const sha of holds) {
    if (sha === head_sha || isAncestor(store, sha, head_sha)) continue;
    standing(store, sha);
    standing(store, above);
    if (commitAt(store, above)?.parents.length === 0) join(store, above, sha);
    above = sha;
  }
}

/** Gives a commit a parent that it was not known to have. */
function join(store: GitWriter, child: string, parent: string): void {
  const commit = commitAt(store, child);
  if (commit && !commit.parents.includes(parent)) {
    store.place(child, { ...commit, parents: [...commit.parents, parent] });
  }
}

/** The commit before another one, which is thought of where nobody showed it. */
function parentOf(store: GitWriter, sha: string): string {
  const known = commitAt(store, sha)?.parents[0];
  if (known !== undefined) {
    standing(store, known);
    return known;
  }
  const parent = sha1Hex(`before ${sha}`);
  standing(store, parent);
  join(store, sha, parent);
  return parent;
}

function byFork(plans: readonly Plan[]): Map<string, Plan[]> {
  const groups = new Map<string, Plan[]>();
  for (const plan of plans) groups.set(plan.fork, [...(groups.get(plan.fork) ?? []), plan]);
  return groups;
}

/** Files as they were before any of these pulls; of one path that which was told first. */
function beforeOf(store: GitWriter, plans: readonly Plan[]): TreeChange[] {
  const files = new Map<string, TreeChange>();
  for (const { path, before, shas } of plans.flatMap((plan) => plan.files)) {
    if (before === undefined || files.has(path)) continue;
    files.set(path, { path, ...contentOf(store, before, shas?.before) });
  }
  return [...files.values()];
}

/** Whether anything is known of what a tree holds: those of which only the hash was shown are empty. */
function isTold(store: GitWriter, tree: string): boolean {
  const object = store.get(tree);
  return object?.kind === 'tree' && (object.entries.length > 0 || tree === EMPTY_TREE_SHA);
}

/** A content: under a hash that begins as it was shown, where it was. */
function contentOf(store: GitWriter, text: string, start: string | undefined): Partial<TreeChange> {
  const blob = blobOfText(text);
  const own = shaOf(blob);
  if (start === undefined || own.startsWith(start)) return { content: text };
  const sha = start + own.slice(start.length);
  store.place(sha, blob);
  return { sha };
}

/** Puts files into what a commit holds, at paths where nothing is known to stand. */
function fillBase(store: GitWriter, sha: string, changes: readonly TreeChange[]): void {
  const commit = commitAt(store, sha);
  if (!commit) return;
  const { tree } = commit;
  const isKnown = isTold(store, tree);
  const fresh = isKnown ? changes.filter(({ path }) => entryAtPath(store, tree, path) === null) : changes;
  hold(store, sha, writeTree(store, isKnown ? tree : null, fresh));
}

/** Lets a commit hold what another tree holds, with changes, unless what it holds is known. */
function fillHead(
  store: GitWriter,
  sha: string,
  { under, changes }: { readonly under: string; readonly changes: readonly TreeChange[] },
): void {
  const commit = commitAt(store, sha);
  if (!commit || isTold(store, commit.tree)) return;
  hold(store, sha, writeTree(store, under, changes));
}

/** A commit's tree keeps the hash under which it was told. */
function hold(store: GitWriter, sha: string, tree: string): void {
  const commit = commitAt(store, sha);
  const object = store.get(tree);
  if (!commit || !object) return;
  const isBlank = commit.tree !== UNKNOWN_SHA && !isTold(store, commit.tree);
  if (isBlank) store.place(commit.tree, object);
  else store.place(sha, { ...commit, tree });
}

/** A base that went on holds what stood where it was left, as far as nothing else is known. */
function levelWith(store: GitWriter, sha: string, fork: string): void {
  const tree = commitAt(store, fork)?.tree ?? UNKNOWN_SHA;
  fillBase(
    store,
    sha,
    [...listTree(store, tree)].map(({ path, sha: entry, mode }) => ({ path, sha: entry, mode })),
  );
}

/** Puts the commits of a pull on its fork: those that were seen, above as many as were counted besides. */
function attach(store: GitWriter, plan: Plan): Plan {
  const { fact, fork, under = fork, low, known, isAttached } = plan;
  if (isAttached) return plan;
  const author = plan.under === undefined ? undefined : commitAt(store, under)?.author;
  let parent = under;
  for (let count = (fact.commits ?? known) - known; count > 0; count -= 1) {
    const sha = sha1Hex(`${count} before ${low}`);
    standing(store, sha, { parents: [parent], author });
    parent = sha;
  }
  standing(store, low, { parents: [parent], author });
  join(store, low, parent);
  return plan;
}

/**
 * Puts the changed files of a pull into its head. The commits below hold what its fork holds; where only
 * commits were shown, each of them adds a file.
 */
function fillPull(store: GitWriter, { fact, fork, files }: Plan): void {
  let under = commitAt(store, fork)?.tree ?? UNKNOWN_SHA;
  if (store.get(under) === undefined) return;
  for (const sha of chainOf(store, fact.head_sha, fork)) {
    const isAlone = fact.additions === undefined && fact.begins?.includes(sha) === true;
    const path = `~files/${sha.slice(0, 7)}.txt`;
    fillHead(store, sha, { under, changes: isAlone ? [{ path, content: `${path}\n` }] : [] });
    if (isAlone) under = commitAt(store, sha)?.tree ?? under;
  }
  fillHead(store, fact.head_sha, { under, changes: files.flatMap((file) => afterOf(store, file)) });
}

/** The commits between a head and its fork, the oldest first. */
function chainOf(store: GitWriter, head: string, fork: string): string[] {
  const chain: string[] = [];
  let sha = commitAt(store, head)?.parents[0];
  while (sha !== undefined && sha !== fork && !chain.includes(sha)) {
    chain.unshift(sha);
    sha = commitAt(store, sha)?.parents[0];
  }
  return chain;
}

function afterOf(store: GitWriter, { path, after, isMode, shas }: FileWish): TreeChange[] {
  if (isMode) return [{ path, content: after ?? '', mode: '100755' }];
  return [after === undefined ? { path, sha: null } : { path, ...contentOf(store, after, shas?.after) }];
}

/** The files that a pull changes: those that were shown, and as many more as were counted. */
function filesOf(fact: PullFact): FileWish[] {
  const shown = [...fact.files.values()];
  const wishes: FileWish[] = [];
  const rest = { additions: fact.additions ?? 1, deletions: fact.deletions ?? 0 };
  const unknown: string[] = [];
  for (const file of shown) {
    const wish = wishOf(file);
    if (wish) {
      wishes.push(wish.file);
      rest.additions -= wish.additions;
      rest.deletions -= wish.deletions;
    } else unknown.push(file.path);
  }
  const more = Math.max(unknown.length, (fact.changed_files ?? 1) - wishes.length);
  for (let index = unknown.length; index < more; index += 1) {
    // Behind all that was shown: lists are by path, and are cut at their end.
    unknown.push(`~files/${fact.head_sha.slice(0, 7)}-${index}.txt`);
  }
  return [...wishes, ...shared(unknown, rest)];
}

/** A file of which a patch or the counts are known. */
function wishOf(file: FileFact): { file: FileWish; additions: number; deletions: number } | null {
  const { path, patches, additions, deletions, status, previousPath, line, position } = file;
  const counted = additions !== undefined && deletions !== undefined;
  const texts =
    textsOfAny(patches, path) ??
    (counted ? textsOfCounts(path, additions, deletions) : textsNamed(path, { line, position }));
  if (!texts || previousPath !== undefined) return null;
  const before = linesOf(texts.before);
  const after = linesOf(texts.after);
  const sizes = {
    additions: additions ?? countOf(after, before),
    deletions: deletions ?? countOf(before, after),
  };
  const { shas } = file;
  if (status === 'added') return { file: { path, after: texts.after, shas }, ...sizes };
  if (status === 'removed') return { file: { path, before: texts.before, shas }, ...sizes };
  const isNew = status === undefined && texts.before === '';
  return { file: { path, shas, ...(isNew ? { after: texts.after } : texts) }, ...sizes };
}

/** A file whose patch shows a line: the line is new, or as many lines from the top are. */
function textsNamed(
  path: string,
  { line, position }: { readonly line: number | undefined; readonly position: number | undefined },
): FileTexts | null {
  if (position !== undefined) return textsOfCounts(path, position, 0);
  if (line === undefined) return null;
  const before = Array.from({ length: line - 1 }, (_, index) => `line ${index + 1} of ${path}\n`).join('');
  return { before, after: `${before}new line of ${path}\n` };
}

/** The file of as many patches as fit together. */
function textsOfAny(patches: readonly string[], path: string): FileTexts | null {
  let fitting: readonly string[] = [];
  let texts: FileTexts | null = null;
  for (const patch of patches) {
    const more = textsOfPatches([...fitting, patch], path);
    if (!more) continue;
    fitting = [...fitting, patch];
    texts = more;
  }
  return texts;
}

function linesOf(text: string): string[] {
  return text.split('\n').slice(0, text.endsWith('\n') ? -1 : undefined);
}

/** Lines of one side that the other has not. */
function countOf(own: readonly string[], other: readonly string[]): number {
  const left = new Map<string, number>();
  for (const line of other) left.set(line, (left.get(line) ?? 0) + 1);
  let count = 0;
  for (const line of own) {
    const known = left.get(line) ?? 0;
    if (known > 0) left.set(line, known - 1);
    else count += 1;
  }
  return count;
}

/** Shares counted lines among files: one for each but the first, which has the rest. */
function shared(paths: readonly string[], rest: { additions: number; deletions: number }): FileWish[] {
  let { additions, deletions } = rest;
  const others = paths.slice(1).map((path): FileWish => {
    if (additions > 1 || (additions === 1 && deletions > 0)) {
      additions -= 1;
      return { path, ...textsOfCounts(path, 1, 0) };
    }
    if (deletions > 1) {
      deletions -= 1;
      return { path, ...textsOfCounts(path, 0, 1) };
    }
    return { path, before: `${path}\n`, after: `${path}\n`, isMode: true };
  });
  return paths
    .slice(0, 1)
    .map((path) => firstOf(path, additions, deletions))
    .concat(others);
}

function firstOf(path: string, additions: number, deletions: number): FileWish {
  if (additions <= 0 && deletions <= 0) {
    return { path, before: `${path}\n`, after: `${path}\n`, isMode: true };
  }
  return { path, ...textsOfCounts(path, Math.max(0, additions), Math.max(0, deletions)) };
}
