import type { GitCommit, GitTag } from '../git/index.ts';
import type { Sight } from './sight.ts';

/** What a recording shows of a tree. */
export interface TreeFact {
  readonly names: Map<string, NameFact>;
  /** How many names it has, where a list of them was cut; 0 where none was. */
  total: number;
}

/** What stands at one name: a directory whose hash nobody told has its names inside. */
export interface NameFact {
  readonly mode: string;
  readonly sha?: string | undefined;
  readonly inside?: TreeFact | undefined;
}

/** What a recording shows of a commit. */
export type CommitFact = {
  readonly [Member in Exclude<keyof GitCommit, 'kind'>]?: GitCommit[Member] | undefined;
} & {
  readonly verified?: { readonly verified: boolean; readonly reason: string } | undefined;
};

/** What a recording shows of one repository's history. */
export interface HistoryFact {
  /** Refs by full name, as they stood before anything was written; undefined for a hash that nobody told. */
  readonly refs: Map<string, string | undefined>;
  /** Files by the branch, tag or hash that they were read at. */
  readonly files: Map<string, TreeFact>;
  /** Full names of refs that the recording's own requests moved or made. */
  readonly written: Set<string>;
  /** `branch path` of files that its own requests wrote. */
  readonly paths: Set<string>;
  /** Root trees that its own requests made, with the branch that they are of. */
  readonly madeRoots: Map<string, string>;
  /** Pages of the list of tags: the names that were shown, and how many there are. */
  readonly tagPages: Map<number, { readonly names: readonly string[]; readonly length: number }>;
  /** Lists of commits, each the youngest first; they are one history. */
  readonly lists: Map<string, CommitListFact>;
  isEmpty: boolean;
}

/** Pages of one list of commits. */
export interface CommitListFact {
  /** The branch, tag or hash whose history it is. */
  readonly word: string;
  /** The path that all of its commits change. */
  readonly path: string | undefined;
  readonly pages: Map<
    number,
    { readonly start: number; readonly shas: readonly string[]; readonly length: number }
  >;
  /** How many commits the whole list has. */
  total: number;
}

/** A file that was shown to differ between two commits. */
export interface DifferenceFact {
  readonly path: string;
  readonly previousPath: string | undefined;
  readonly status: string;
  readonly sha: string;
  readonly additions: number;
  readonly deletions: number;
  readonly patch: string | undefined;
}

/** The files between two commits, null for those nobody showed, and how many lines they change. */
export interface DifferenceListFact {
  readonly files: (DifferenceFact | null)[];
  additions: number | undefined;
  deletions: number | undefined;
}

/** Everything that a recording shows of git, by hash and by repository. */
export class GitFacts {
  readonly commits = new Map<string, CommitFact>();
  readonly trees = new Map<string, TreeFact>();
  readonly blobs = new Map<string, { readonly base64: string; readonly size: number }>();
  readonly tags = new Map<string, GitTag>();
  readonly histories = new Map<number, HistoryFact>();
  /** Files between two commits, by `before after`. */
  readonly differences = new Map<string, DifferenceListFact>();
  /** Forks that requests made, with what they come from. */
  readonly forks = new Map<string, string>();
  /** Chains of commits, the youngest first, with null for those that nobody showed. */
  readonly chains = new Map<string, readonly (string | null)[]>();

  /** Notes what is told of a commit; what was told first stays. */
  commit(sha: string, fact: CommitFact = {}): void {
    const told = Object.fromEntries(Object.entries(fact).filter(([, value]) => value !== undefined));
    this.commits.set(sha, { ...told, ...this.commits.get(sha) });
  }

  tree(sha: string): TreeFact {
    const known = this.trees.get(sha) ?? emptyFact();
    this.trees.set(sha, known);
    return known;
  }

  history(repository: number): HistoryFact {
    const known = this.histories.get(repository) ?? {
      refs: new Map(),
      files: new Map(),
      written: new Set(),
      paths: new Set(),
      madeRoots: new Map(),
      lists: new Map(),
      tagPages: new Map(),
      isEmpty: false,
    };
    this.histories.set(repository, known);
    return known;
  }

  /** The files of a branch, tag or hash. */
  filesOf({ files }: HistoryFact, word: string): TreeFact {
    const known = files.get(word) ?? emptyFact();
    files.set(word, known);
    return known;
  }

  /** The directory at a path below a tree; made known where it was not. */
  directory(root: TreeFact, path: string): TreeFact {
    let tree = root;
    for (const name of path.split('/').filter((part) => part !== '')) {
      const known = tree.names.get(name);
      if (known?.sha !== undefined) tree = this.tree(known.sha);
      else if (known?.inside) tree = known.inside;
      else {
        const inside = emptyFact();
        tree.names.set(name, { mode: '040000', inside });
        tree = inside;
      }
    }
    return tree;
  }

  /** Notes what stands at a path below a tree; what was told first stays. */
  plant(root: TreeFact, path: string, fact: { readonly mode: string; readonly sha: string }): void {
    const at = path.lastIndexOf('/');
    const { names } = this.directory(root, at < 0 ? '' : path.slice(0, at));
    const name = path.slice(at + 1);
    const known = names.get(name);
    if (!known) names.set(name, fact);
    else if (known.inside && known.sha === undefined && fact.mode === '040000') {
      // A directory whose names were told before its hash.
      this.merge(this.tree(fact.sha), known.inside);
      names.set(name, fact);
    }
  }

  /** Adds to a tree what another one holds beyond it. */
  merge(tree: TreeFact, other: TreeFact): void {
    tree.total = Math.max(tree.total, other.total);
    for (const [name, { mode, sha, inside }] of other.names) {
      const known = tree.names.get(name);
      if (!known) tree.names.set(name, { mode, sha, inside });
      else if (inside) this.merge(this.directory(tree, name), inside);
    }
  }
}

function emptyFact(): TreeFact {
  return { names: new Map(), total: 0 };
}

const FACTS = new WeakMap<Sight, GitFacts>();

export function gitFactsOf(sight: Sight): GitFacts {
  const known = FACTS.get(sight) ?? new GitFacts();
  FACTS.set(sight, known);
  return known;
}
