import type { Reading } from '../../operation.ts';
import type { Issue } from '../../schema/issues.ts';
import { type Condition, facets, type IssueIndex, issueIndex } from './issue-index.ts';
import { bodyWords, commentWords, titleWords } from './issue-lists.ts';
import { conditionOf } from './issue-qualifiers.ts';
import { Places } from './postings.ts';
import { type Query, valuesOf } from './query.ts';
import { type Scope, scopeOf } from './scope.ts';

/** The issues and pulls that a query finds, the newest first. @throws 422 where it names what is hidden. */
export function foundIssues(ctx: Reading, query: Query): Issue[] {
  const index = ctx.tx.issues.derived(issueIndex);
  const scope = inScope(scopeOf(ctx, query), index);
  const conditions = query.qualifiers.flatMap((qualifier) => conditionOf({ ctx, index }, qualifier) ?? []);
  return index.withAll([...conditions, ...textConditions(ctx, query, index), scope]);
}

function inScope({ has, named }: Scope, index: IssueIndex): Condition {
  const fits = ({ repository_id }: Issue): boolean => has(repository_id);
  return named ? { fits, among: index.under([...named].map(facets.repository)) } : { fits };
}

/** That an issue has all words and phrases where they are looked for, and none of those left out. */
function textConditions(ctx: Reading, query: Query, index: IssueIndex): Condition[] {
  const asked = valuesOf(query, 'in').flatMap((value) => value.split(','));
  const looksIn = (place: string): boolean => asked.length === 0 || asked.includes(place);
  const { issues, issue_comments } = ctx.tx;
  const places = new Places([
    ...(looksIn('title') ? [issues.derived(titleWords)] : []),
    ...(looksIn('body') ? [issues.derived(bodyWords)] : []),
    ...(looksIn('comments') ? [issue_comments.derived(commentWords)] : []),
  ]);
  const unwanted = query.excluded.map((word): Condition => {
    return { fits: ({ id }) => places.has(word, id), negated: true };
  });
  const phraseWords = query.phrases.flatMap((phrase) => phrase.match(/[\p{L}\p{N}_-]+/gu) ?? []);
  const words = [...query.words, ...phraseWords];
  if (words.length === 0) return unwanted;
  const hits = places.withAll(words);
  const wanted: Condition = {
    fits: (issue) => hits.has(issue.id) && hasPhrases(ctx, issue, query),
    among: { most: hits.size, places: () => index.placesOf(hits), exact: query.phrases.length === 0 },
  };
  return [wanted, ...unwanted];
}

function hasPhrases({ tx }: Reading, { id, title, body }: Issue, { phrases }: Query): boolean {
  if (phrases.length === 0) return true;
  const said = [...tx.issue_comments.by('by_issue', [id])].map((comment) => comment.body);
  const text = [title, body ?? '', ...said].join('\n').toLowerCase();
  return phrases.every((phrase) => text.includes(phrase));
}
