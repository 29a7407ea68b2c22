import type { Reading } from '../../operation.ts';
import type { Account } from '../../schema/accounts.ts';
import type { Repository } from '../../schema/repositories.ts';
import { Places, type Postings, wordPostings } from './postings.ts';
import { countTest, momentTest, type Qualifier, type Query, valuesOf } from './query.ts';
import { scopeOf } from './scope.ts';

const names = wordPostings<Repository>(
  ({ id }) => id,
  ({ name }) => name,
);
const descriptions = wordPostings<Repository>(
  ({ id }) => id,
  ({ description }) => description ?? '',
);
const topics = wordPostings<Repository>(
  ({ id }) => id,
  (repository) => repository.topics.join(' '),
);
const logins = wordPostings<Account>(
  ({ id }) => id,
  ({ login }) => login,
);
const profiles = wordPostings<Account>(
  ({ id }) => id,
  ({ name, email }) => `${name ?? ''} ${email ?? ''}`,
);

/** The rows that have all words in one of these places each; null for a query without words. */
function hits({ words, phrases }: Query, places: readonly Postings<string, number>[]): Set<number> | null {
  const wanted = [...words, ...phrases.flatMap((phrase) => phrase.split(/\s+/u))];
  return wanted.length === 0 ? null : new Places(places).withAll(wanted);
}

/** The repositories that a query finds, the most starred first. */
export function foundRepositories(ctx: Reading, query: Query): Repository[] {
  const { repositories } = ctx.tx;
  const scope = scopeOf(ctx, query);
  const asked = valuesOf(query, 'in').flatMap((value) => value.split(','));
  const looksIn = (place: string): boolean => asked.length === 0 || asked.includes(place);
  const places = [
    ...(looksIn('name') ? [repositories.derived(names)] : []),
    ...(looksIn('description') ? [repositories.derived(descriptions)] : []),
    ...(looksIn('topics') ? [repositories.derived(topics)] : []),
  ];
  const found = hits(query, places);
  const rows = found ? [...found].flatMap((id) => repositories.get(id) ?? []) : [...repositories.scan()];
  // Forks are left out unless they are asked for.
  const forks = valuesOf(query, 'fork')[0] ?? 'false';
  const kept = rows.filter(
    (repository) =>
      scope.has(repository.id) &&
      (forks === 'true' || repository.fork === (forks === 'only')) &&
      query.qualifiers.every((qualifier) => meets(ctx, repository, qualifier)),
  );
  return kept.sort((one, other) => other.stargazers - one.stargazers || one.id - other.id);
}

function meets(ctx: Reading, repository: Repository, { name, value, negated }: Qualifier): boolean {
  if (['repo', 'user', 'org', 'in', 'fork', 'sort'].includes(name)) return true;
  return answers(ctx, repository, { name, value: value.toLowerCase() }) !== negated;
}

function answers(
  { tx }: Reading,
  repository: Repository,
  { name, value }: { readonly name: string; readonly value: string },
): boolean {
  switch (name) {
    case 'is':
    case 'visibility':
      if (value === 'archived') return repository.archived;
      return repository.visibility === value;
    case 'archived':
    case 'template':
      return (name === 'archived' ? repository.archived : repository.is_template) === (value === 'true');
    case 'language':
      return repository.language?.toLowerCase() === value;
    case 'license':
      return repository.license_key === value;
    case 'topic':
      return repository.topics.includes(value);
    case 'topics':
      return countTest(value)(repository.topics.length);
    case 'stars':
      return countTest(value)(repository.stargazers);
    case 'forks':
      return countTest(value)(repository.forks);
    case 'size':
      return countTest(value)(repository.size);
    case 'created':
      return momentTest(value.toUpperCase())(repository.created_at);
    case 'pushed':
      return momentTest(value.toUpperCase())(repository.pushed_at);
    case 'followers':
      return countTest(value)(tx.accounts.get(repository.owner_id)?.followers ?? 0);
    default:
      return false;
  }
}

/** The people and organisations that a query finds, those with the most followers first. */
export function foundAccounts(ctx: Reading, query: Query): Account[] {
  const { accounts } = ctx.tx;
  const found = hits(query, [accounts.derived(logins), accounts.derived(profiles)]);
  const rows = found ? [...found].flatMap((id) => accounts.get(id) ?? []) : [...accounts.scan()];
  return rows
    .filter((account) => query.qualifiers.every((qualifier) => suits(account, qualifier)))
    .sort((one, other) => other.followers - one.followers || one.id - other.id);
}

function suits(account: Account, { name, value, negated }: Qualifier): boolean {
  if (name === 'in' || name === 'sort') return true;
  return describes(account, name, value) !== negated;
}

function describes(account: Account, name: string, value: string): boolean {
  switch (name) {
    case 'type':
      return account.type === (value.toLowerCase() === 'org' ? 'Organization' : 'User');
    case 'user':
    case 'org':
      return account.login_key === value.toLowerCase();
    case 'repos':
      return countTest(value)(account.public_repos);
    case 'followers':
      return countTest(value)(account.followers);
    case 'location':
      return account.location?.toLowerCase().includes(value.toLowerCase()) === true;
    case 'created':
      return momentTest(value)(account.created_at);
    case 'is':
      return value === 'sponsorable' ? false : account.type === 'User';
    default:
      return false;
  }
}
