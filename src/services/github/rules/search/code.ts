import { commitAt, type GitObjectRow, gitReader, listTree, log } from '../../git/index.ts';
import type { Reading } from '../../operation.ts';
import type { Repository } from '../../schema/repositories.ts';
import { languageOf } from '../file-kinds.ts';
import { Places, type Postings, wordPostings } from './postings.ts';
import { momentTest, type Query, valuesOf } from './query.ts';
import { scopeOf } from './scope.ts';
import { wordsOf } from './words.ts';

const blobs = wordPostings<GitObjectRow, string>(
  ({ sha }) => sha,
  ({ kind, text }) => (kind === 'blob' ? (text ?? '') : ''),
);
const messages = wordPostings<GitObjectRow, string>(
  ({ sha }) => sha,
  ({ commit }) => commit?.message ?? '',
);

/** The objects that have all words; null for a query without any. */
function withWords(index: Postings<string, string>, { words, phrases }: Query): Set<string> | null {
  // What hyphens join is looked for in parts: code is full of names that are longer.
  const parts = words.flatMap((word) => word.split(/[_-]+/u).filter((part) => part !== ''));
  const wanted = [...parts, ...phrases.flatMap((phrase) => [...wordsOf(phrase)])];
  return wanted.length === 0 ? null : new Places([index]).withAll(wanted);
}

/** The repositories that a search goes through: forks only where they are asked for. */
function* repositoriesOf(ctx: Reading, query: Query): Generator<Repository> {
  const scope = scopeOf(ctx, query);
  const forks = valuesOf(query, 'fork')[0];
  for (const repository of ctx.tx.repositories.scan()) {
    if (repository.fork && forks === undefined) continue;
    if (scope.has(repository.id)) yield repository;
  }
}

/** A file of a default branch. */
export interface FoundFile {
  readonly repository: Repository;
  readonly commit: string;
  readonly path: string;
  readonly sha: string;
}

function headOf({ tx }: Reading, { id, default_branch }: Repository): string | undefined {
  return tx.git_refs.get([id, `refs/heads/${default_branch}`])?.sha;
}

/** The files that a query finds, by repository and path. */
export function foundFiles(ctx: Reading, query: Query): FoundFile[] {
  const index = ctx.tx.git_objects.derived(blobs);
  const hits = withWords(index, query);
  const reader = gitReader(ctx.tx);
  const found: FoundFile[] = [];
  if (hits?.size === 0) return found;
  for (const repository of repositoriesOf(ctx, query)) {
    const commit = headOf(ctx, repository);
    const tree = commit === undefined ? undefined : commitAt(reader, commit)?.tree;
    if (commit === undefined || tree === undefined) continue;
    for (const { path, sha } of listTree(reader, tree)) {
      const isHit = hits?.has(sha) === true && hasPhrases(ctx, sha, query);
      if (isHit && suits(path, query)) found.push({ repository, commit, path, sha });
    }
  }
  return found;
}

function hasPhrases({ tx }: Reading, sha: string, { phrases }: Query): boolean {
  if (phrases.length === 0) return true;
  const text = tx.git_objects.get(sha)?.text?.toLowerCase() ?? '';
  return phrases.every((phrase) => text.includes(phrase));
}

function suits(path: string, query: Query): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return query.qualifiers.every(({ name: qualifier, value, negated }) => {
    switch (qualifier) {
      case 'path':
        return (path === value || path.startsWith(`${value.replace(/^\/|\/$/gu, '')}/`)) !== negated;
      case 'filename':
        return (name === value) !== negated;
      case 'extension':
        return name.endsWith(`.${value}`) !== negated;
      case 'language':
        return isIn(path, value.toLowerCase()) !== negated;
      case 'repo':
      case 'user':
      case 'org':
      case 'in':
      case 'fork':
        return true;
      default:
        return false;
    }
  });
}

/** Whether a file is written in a language, by its whole name or the usual short one. */
function isIn(path: string, language: string): boolean {
  const written = languageOf(path)?.toLowerCase();
  return written === language || path.endsWith(`.${language}`);
}

/** A commit of a default branch. */
export interface FoundCommit {
  readonly repository: Repository;
  readonly sha: string;
}

/** The commits of default branches that a query finds, the newest first in each repository. */
export function foundCommits(ctx: Reading, query: Query): FoundCommit[] {
  const index = ctx.tx.git_objects.derived(messages);
  const hits = withWords(index, query);
  const reader = gitReader(ctx.tx);
  const found: FoundCommit[] = [];
  if (hits?.size === 0) return found;
  for (const repository of repositoriesOf(ctx, query)) {
    const head = headOf(ctx, repository);
    if (head === undefined) continue;
    for (const { sha } of log(reader, [head])) {
      if ((hits === null || hits.has(sha)) && describes(ctx, sha, query)) found.push({ repository, sha });
    }
  }
  return found;
}

function describes({ tx }: Reading, sha: string, query: Query): boolean {
  const commit = tx.git_objects.get(sha)?.commit;
  if (!commit) return false;
  const login = (email: string): string => {
    const account_id = tx.commit_authors.get(email.toLowerCase())?.account_id;
    return account_id === undefined ? '' : (tx.accounts.get(account_id)?.login_key ?? '');
  };
  const { author, committer, parents, message } = commit;
  if (!query.phrases.every((phrase) => message.toLowerCase().includes(phrase))) return false;
  return query.qualifiers.every(({ name, value, negated }) => {
    const wanted = value.toLowerCase();
    switch (name) {
      case 'author':
        return (login(author.email) === wanted) !== negated;
      case 'committer':
        return (login(committer.email) === wanted) !== negated;
      case 'author-name':
        return author.name.toLowerCase().includes(wanted) !== negated;
      case 'author-email':
        return (author.email.toLowerCase() === wanted) !== negated;
      case 'author-date':
        return momentTest(value)(author.date) !== negated;
      case 'committer-date':
        return momentTest(value)(committer.date) !== negated;
      case 'merge':
        return parents.length > 1 === (wanted === 'true') && !negated;
      case 'hash':
        return sha.startsWith(wanted) !== negated;
      case 'repo':
      case 'user':
      case 'org':
      case 'is':
      case 'fork':
        return true;
      default:
        return false;
    }
  });
}
