import { bytesOfBlob } from './blobs.ts';
import type { Bytes } from './bytes.ts';
import { contentAt, type GitReader } from './store.ts';
import type { Leaf, PathChange } from './tree-diff.ts';

/** A file that moved: its old place, its new one, and how much of it stayed, out of `WHOLE`. */
export interface Rename {
  readonly before: Leaf;
  readonly after: Leaf;
  readonly score: number;
}

/** The score of equal files; half of it makes a rename. */
export const WHOLE = 60_000;
const LEAST = WHOLE / 2;
/** What files of the same, unique name need to be paired before all others. */
const LEAST_BY_NAME = (LEAST + WHOLE) / 2;
const CANDIDATES_AT_MOST = 4;
/** Above this many pairs only equal files count as moved. */
const PAIRS_AT_MOST = 1_000_000;

/**
 * Pairs removed with added files as git does: equal files first, then similar ones whose name is unique, then
 * the most similar.
 */
export function findRenames(reader: GitReader, changes: readonly PathChange[]): Rename[] {
  const pairing = new Pairing(changes);
  pairing.pairEqual();
  if (pairing.sources.size > 0 && pairing.targets.size > 0) {
    const similarity = new Similarity(reader);
    pairing.pairByName(similarity);
    if (pairing.sources.size * pairing.targets.size <= PAIRS_AT_MOST) pairing.pairMostSimilar(similarity);
  }
  return pairing.renames;
}

class Pairing {
  readonly renames: Rename[] = [];
  readonly sources = new Set<Leaf>();
  readonly targets = new Set<Leaf>();

  constructor(changes: readonly PathChange[]) {
    for (const { before, after } of changes) {
      if (before && !after) this.sources.add(before);
      if (after && !before) this.targets.add(after);
    }
  }

  #pair(before: Leaf, after: Leaf, score: number): void {
    this.renames.push({ before, after, score });
    this.sources.delete(before);
    this.targets.delete(after);
  }

  pairEqual(): void {
    const bySha = new Map<string, Leaf[]>();
    for (const source of this.sources) {
      const list = bySha.get(source.sha);
      if (list) list.push(source);
      else bySha.set(source.sha, [source]);
    }
    for (const target of [...this.targets]) {
      const equal = bySha.get(target.sha)?.filter((source) => this.sources.has(source)) ?? [];
      const fitting = equal.filter((source) => sameKind(source, target));
      const best = fitting.find(({ path }) => nameOf(path) === nameOf(target.path)) ?? fitting[0];
      if (best) this.#pair(best, target, WHOLE);
    }
  }

  pairByName(similarity: Similarity): void {
    const sources = uniqueNames(this.sources);
    const targets = uniqueNames(this.targets);
    for (const [name, source] of sources) {
      const target = targets.get(name);
      if (!source || !target) continue;
      const score = similarity.score(source, target, LEAST_BY_NAME);
      if (score >= LEAST_BY_NAME) this.#pair(source, target, score);
    }
  }

  pairMostSimilar(similarity: Similarity): void {
    const candidates = [...this.targets].flatMap((target) => {
      const best: Candidate[] = [];
      for (const source of this.sources) {
        addCandidate(best, { source, target, score: similarity.score(source, target, LEAST) });
      }
      return best.filter(({ score }) => score >= LEAST);
    });
    for (const { source, target, score } of candidates.sort(byScore)) {
      if (this.sources.has(source) && this.targets.has(target)) this.#pair(source, target, score);
    }
  }
}

interface Candidate {
  readonly source: Leaf;
  readonly target: Leaf;
  readonly score: number;
}

/** Keeps the best few. A better one takes the seat of the worst, and seats decide between equal scores. */
function addCandidate(seats: Candidate[], candidate: Candidate): void {
  if (seats.length < CANDIDATES_AT_MOST) {
    seats.push(candidate);
    return;
  }
  let worst = 0;
  for (const [seat, taken] of seats.entries()) {
    const worstTaken = seats[worst];
    if (worstTaken && byScore(taken, worstTaken) > 0) worst = seat;
  }
  const worstTaken = seats[worst];
  if (worstTaken && byScore(worstTaken, candidate) > 0) seats[worst] = candidate;
}

function byScore(one: Candidate, other: Candidate): number {
  return other.score - one.score || Number(keepsName(other)) - Number(keepsName(one));
}

function keepsName({ source, target }: Candidate): boolean {
  return nameOf(source.path) === nameOf(target.path);
}

/** Leaves by the name of their file; null for a name that several have. */
function uniqueNames(leaves: ReadonlySet<Leaf>): Map<string, Leaf | null> {
  const names = new Map<string, Leaf | null>();
  for (const leaf of leaves) {
    const name = nameOf(leaf.path);
    names.set(name, names.has(name) ? null : leaf);
  }
  return names;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function isPlainFile({ mode }: Leaf): boolean {
  return mode.startsWith('100');
}

function sameKind(one: Leaf, other: Leaf): boolean {
  return one.mode === other.mode || (isPlainFile(one) && isPlainFile(other));
}

/** How many bytes files share, by lines and by pieces of long ones. */
class Similarity {
  readonly #reader: GitReader;
  readonly #pieces = new Map<string, ReadonlyMap<string, number>>();

  constructor(reader: GitReader) {
    this.#reader = reader;
  }

  /** Of `WHOLE`; zero where sizes rule out the least that counts, or where content is not known. */
  score(before: Leaf, after: Leaf, least: number): number {
    if (!isPlainFile(before) || !isPlainFile(after)) return 0;
    const old = contentAt(this.#reader, before.sha);
    const fresh = contentAt(this.#reader, after.sha);
    if (!old || !fresh || fresh.size === 0) return 0;
    const larger = Math.max(old.size, fresh.size);
    const gap = larger - Math.min(old.size, fresh.size);
    if (larger * (WHOLE - least) < gap * WHOLE) return 0;
    const target = this.#piecesOf(after.sha, bytesOfBlob(fresh));
    let shared = 0;
    for (const [piece, bytes] of this.#piecesOf(before.sha, bytesOfBlob(old))) {
      shared += Math.min(bytes, target.get(piece) ?? 0);
    }
    return Math.floor((shared * WHOLE) / larger);
  }

  #piecesOf(sha: string, bytes: Bytes): ReadonlyMap<string, number> {
    const known = this.#pieces.get(sha);
    if (known) return known;
    const pieces = new Map<string, number>();
    for (const [piece] of bytes.replaceAll('\r\n', '\n').matchAll(/[^\n]{0,63}\n|[^\n]{1,64}/gu)) {
      pieces.set(piece, (pieces.get(piece) ?? 0) + piece.length);
    }
    this.#pieces.set(sha, pieces);
    return pieces;
  }
}
