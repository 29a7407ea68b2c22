import type { Sight } from './sight.ts';

/** What a recording tells of a file that a pull changes. */
export interface FileFact {
  readonly path: string;
  readonly previousPath?: string | undefined;
  readonly status?: string | undefined;
  readonly additions?: number | undefined;
  readonly deletions?: number | undefined;
  /** Patches as far as they were shown. */
  readonly patches: string[];
  /** The last line, or position, that a request named: the patch shows it. */
  readonly line?: number | undefined;
  /** How the hashes of both contents begin. */
  readonly shas?: { readonly before?: string; readonly after?: string } | undefined;
  readonly position?: number | undefined;
}

/** What a recording tells of the commits between the two ends of a pull. */
export interface PullFact {
  readonly repository_id: number;
  readonly base_sha: string;
  readonly head_sha: string;
  commits?: number | undefined;
  additions?: number | undefined;
  deletions?: number | undefined;
  changed_files?: number | undefined;
  /** The base has commits that the head has not. */
  isBehind?: boolean | undefined;
  /** Its first commits, the oldest first, where a list of them was cut behind. */
  begins?: readonly string[] | undefined;
  readonly files: Map<string, FileFact>;
  /** Commits that are known to be among those of the pull. */
  readonly holds: Set<string>;
}

const FACTS = new WeakMap<Sight, Map<string, PullFact>>();
const ENDS = new WeakMap<Sight, Map<string, PullFact>>();

/** All facts of a recording, in the order in which they were first told. */
export function factsOf(sight: Sight): PullFact[] {
  return [...(FACTS.get(sight)?.values() ?? [])];
}

/** The fact about two ends; `number` is that of the pull they belong to at the moment. */
export function factAbout(
  sight: Sight,
  ends: Pick<PullFact, 'repository_id' | 'base_sha' | 'head_sha'>,
  number: number,
): PullFact {
  const facts = FACTS.get(sight) ?? new Map<string, PullFact>();
  FACTS.set(sight, facts);
  const key = `${ends.base_sha} ${ends.head_sha}`;
  const fact = facts.get(key) ?? { ...ends, files: new Map(), holds: new Set() };
  facts.set(key, fact);
  const byPull = ENDS.get(sight) ?? new Map<string, PullFact>();
  ENDS.set(sight, byPull);
  const pull = `${ends.repository_id} ${number}`;
  if (!byPull.has(pull)) byPull.set(pull, fact);
  return fact;
}

/** The fact about a pull as it was first seen; undefined while nothing is known of its ends. */
export function factOfPull(sight: Sight, repository_id: number, number: number): PullFact | undefined {
  return ENDS.get(sight)?.get(`${repository_id} ${number}`);
}

/** Notes what is told of a file; what was told first stays. */
export function noteFile(fact: PullFact, { patches, ...file }: FileFact): void {
  const known = fact.files.get(file.path);
  fact.files.set(file.path, {
    ...file,
    ...(known && withoutNothing(known)),
    patches: [...(known?.patches ?? []), ...patches],
  });
}

function withoutNothing(file: FileFact): Partial<FileFact> {
  return Object.fromEntries(Object.entries(file).filter(([, value]) => value !== undefined));
}

/** What is told of a pull by its number alone, whatever its ends turn out to be. */
export interface PullNotes extends Pick<PullFact, 'commits' | 'begins'> {
  readonly files: FileFact[];
  /** The parent of its first commit. */
  base_sha?: string | undefined;
  /** Its last commit. */
  head_sha?: string | undefined;
  changed_files?: number | undefined;
  isBehind?: boolean | undefined;
}

const NOTES = new WeakMap<Sight, Map<string, PullNotes>>();

export function notesOf(sight: Sight, repository_id: number, number: number): PullNotes {
  const notes = NOTES.get(sight) ?? new Map<string, PullNotes>();
  NOTES.set(sight, notes);
  const key = `${repository_id} ${number}`;
  const known = notes.get(key) ?? { files: [] };
  notes.set(key, known);
  return known;
}

/** Adds to the facts what was told by numbers. */
export function mergeNotes(sight: Sight): void {
  for (const [key, { files, changed_files, isBehind, commits, begins }] of NOTES.get(sight) ?? []) {
    const fact = ENDS.get(sight)?.get(key);
    if (!fact) continue;
    for (const file of files) noteFile(fact, file);
    fact.changed_files ??= changed_files;
    fact.isBehind ??= isBehind;
    fact.commits ??= commits;
    fact.begins ??= begins;
  }
}

const FORKS = new WeakMap<Sight, Map<number, number>>();

/** A request made a fork: what is seen in it was in the repository that it was made of. */
export function noteFork(sight: Sight, fork: number, parent: number): void {
  const forks = FORKS.get(sight) ?? new Map<number, number>();
  FORKS.set(sight, forks.set(fork, parent));
}

/** The repository in which something seen in a repository was before; undefined for nowhere. */
export function originOf(sight: Sight, repository_id: number): number | undefined {
  if (!sight.isMade('repositories', repository_id)) return repository_id;
  const parent = FORKS.get(sight)?.get(repository_id);
  return parent === undefined ? undefined : originOf(sight, parent);
}
