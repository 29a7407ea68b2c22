import type { Derivation } from '../../../../service/index.ts';
import type { Reading } from '../../operation.ts';
import type { Issue, IssueComment } from '../../schema/issues.ts';
import type { CONTENTS } from '../../views/reactions.ts';
import { findAccount, viewerOf } from '../viewer.ts';
import { countInRange, momentInRange, type Qualifier, type Query, valuesOf } from './query.ts';
import { scopeOf } from './scope.ts';
import { textDerivation } from './text-index.ts';

const titles = textDerivation<Issue>(
  (issue) => issue.id,
  (issue) => issue.title,
);
const bodies = textDerivation<Issue>(
  (issue) => issue.id,
  (issue) => issue.body ?? '',
);
const comments = textDerivation<IssueComment>(
  (comment) => comment.id,
  (comment) => comment.body,
);

/** All issues and pulls, the newest first: in this order they are found where no other is asked for. */
const newestFirst: Derivation<Issue, readonly Issue[]> = {
  build: (rows) => [...rows].sort(byAge),
  patch(issues, changes) {
    const changed = new Set(changes.flatMap(({ before }) => before?.id ?? []));
    const fresh = changes.flatMap(({ after }) => after ?? []).sort(byAge);
    const merged: Issue[] = [];
    let at = 0;
    for (const issue of issues) {
      for (let next = fresh[at]; next && byAge(next, issue) < 0; next = fresh[at]) {
        merged.push(next);
        at += 1;
      }
      if (!changed.has(issue.id)) merged.push(issue);
    }
    return [...merged, ...fresh.slice(at)];
  },
};

function byAge(one: Issue, other: Issue): number {
  if (one.created_at !== other.created_at) return one.created_at < other.created_at ? 1 : -1;
  return one.number === other.number ? other.id - one.id : other.number - one.number;
}

type Test = (issue: Issue) => boolean;

/** So many hits of words are looked up one by one; for more of them all issues are gone through. */
const FEW = 300;

/** The issues and pulls that a query finds, the newest first. @throws 422 where it names what is hidden. */
export function foundIssues(ctx: Reading, query: Query): Issue[] {
  const scope = scopeOf(ctx, query);
  const tests = query.qualifiers.map((qualifier) => testOf(ctx, qualifier)).filter((test) => test !== null);
  const hits = textHits(ctx, query);
  const fits: Test = (issue) => scope(issue.repository_id) && tests.every((test) => test(issue));
  if (hits && hits.size <= FEW) {
    const rows = [...hits].flatMap((id) => ctx.tx.issues.get(id) ?? []);
    return rows.filter(fits).sort(byAge);
  }
  const all = ctx.tx.issues.derived(newestFirst);
  return all.filter((issue) => (hits === null || hits.has(issue.id)) && fits(issue));
}

/** The issues that have all words and phrases where they are looked for; null for a query without any. */
function textHits(ctx: Reading, query: Query): Set<number> | null {
  const places = valuesOf(query, 'in').flatMap((value) => value.split(','));
  const looksIn = (place: string): boolean => places.length === 0 || places.includes(place);
  const { tx } = ctx;
  const withWord = (word: string): Set<number> => {
    const found = new Set<number>();
    if (looksIn('title')) for (const id of tx.issues.derived(titles).rows(word)) found.add(id);
    if (looksIn('body')) for (const id of tx.issues.derived(bodies).rows(word)) found.add(id);
    if (looksIn('comments')) {
      for (const id of tx.issue_comments.derived(comments).rows(word)) {
        const comment = tx.issue_comments.get(id);
        if (comment) found.add(comment.issue_id);
      }
    }
    return found;
  };
  const phraseWords = query.phrases.flatMap((phrase) => phrase.match(/[\p{L}\p{N}_-]+/gu) ?? []);
  const words = [...query.words, ...phraseWords];
  if (words.length === 0) return query.excluded.length === 0 ? null : without(ctx, query, withWord);
  const sets = words.map(withWord).sort((one, other) => one.size - other.size);
  const [smallest = new Set<number>(), ...others] = sets;
  const excluded = query.excluded.map(withWord);
  const found = [...smallest].filter(
    (id) => others.every((set) => set.has(id)) && !excluded.some((set) => set.has(id)),
  );
  return new Set(query.phrases.length === 0 ? found : found.filter((id) => hasPhrases(ctx, id, query)));
}

function without(ctx: Reading, query: Query, withWord: (word: string) => Set<number>): Set<number> {
  const excluded = query.excluded.map(withWord);
  const all = ctx.tx.issues.derived(newestFirst).map(({ id }) => id);
  return new Set(all.filter((id) => !excluded.some((set) => set.has(id))));
}

function hasPhrases({ tx }: Reading, id: number, { phrases }: Query): boolean {
  const issue = tx.issues.get(id);
  const said = [...tx.issue_comments.by('by_issue', [id])].map(({ body }) => body);
  const text = [issue?.title ?? '', issue?.body ?? '', ...said].join('\n').toLowerCase();
  return phrases.every((phrase) => text.includes(phrase));
}

/** What a qualifier asks of an issue; null for those that ask nothing of it, such as where words stand. */
function testOf(ctx: Reading, qualifier: Qualifier): Test | null {
  const { name, value, negated } = qualifier;
  if (['repo', 'user', 'org', 'in', 'sort', 'archived', 'fork'].includes(name)) return null;
  const test = positiveTest(ctx, name, value);
  return negated ? (issue) => !test(issue) : test;
}

const NEVER: Test = () => false;

function positiveTest(ctx: Reading, name: string, value: string): Test {
  switch (name) {
    case 'is':
    case 'type':
    case 'state':
      return stateTest(ctx, value.toLowerCase());
    case 'draft':
      return (issue) => ctx.tx.pulls.get(issue.id)?.draft === (value === 'true');
    case 'created':
      return (issue) => momentInRange(issue.created_at, value);
    case 'updated':
      return (issue) => momentInRange(issue.updated_at, value);
    case 'closed':
      return (issue) => momentInRange(issue.closed_at, value);
    case 'merged':
      return (issue) => momentInRange(ctx.tx.pulls.get(issue.id)?.merged_at ?? null, value);
    case 'comments':
      return (issue) => countInRange(issue.comments, value);
    case 'reactions':
      return (issue) => countInRange(reactionsOf(ctx, issue), value);
    case 'reason':
      return (issue) => issue.state_reason === value.toLowerCase().replaceAll(' ', '_');
    case 'no':
      return absenceTest(ctx, value.toLowerCase());
    case 'label':
      return labelTest(ctx, value);
    case 'milestone':
      return milestoneTest(ctx, value.toLowerCase());
    default:
      return personTest(ctx, name, value) ?? pullTest(ctx, name, value) ?? NEVER;
  }
}

function stateTest(ctx: Reading, value: string): Test {
  switch (value) {
    case 'open':
    case 'closed':
      return (issue) => issue.state === value;
    case 'issue':
      return (issue) => issue.kind === 'issue';
    case 'pr':
    case 'pull-request':
      return (issue) => issue.kind === 'pull';
    case 'merged':
    case 'unmerged':
      return (issue) => {
        const pull = ctx.tx.pulls.get(issue.id);
        return pull !== undefined && (pull.merged_at !== null) === (value === 'merged');
      };
    case 'draft':
      return (issue) => ctx.tx.pulls.get(issue.id)?.draft === true;
    case 'locked':
    case 'unlocked':
      return (issue) => issue.locked === (value === 'locked');
    case 'public':
    case 'private':
      return (issue) =>
        (ctx.tx.repositories.get(issue.repository_id)?.visibility === 'public') === (value === 'public');
    default:
      return NEVER;
  }
}

/** How often people reacted to an issue in all. */
export function reactionsOf({ tx }: Reading, issue: Issue, content?: (typeof CONTENTS)[number]): number {
  let count = 0;
  for (const reaction of tx.reactions.by('by_subject', ['issue', issue.id])) {
    if (content === undefined || reaction.content === content) count += 1;
  }
  return count;
}

function absenceTest({ tx }: Reading, what: string): Test {
  switch (what) {
    case 'label':
      return (issue) => tx.issue_labels.by('by_issue', [issue.id]).next().done === true;
    case 'assignee':
      return (issue) => tx.issue_assignees.by('by_position', [issue.id]).next().done === true;
    case 'milestone':
      return (issue) => issue.milestone_id === null;
    case 'project':
      return () => true;
    default:
      return NEVER;
  }
}

/** `label:a,b` is met by either; the issues of all labels of these names are looked up once. */
function labelTest({ tx }: Reading, value: string): Test {
  const names = new Set(value.toLowerCase().split(','));
  const issues = new Set<number>();
  for (const { id, name_key } of tx.labels.scan()) {
    if (!names.has(name_key)) continue;
    for (const { issue_id } of tx.issue_labels.by('by_label', [id])) issues.add(issue_id);
  }
  return (issue) => issues.has(issue.id);
}

function milestoneTest({ tx }: Reading, title: string): Test {
  if (title === '*') return (issue) => issue.milestone_id !== null;
  return (issue) => {
    if (issue.milestone_id === null) return false;
    return tx.milestones.get(issue.milestone_id)?.title.toLowerCase() === title;
  };
}

/** Qualifiers that name somebody. */
function personTest(ctx: Reading, name: string, value: string): Test | null {
  if (!['author', 'assignee', 'mentions', 'commenter', 'involves'].includes(name)) return null;
  const { tx } = ctx;
  const account = value === '@me' ? viewerOf(ctx) : findAccount(ctx, value.replace(/^app\//u, ''));
  if (name === 'assignee' && value === '*') {
    return (issue) => tx.issue_assignees.by('by_position', [issue.id]).next().done !== true;
  }
  if (!account) return NEVER;
  const author: Test = (issue) => issue.user_id === account.id;
  const assignee: Test = (issue) => tx.issue_assignees.has([issue.id, account.id]);
  const saidBy: Test = (issue) =>
    [...tx.issue_comments.by('by_issue', [issue.id])].some(({ user_id }) => user_id === account.id);
  const call = new RegExp(`(^|[^\\w-])@${account.login.replaceAll(/[^\w-]/gu, '')}($|[^\\w-])`, 'iu');
  const mentioned: Test = (issue) =>
    call.test(issue.body ?? '') ||
    [...tx.issue_comments.by('by_issue', [issue.id])].some(({ body }) => call.test(body));
  const tests = { author, assignee, mentions: mentioned, commenter: saidBy };
  if (name === 'involves') return (issue) => Object.values(tests).some((test) => test(issue));
  return tests[name as keyof typeof tests];
}

/** Qualifiers that only pulls meet. */
function pullTest({ tx }: Reading, name: string, value: string): Test | null {
  switch (name) {
    case 'base':
      return (issue) => tx.pulls.get(issue.id)?.base_ref === value;
    case 'head':
      return (issue) => tx.pulls.get(issue.id)?.head_ref.startsWith(value) === true;
    case 'sha':
      return (issue) => {
        const pull = tx.pulls.get(issue.id);
        return (
          pull !== undefined &&
          (pull.head_sha.startsWith(value) || pull.merge_commit_sha?.startsWith(value) === true)
        );
      };
    default:
      return null;
  }
}
