import type { Reading } from '../../operation.ts';
import type { Issue } from '../../schema/issues.ts';
import type { Pull } from '../../schema/pulls.ts';
import type { Repository } from '../../schema/repositories.ts';
import type { CONTENTS } from '../../views/reactions.ts';
import { findAccount, viewerOf } from '../viewer.ts';
import { type Condition, facets, type IssueIndex } from './issue-index.ts';
import {
  ANY,
  assigned,
  bodyWords,
  commenters,
  commentWords,
  labelled,
  labelNames,
  milestoneTitles,
  reacted,
} from './issue-lists.ts';
import type { Postings } from './postings.ts';
import { countTest, momentTest, type Qualifier } from './query.ts';

/** Those that ask nothing of an issue itself, such as where words stand. */
const ELSEWHERE = new Set(['repo', 'user', 'org', 'in', 'sort', 'archived', 'fork']);

/** What is searched, and who asks. */
interface Search {
  readonly ctx: Reading;
  readonly index: IssueIndex;
}

/** What a qualifier asks of an issue; null for those that ask nothing of it. */
export function conditionOf(search: Search, { name, value, negated }: Qualifier): Condition | null {
  if (ELSEWHERE.has(name)) return null;
  const condition = positive(search, name, value);
  return negated ? { ...condition, negated: !condition.negated } : condition;
}

const NEVER: Condition = { fits: () => false, among: { most: 0, places: () => [], exact: true } };
const ALWAYS: Condition = { fits: () => true };

function positive(search: Search, name: string, value: string): Condition {
  switch (name) {
    case 'is':
    case 'type':
    case 'state':
      return ofState(search, value.toLowerCase());
    case 'created':
      return ofMoment(value, ({ created_at }) => created_at);
    case 'updated':
      return ofMoment(value, ({ updated_at }) => updated_at);
    case 'closed':
      return ofMoment(value, ({ closed_at }) => closed_at);
    case 'comments':
      return ofCount(value, ({ comments }) => comments);
    case 'reactions':
      return ofCount(value, (issue) => reactionsOf(search.ctx, issue));
    case 'reason':
      return { fits: (issue) => issue.state_reason === value.toLowerCase().replaceAll(' ', '_') };
    case 'no':
      return ofAbsence(search, value.toLowerCase());
    case 'label':
      return ofLabels(search, value);
    case 'milestone':
      return ofMilestone(search, value.toLowerCase());
    default:
      return ofPerson(search, name, value) ?? ofPull(search, name, value) ?? NEVER;
  }
}

function ofMoment(range: string, momentOf: (issue: Issue) => string | null): Condition {
  const isIn = momentTest(range);
  return { fits: (issue) => isIn(momentOf(issue)) };
}

function ofCount(range: string, countOf: (issue: Issue) => number): Condition {
  const isIn = countTest(range);
  return { fits: (issue) => isIn(countOf(issue)) };
}

/** Everything under one facet of the index. */
function ofFacet(index: IssueIndex, facet: string, fits: (issue: Issue) => boolean): Condition {
  return { fits, among: index.under([facet]) };
}

/** Everything that postings have under any of these terms. */
function ofPostings<Term>(
  index: IssueIndex,
  postings: Postings<Term, number>,
  terms: readonly Term[],
): Condition {
  const most = terms.reduce((sum, term) => sum + postings.most(term), 0);
  const all = (): number[] => terms.flatMap((term) => postings.under(term));
  const [only] = terms;
  let known: ReadonlySet<number> | undefined;
  const fits = ({ id }: Issue): boolean => {
    if (only !== undefined && terms.length === 1) return postings.has(only, id);
    known ??= new Set(all());
    return known.has(id);
  };
  return { fits, among: { most, places: () => index.placesOf(all()), exact: true } };
}

function ofState(search: Search, value: string): Condition {
  switch (value) {
    case 'open':
    case 'closed':
      return ofFacet(search.index, facets.state(value), ({ state }) => state === value);
    case 'issue':
      return ofFacet(search.index, facets.kind(value), ({ kind }) => kind === value);
    case 'pr':
    case 'pull-request':
      return ofFacet(search.index, facets.kind('pull'), ({ kind }) => kind === 'pull');
    case 'merged':
    case 'unmerged':
      return pullWith(search, ({ merged_at }) => (merged_at !== null) === (value === 'merged'));
    case 'draft':
      return pullWith(search, ({ draft }) => draft);
    case 'locked':
      return ofFacet(search.index, facets.locked, ({ locked }) => locked);
    case 'unlocked':
      return { ...ofFacet(search.index, facets.locked, ({ locked }) => locked), negated: true };
    case 'public':
    case 'private':
      return inRepository(
        search,
        (repository) => (repository?.visibility === 'public') === (value === 'public'),
      );
    default:
      return NEVER;
  }
}

/** Each repository is looked at once. */
function inRepository({ ctx }: Search, test: (repository: Repository | undefined) => boolean): Condition {
  const known = new Map<number, boolean>();
  return {
    fits: ({ repository_id: id }) => {
      const answer = known.get(id) ?? test(ctx.tx.repositories.get(id));
      known.set(id, answer);
      return answer;
    },
  };
}

/** How often people reacted to an issue, with this content or any. */
export function reactionsOf(
  { tx }: Reading,
  { id }: Issue,
  content: (typeof CONTENTS)[number] | typeof ANY = ANY,
): number {
  return tx.reactions.derived(reacted).count(content, id);
}

function ofAbsence({ ctx: { tx }, index }: Search, what: string): Condition {
  switch (what) {
    case 'label':
      return { ...ofPostings(index, tx.issue_labels.derived(labelled), [ANY]), negated: true };
    case 'assignee':
      return { ...ofPostings(index, tx.issue_assignees.derived(assigned), [ANY]), negated: true };
    case 'milestone':
      return { ...withMilestone(index), negated: true };
    case 'project':
      return ALWAYS;
    default:
      return NEVER;
  }
}

/** `label:a,b` is met by either. */
function ofLabels({ ctx: { tx }, index }: Search, value: string): Condition {
  const names = tx.labels.derived(labelNames);
  const labels = value
    .toLowerCase()
    .split(',')
    .flatMap((name) => names.under(name));
  return ofPostings<number | typeof ANY>(index, tx.issue_labels.derived(labelled), labels);
}

function withMilestone(index: IssueIndex): Condition {
  return ofFacet(index, facets.anyMilestone, ({ milestone_id }) => milestone_id !== null);
}

function ofMilestone({ ctx, index }: Search, title: string): Condition {
  if (title === '*') return withMilestone(index);
  const milestones = new Set(ctx.tx.milestones.derived(milestoneTitles).under(title));
  return {
    fits: ({ milestone_id }) => milestone_id !== null && milestones.has(milestone_id),
    among: index.under([...milestones].map(facets.milestone)),
  };
}

/** Qualifiers that name somebody. */
function ofPerson(search: Search, name: string, value: string): Condition | null {
  if (!['author', 'assignee', 'mentions', 'commenter', 'involves'].includes(name)) return null;
  const { ctx, index } = search;
  const { tx } = ctx;
  const account = value === '@me' ? viewerOf(ctx) : findAccount(ctx, value.replace(/^app\//u, ''));
  const assignees = tx.issue_assignees.derived(assigned);
  if (name === 'assignee' && value === '*') return ofPostings(index, assignees, [ANY]);
  if (!account) return NEVER;
  const { id, login } = account;
  const parts = {
    author: () => ofFacet(index, facets.author(id), ({ user_id }) => user_id === id),
    assignee: () => ofPostings<number | typeof ANY>(index, assignees, [id]),
    mentions: () => mentioning(search, login),
    commenter: () => ofPostings<number | null>(index, tx.issue_comments.derived(commenters), [id]),
  };
  if (name !== 'involves') return parts[name as keyof typeof parts]();
  return either(Object.values(parts).map((part) => part()));
}

function either(conditions: readonly Condition[]): Condition {
  const lists = conditions.flatMap(({ among }) => among ?? []);
  const most = lists.reduce((sum, list) => sum + list.most, 0);
  return {
    fits: (issue) => conditions.some(({ fits }) => fits(issue)),
    among: {
      most,
      places: () => lists.flatMap(({ places }) => [...places()]),
      exact: lists.every(({ exact }) => exact),
    },
  };
}

/** Issues that call somebody by `@login`: those with the word are looked at. */
function mentioning({ ctx: { tx }, index }: Search, login: string): Condition {
  const name = login.replaceAll(/[^\w-]/gu, '');
  const call = new RegExp(`(^|[^\\w-])@${name}($|[^\\w-])`, 'iu');
  const calls = ({ id, body }: Issue): boolean =>
    call.test(body ?? '') || [...tx.issue_comments.by('by_issue', [id])].some((said) => call.test(said.body));
  const words = [tx.issues.derived(bodyWords), tx.issue_comments.derived(commentWords)];
  const [inBodies, inComments] = words.map((place) => ofPostings(index, place, [name.toLowerCase()]));
  const named = either([inBodies, inComments].filter((place) => place !== undefined));
  const among = named.among && { ...named.among, exact: false };
  return { fits: (issue) => named.fits(issue) && calls(issue), ...(among && { among }) };
}

/** Qualifiers that only pulls meet. */
function ofPull(search: Search, name: string, value: string): Condition | null {
  switch (name) {
    case 'draft':
      return pullWith(search, ({ draft }) => draft === (value === 'true'));
    case 'merged': {
      const isIn = momentTest(value);
      return pullWith(search, ({ merged_at }) => isIn(merged_at));
    }
    case 'base':
      return pullWith(search, ({ base_ref }) => base_ref === value);
    case 'head':
      return pullWith(search, ({ head_ref }) => head_ref.startsWith(value));
    case 'sha':
      return pullWith(
        search,
        ({ head_sha, merge_commit_sha }) =>
          head_sha.startsWith(value) || merge_commit_sha?.startsWith(value) === true,
      );
    default:
      return null;
  }
}

function pullWith({ ctx, index }: Search, test: (pull: Pull) => boolean): Condition {
  return {
    fits: ({ id, kind }) => {
      const pull = kind === 'pull' ? ctx.tx.pulls.get(id) : undefined;
      return pull !== undefined && test(pull);
    },
    among: { ...index.under([facets.kind('pull')]), exact: false },
  };
}
