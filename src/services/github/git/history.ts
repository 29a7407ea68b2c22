import { secondsOf } from './hash.ts';
import { CommitQueue } from './queue.ts';
import { commitAt, type GitCommit, type GitReader } from './store.ts';
import { samePath, shaAtPath } from './trees.ts';

/** A commit and its hash. */
export interface LoggedCommit {
  readonly sha: string;
  readonly commit: GitCommit;
}

/** Which commits of a history to give. */
export interface LogOptions {
  /** Commits that these reach are left out. */
  readonly excluding?: readonly string[];
  /** Follow the first parent only. */
  readonly firstParent?: boolean;
  /** Only commits that change what stands at this path, following what git calls a simplified history. */
  readonly path?: string;
  /** Only commits for which this holds. */
  readonly matches?: (commit: GitCommit, sha: string) => boolean;
  /** Only commits whose committer's date is this or later, in ISO 8601. */
  readonly since?: string;
  /** Only commits whose committer's date is this or earlier, in ISO 8601. */
  readonly until?: string;
}

/**
 * The history of some commits as `git log` gives it: the youngest commit first, each once it was reached.
 * Commits that are not known are passed over. Lazy: take as many as you need.
 */
export function* log(
  reader: GitReader,
  starts: readonly string[],
  options: LogOptions = {},
): Generator<LoggedCommit> {
  const hidden = options.excluding?.length ? reach(reader, options.excluding, starts) : undefined;
  const { since, until, matches } = options;
  const from = since === undefined ? Number.NEGATIVE_INFINITY : secondsOf(since);
  const to = until === undefined ? Number.POSITIVE_INFINITY : secondsOf(until);
  const queue = new CommitQueue<LoggedCommit>();
  const seen = new Set<string>();
  const push = (sha: string): void => {
    const commit = seen.has(sha) || hidden?.has(sha) ? undefined : commitAt(reader, sha);
    seen.add(sha);
    if (commit) queue.push({ sha, commit }, secondsOf(commit.committer.date));
  };
  for (const start of starts) push(start);
  for (let next = queue.pop(); next; next = queue.pop()) {
    const { sha, commit } = next;
    const { shown, parents } = step(reader, commit, options);
    for (const parent of parents) push(parent);
    const seconds = secondsOf(commit.committer.date);
    if (shown && seconds >= from && seconds <= to && (matches?.(commit, sha) ?? true)) yield next;
  }
}

/** Whether a commit belongs into the log, and which parents the log goes on with. */
function step(
  reader: GitReader,
  commit: GitCommit,
  { path, firstParent = false }: LogOptions,
): { readonly shown: boolean; readonly parents: readonly string[] } {
  const parents = firstParent ? commit.parents.slice(0, 1) : commit.parents;
  if (path === undefined || path === '') return { shown: true, parents };
  if (parents.length === 0) return { shown: shaAtPath(reader, commit.tree, path) !== null, parents };
  const same = parents.find((parent) => {
    const before = commitAt(reader, parent);
    return before !== undefined && samePath(reader, { one: before.tree, other: commit.tree, path });
  });
  if (same !== undefined) return { shown: false, parents: [same] };
  return { shown: parents.length === 1 || parents.every((parent) => reader.get(parent)), parents };
}

const ONE = 1;
const OTHER = 2;
const BOTH = 3;

interface Painted {
  readonly commit: GitCommit;
  readonly seconds: number;
  sides: number;
  /** Reached from a commit that both sides reach: no best common ancestor. */
  stale: boolean;
}

interface Painting {
  readonly painted: ReadonlyMap<string, Painted>;
  /** The commits that both sides reach, as they were found, without those known to lie behind another. */
  readonly shared: ReadonlySet<string>;
}

/** How many commits are looked at past the point where nothing new is due, as clocks differ. */
const SLACK_COMMITS = 64;

/**
 * Marks what each of two sets of commits reaches, as far as needed to tell them apart: down to the commits
 * that both reach. Commits are visited by date, and again when a mark arrives late.
 */
function paint(reader: GitReader, one: readonly string[], other: readonly string[]): Painting {
  const painted = new Map<string, Painted>();
  const shared = new Set<string>();
  const queue = new CommitQueue<string>();
  let open = 0;
  let slack = SLACK_COMMITS;
  let oldestOneSided = Number.POSITIVE_INFINITY;
  const queued = new Set<string>();
  const mark = (sha: string, sides: number, stale: boolean): void => {
    let entry = painted.get(sha);
    if (!entry) {
      const commit = commitAt(reader, sha);
      if (!commit) return;
      entry = { commit, seconds: secondsOf(commit.committer.date), sides: 0, stale: false };
      painted.set(sha, entry);
    } else if ((entry.sides & sides) === sides && (entry.stale || !stale)) {
      return;
    }
    const wasOpen = queued.has(sha) && entry.sides !== BOTH;
    entry.sides |= sides;
    entry.stale ||= stale;
    const isOpen = entry.sides !== BOTH;
    if (!queued.has(sha)) queue.push(sha, entry.seconds);
    queued.add(sha);
    open += Number(isOpen) - Number(wasOpen);
  };
  for (const sha of one) mark(sha, ONE, false);
  for (const sha of other) mark(sha, OTHER, false);
  for (let sha = queue.pop(); sha !== undefined; sha = queue.pop()) {
    queued.delete(sha);
    const entry = painted.get(sha);
    if (!entry) continue;
    if (entry.sides !== BOTH) {
      open -= 1;
      oldestOneSided = Math.min(oldestOneSided, entry.seconds);
    } else {
      if (!entry.stale) shared.add(sha);
      if (open === 0 && entry.seconds < oldestOneSided) slack -= 1;
      if (slack < 0) break;
    }
    for (const parent of entry.commit.parents) mark(parent, entry.sides, entry.sides === BOTH);
  }
  return { painted, shared };
}

/** The hashes that some commits reach, as far as it takes to tell them from what others reach. */
function reach(reader: GitReader, from: readonly string[], others: readonly string[]): Set<string> {
  const reached = new Set<string>();
  for (const [sha, { sides }] of paint(reader, from, others).painted) if (sides & ONE) reached.add(sha);
  return reached;
}

/** The best common ancestors of two commits, the youngest first. */
export function mergeBases(reader: GitReader, one: string, other: string): string[] {
  if (one === other) return commitAt(reader, one) ? [one] : [];
  const { painted, shared } = paint(reader, [one], [other]);
  const secondsAt = (sha: string): number => painted.get(sha)?.seconds ?? 0;
  const shas = [...shared]
    .filter((sha) => !painted.get(sha)?.stale)
    .sort((left, right) => secondsAt(right) - secondsAt(left));
  if (shas.length < 2) return shas;
  return shas.filter((sha) => !shas.some((by) => by !== sha && isAncestor(reader, sha, by)));
}

/** The best common ancestor of two commits; the first of several, null when there is none. */
export function mergeBase(reader: GitReader, one: string, other: string): string | null {
  return mergeBases(reader, one, other)[0] ?? null;
}

/** Whether a commit is another one or lies in its history. */
export function isAncestor(reader: GitReader, ancestor: string, descendant: string): boolean {
  if (ancestor === descendant) return true;
  const target = commitAt(reader, ancestor);
  if (!target) return false;
  return paint(reader, [ancestor], [descendant]).painted.get(ancestor)?.sides === BOTH;
}

/** How two commits stand to each other. */
export interface Comparison {
  readonly status: 'identical' | 'ahead' | 'behind' | 'diverged';
  /** The best common ancestor; null when the histories have nothing in common. */
  readonly mergeBase: string | null;
  /** Commits of the head that the base has not, the oldest first. */
  readonly ahead: readonly LoggedCommit[];
  /** How many commits of the base the head has not. */
  readonly behindCount: number;
}

/** Compares a head with a base. */
export function compareCommits(reader: GitReader, base: string, head: string): Comparison {
  const ahead = commitsBetween(reader, base, head);
  const behindCount = [...log(reader, [base], { excluding: [head] })].length;
  const status = statusOf(ahead.length, behindCount);
  return { status, mergeBase: mergeBase(reader, base, head), ahead, behindCount };
}

function statusOf(ahead: number, behind: number): Comparison['status'] {
  if (ahead > 0) return behind > 0 ? 'diverged' : 'ahead';
  return behind > 0 ? 'behind' : 'identical';
}

/** The commits of a head that the base has not, the oldest first, as pulls and comparisons list them. */
export function commitsBetween(reader: GitReader, base: string, head: string): LoggedCommit[] {
  return [...log(reader, [head], { excluding: [base] })].reverse();
}
