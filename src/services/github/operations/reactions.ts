import { z } from 'zod';
import type { Operation } from '../../../service/index.ts';
import { momentText } from '../moments.ts';
import { operation, type Reading } from '../operation.ts';
import { listOf, nothing, shown } from '../output.ts';
import { freshId } from '../rules/ids.ts';
import { issueAt } from '../rules/issues.ts';
import { PAGE, paged } from '../rules/paging.ts';
import { repositoryAt, requireRole } from '../rules/repositories.ts';
import { requireViewer } from '../rules/viewer.ts';
import type { Reaction, ReactionSubject } from '../schema/issues.ts';
import type { Repository } from '../schema/repositories.ts';
import { CONTENTS, reactionView } from '../views/reactions.ts';
import { numberedPath } from '../views/repositories.ts';
import { REPOSITORY } from './repositories.ts';

/** One kind of thing that people react to: where it is, and how it is found. */
interface Subject {
  readonly kind: ReactionSubject;
  /** The last part of the operations' ids; deletion has a name of its own in one case. */
  readonly name: string;
  readonly deletion?: string;
  /** The path behind the repository, up to `/reactions`, with its one parameter. */
  readonly path: string;
  readonly parameter: 'issue_number' | 'comment_id' | 'release_id';
  /** A number on the small seed. */
  readonly example: number;
  /** The row's number in the world, of a parameter's value. */
  readonly find: (ctx: Reading, repository: Repository, value: number) => number | undefined;
}

/** The row of a table by number, if it is of this repository. */
const rowOf =
  (table: 'issue_comments' | 'review_comments' | 'commit_comments' | 'releases') =>
  ({ tx }: Reading, repository: Repository, id: number): number | undefined =>
    tx[table].get(id)?.repository_id === repository.id ? id : undefined;

const SUBJECTS: readonly Subject[] = [
  {
    kind: 'issue',
    name: 'for-issue',
    path: '/issues/{issue_number}',
    parameter: 'issue_number',
    example: 1,
    find: ({ tx }, repository, value) => tx.issues.unique('by_number', [repository.id, value])?.id,
  },
  {
    kind: 'issue-comment',
    name: 'for-issue-comment',
    path: '/issues/comments/{comment_id}',
    parameter: 'comment_id',
    example: 3_500_000_001,
    find: rowOf('issue_comments'),
  },
  {
    kind: 'review-comment',
    name: 'for-pull-request-review-comment',
    deletion: 'for-pull-request-comment',
    path: '/pulls/comments/{comment_id}',
    parameter: 'comment_id',
    example: 2_700_000_001,
    find: rowOf('review_comments'),
  },
  {
    kind: 'commit-comment',
    name: 'for-commit-comment',
    path: '/comments/{comment_id}',
    parameter: 'comment_id',
    example: 150_000_001,
    find: rowOf('commit_comments'),
  },
  {
    kind: 'release',
    name: 'for-release',
    path: '/releases/{release_id}',
    parameter: 'release_id',
    example: 310_000_001,
    find: rowOf('releases'),
  },
];

type Place = { readonly owner: string; readonly repo: string } & Readonly<Record<string, unknown>>;

/** The thing that a call is about; 404 where there is none. */
function subjectAt(ctx: Reading, subject: Subject, input: Place): { repository: Repository; id: number } {
  const value = Number(input[subject.parameter]);
  if (subject.kind === 'issue') {
    const { repository, issue } = issueAt(ctx, { owner: input.owner, repo: input.repo, issue_number: value });
    return { repository, id: issue.id };
  }
  const repository = repositoryAt(ctx, input);
  return { repository, id: subject.find(ctx, repository, value) ?? ctx.fail('not_found') };
}

function listing(subject: Subject): Operation {
  return operation({
    id: `reactions/list-${subject.name}`,
    summary: `Lists the reactions to ${described(subject)}.`,
    effect: 'read',
    http: { method: 'GET', path: `/repos/{owner}/{repo}${subject.path}/reactions` },
    input: z.looseObject({
      ...REPOSITORY,
      [subject.parameter]: z.int(),
      content: z.enum(CONTENTS).optional(),
      ...PAGE,
    }),
    output: listOf('id', 'user', 'content'),
    example: { owner: 'octo-works', repo: 'lamp', [subject.parameter]: subject.example },
    run(ctx, input) {
      const { repository, id } = subjectAt(ctx, subject, input as unknown as Place);
      const items = [...ctx.tx.reactions.by('by_subject', [subject.kind, id])].filter(
        ({ content }) => input.content === undefined || content === input.content,
      );
      const place = subject.path.replace(/\{\w+\}/u, String(input[subject.parameter as 'content']));
      const path = numberedPath(repository, `${place}/reactions`);
      const show = (reaction: Reaction) => reactionView(ctx, reaction);
      return paged(ctx, input, { items, path, inPath: [subject.parameter], show });
    },
  });
}

function described({ kind }: Subject): string {
  return kind === 'issue' ? 'an issue or pull' : `a ${kind.replace('-', ' ')}`;
}

/** The same reaction again gives the one that is there, with 200. */
function creation(subject: Subject): Operation {
  return operation({
    id: `reactions/create-${subject.name}`,
    summary: `Reacts to ${described(subject)}.`,
    effect: 'write',
    http: { method: 'POST', path: `/repos/{owner}/{repo}${subject.path}/reactions`, status: 201 },
    input: z.looseObject({ ...REPOSITORY, [subject.parameter]: z.int(), content: z.enum(CONTENTS) }),
    output: shown('id', 'user', 'content'),
    example: { owner: 'octo-works', repo: 'lamp', [subject.parameter]: subject.example, content: 'rocket' },
    run(ctx, input) {
      const { repository, id } = subjectAt(ctx, subject, input as unknown as Place);
      const viewer = requireViewer(ctx);
      const content = String(input.content);
      const known = ctx.tx.reactions.unique('by_user', [subject.kind, id, viewer.id, content]);
      if (known) {
        ctx.reply({ status: 200 });
        return reactionView(ctx, known);
      }
      const reaction = ctx.tx.reactions.insert({
        id: freshId(ctx, 'reactions'),
        subject: subject.kind,
        subject_id: id,
        repository_id: repository.id,
        user_id: viewer.id,
        content,
        created_at: momentText(ctx.nowMs),
      });
      return reactionView(ctx, reaction);
    },
  });
}

function deletion(subject: Subject): Operation {
  return operation({
    id: `reactions/delete-${subject.deletion ?? subject.name}`,
    summary: `Takes a reaction to ${described(subject)} back.`,
    effect: 'write',
    http: {
      method: 'DELETE',
      path: `/repos/{owner}/{repo}${subject.path}/reactions/{reaction_id}`,
      status: 204,
    },
    input: z.looseObject({ ...REPOSITORY, [subject.parameter]: z.int(), reaction_id: z.int() }),
    output: nothing,
    example: {
      owner: 'octo-works',
      repo: 'lamp',
      [subject.parameter]: subject.example,
      reaction_id: 400_000_001 + SUBJECTS.indexOf(subject),
    },
    run(ctx, input) {
      const { repository, id } = subjectAt(ctx, subject, input as unknown as Place);
      const reaction = ctx.tx.reactions.get(Number(input.reaction_id));
      if (reaction?.subject !== subject.kind || reaction.subject_id !== id) return ctx.fail('not_found');
      if (reaction.user_id !== requireViewer(ctx).id) requireRole(ctx, repository, 'admin');
      ctx.tx.reactions.delete(reaction.id);
      return null;
    },
  });
}

export const reactionOperations: readonly Operation[] = SUBJECTS.flatMap((subject) => [
  listing(subject),
  creation(subject),
  deletion(subject),
]);
