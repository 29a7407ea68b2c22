import { z } from 'zod';
import type { JsonObject, Tool } from '../../../service/index.ts';
import { githubTool, itemsOf, membersOf, PAGE, PLACE, pageOf, whole } from './making.ts';
import { commentShape, fileShape, issueShape, madeShape, pullShape, reviewShape } from './shapes.ts';

const ISSUE = { ...PLACE, issue_number: z.number() };
const PULL = { ...PLACE, pullNumber: z.number() };
const CONTENT = {
  body: z.string().optional(),
  assignees: z.array(z.string()).optional(),
  labels: z.array(z.string()).optional(),
  milestone: z.number().optional(),
};

/** A milestone's number is whole for REST. */
function contentOf({ milestone, ...content }: { milestone?: number | undefined }): JsonObject {
  const number = whole(milestone);
  return { ...(content as JsonObject), ...(number !== undefined && { milestone: number }) };
}

function pullPath({
  owner,
  repo,
  pullNumber,
}: {
  owner: string;
  repo: string;
  pullNumber: number;
}): JsonObject {
  return { owner, repo, pull_number: Math.trunc(pullNumber) };
}

/** Reads of a pull that had tools of their own. */
function ofPull(
  name: string,
  description: string,
  read: { readonly operation: string; readonly show: (item: JsonObject) => JsonObject },
): Tool {
  return githubTool({
    name,
    description,
    optional: true,
    input: z.object({ ...PULL, ...PAGE }),
    operations: [read.operation],
    run(hands, input) {
      const words = name.replaceAll('_', ' ').replace('get ', 'failed to get ');
      const listed = hands.call(read.operation, { ...pullPath(input), ...pageOf(input) }, words);
      return itemsOf(listed).map(read.show);
    },
  });
}

/** Names that the server's tools had before; on offer where they are asked for by name. */
export const olderTools: readonly Tool[] = [
  githubTool({
    name: 'create_issue',
    description: 'Opens an issue.',
    optional: true,
    input: z.object({ ...PLACE, title: z.string(), ...CONTENT }),
    operations: ['issues/create'],
    run: (hands, { owner, repo, title, ...content }) =>
      madeShape(
        membersOf(
          hands.call(
            'issues/create',
            { owner, repo, title, ...contentOf(content) },
            'failed to create issue',
          ),
        ),
      ),
  }),
  githubTool({
    name: 'update_issue',
    description: 'Changes an issue.',
    optional: true,
    input: z.object({
      ...ISSUE,
      title: z.string().optional(),
      state: z.enum(['open', 'closed']).optional(),
      ...CONTENT,
    }),
    operations: ['issues/update'],
    run(hands, { owner, repo, issue_number, title, state, ...content }) {
      const members = { ...(title !== undefined && { title }), ...(state !== undefined && { state }) };
      const input = {
        owner,
        repo,
        issue_number: Math.trunc(issue_number),
        ...members,
        ...contentOf(content),
      };
      return madeShape(membersOf(hands.call('issues/update', input, 'failed to update issue')));
    },
  }),
  githubTool({
    name: 'get_issue',
    description: 'Reads an issue.',
    optional: true,
    input: z.object(ISSUE),
    operations: ['issues/get'],
    run(hands, { owner, repo, issue_number }) {
      const input = { owner, repo, issue_number: Math.trunc(issue_number) };
      return issueShape(membersOf(hands.call('issues/get', input, 'failed to get issue')));
    },
  }),
  githubTool({
    name: 'get_issue_comments',
    description: 'Lists the comments on an issue.',
    optional: true,
    input: z.object({ ...ISSUE, ...PAGE }),
    operations: ['issues/list-comments'],
    run(hands, { owner, repo, issue_number, ...page }) {
      const input = { owner, repo, issue_number: Math.trunc(issue_number), ...pageOf(page) };
      return itemsOf(hands.call('issues/list-comments', input, 'failed to get issue comments')).map(
        commentShape,
      );
    },
  }),
  githubTool({
    name: 'get_pull_request',
    description: 'Reads a pull request.',
    optional: true,
    input: z.object(PULL),
    operations: ['pulls/get'],
    run: (hands, input) =>
      pullShape(membersOf(hands.call('pulls/get', pullPath(input), 'failed to get pull request'))),
  }),
  githubTool({
    name: 'get_pull_request_diff',
    description: 'Reads the changes of a pull request as a diff.',
    optional: true,
    input: z.object(PULL),
    operations: ['pulls/get'],
    run(hands, input) {
      const request = { input: pullPath(input), accept: 'application/vnd.github.v3.diff' };
      return hands.callAs('pulls/get', request, 'failed to get pull request diff');
    },
  }),
  ofPull('get_pull_request_files', 'Lists the files that a pull request changes.', {
    operation: 'pulls/list-files',
    show: (file) => fileShape(file, true),
  }),
  ofPull('get_pull_request_reviews', 'Lists the reviews of a pull request.', {
    operation: 'pulls/list-reviews',
    show: reviewShape,
  }),
  githubTool({
    name: 'create_pull_request_review',
    description: 'Reviews a pull request.',
    optional: true,
    input: z.object({
      ...PULL,
      body: z.string().optional(),
      event: z.enum(['APPROVE', 'REQUEST_CHANGES', 'COMMENT']),
      commitId: z.string().optional(),
    }),
    operations: ['pulls/create-review'],
    run(hands, { body, event, commitId, ...place }) {
      const said = { ...(body !== undefined && { body }), ...(commitId && { commit_id: commitId }) };
      const words = 'failed to create pull request review';
      const made = hands.call('pulls/create-review', { ...pullPath(place), event, ...said }, words);
      return reviewShape(membersOf(made));
    },
  }),
];
