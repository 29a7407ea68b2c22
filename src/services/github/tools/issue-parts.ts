import { z } from 'zod';
import type { Json, Tool } from '../../../service/index.ts';
import {
  fail,
  githubTool,
  labelShape,
  membersOf,
  nodesOf,
  OWNER,
  PLACE,
  present,
  REPO,
  whole,
} from './making.ts';
import { withoutNulls } from './shapes.ts';

const NUMBER = { ...PLACE, issue_number: z.number() };

const subIssueWrite = githubTool({
  name: 'sub_issue_write',
  description: 'Adds a part to an issue, takes one off it, or moves one among the others.',
  input: z.object({
    method: z.string(),
    ...NUMBER,
    sub_issue_id: z.number(),
    replace_parent: z.boolean().optional(),
    after_id: z.number().optional(),
    before_id: z.number().optional(),
  }),
  operations: ['issues/add-sub-issue', 'issues/remove-sub-issue', 'issues/reprioritize-sub-issue'],
  run(hands, { method, owner, repo, issue_number, ...input }): Json {
    const at = {
      owner,
      repo,
      issue_number: Math.trunc(issue_number),
      sub_issue_id: Math.trunc(input.sub_issue_id),
    };
    const { after_id, before_id, replace_parent = false } = input;
    switch (method.toLowerCase()) {
      case 'add': {
        const wish = { ...at, replace_parent };
        return withoutNulls(hands.call('issues/add-sub-issue', wish, 'failed to add sub-issue'));
      }
      case 'remove':
        return withoutNulls(hands.call('issues/remove-sub-issue', at, 'failed to remove sub-issue'));
      case 'reprioritize': {
        if (!after_id && !before_id) return fail('either after_id or before_id must be specified');
        if (after_id && before_id)
          return fail('only one of after_id or before_id should be specified, not both');
        const beside = present({ after_id: whole(after_id), before_id: whole(before_id) });
        const words = 'failed to reprioritize sub-issue';
        return withoutNulls(hands.call('issues/reprioritize-sub-issue', { ...at, ...beside }, words));
      }
      default:
        return fail(`unknown method: ${method}`);
    }
  },
});

const LABEL = `query($owner: String!, $repo: String!, $name: String!) {
  repository(owner: $owner, name: $repo) { label(name: $name) { id name color description } } }`;

const getLabel = githubTool({
  name: 'get_label',
  description: 'Reads a label of a repository.',
  input: z.object({ ...PLACE, name: z.string() }),
  operations: ['graphql/query'],
  run(hands, { owner, repo, name }): Json {
    const data = hands.query(LABEL, { owner, repo, name }, 'Failed to find label');
    const { label } = membersOf(data.repository);
    if (label === null || label === undefined) return fail(`label '${name}' not found in ${owner}/${repo}`);
    return labelShape(membersOf(label));
  },
});

const FIELDS = `query($owner: String!) { organization(login: $owner) { issueFields(first: 100) {
  nodes { ... on IssueFieldText { fullDatabaseId name dataType } } } } }`;

const listIssueFields = githubTool({
  name: 'list_issue_fields',
  description: 'Lists the fields that the issues of an organisation or repository have.',
  input: z.object({ owner: OWNER, repo: REPO.optional() }),
  operations: ['graphql/query'],
  run(hands, { owner }): Json {
    const data = hands.query(FIELDS, { owner }, 'failed to list issue fields');
    return nodesOf(membersOf(data.organization).issueFields);
  },
});

const listIssueTypes = githubTool({
  name: 'list_issue_types',
  description: 'Lists the types that the issues of an organisation may have.',
  input: z.object({ owner: OWNER, repo: REPO.optional() }),
  operations: ['orgs/list-issue-types', 'repos/list-issue-types'],
  run(hands, { owner, repo = '' }): Json {
    const words = 'failed to list issue types';
    return withoutNulls(
      repo === ''
        ? hands.call('orgs/list-issue-types', { org: owner }, words)
        : hands.call('repos/list-issue-types', { owner, repo }, words),
    );
  },
});

const COPILOT = `query($owner: String!, $repo: String!, $after: String) {
  repository(owner: $owner, name: $repo) { suggestedActors(first: 100, after: $after,
    capabilities: [CAN_BE_ASSIGNED]) { nodes { ... on Bot { id login } } } } }`;
const NO_COPILOT =
  "copilot isn't available as an assignee for this issue. Please inform the user to visit " +
  'https://docs.github.com/en/copilot/using-github-copilot/using-copilot-coding-agent-to-work-on-tasks/' +
  'about-assigning-tasks-to-copilot for more information.';
const OF_ISSUE = `query($owner: String!, $repo: String!, $number: Int!) {
  repository(owner: $owner, name: $repo) { id issue(number: $number) { id url
    assignees(first: 100) { nodes { id } } } } }`;
const ASSIGN = `mutation($input: UpdateIssueInput!) {
  updateIssue(input: $input) { issue { id number url } } }`;

const assignCopilot = githubTool({
  name: 'assign_copilot_to_issue',
  description: 'Assigns Copilot to an issue, where the repository has it.',
  input: z.object({ ...NUMBER, base_ref: z.string().optional(), custom_instructions: z.string().optional() }),
  operations: ['graphql/query', 'graphql'],
  run(hands, { owner, repo, issue_number, base_ref, custom_instructions }): Json {
    const suggested = hands.query(COPILOT, { owner, repo }, 'failed to get suggested actors');
    const actors = nodesOf(membersOf(suggested.repository).suggestedActors);
    const copilot = actors.find(({ login }) => login === 'copilot-swe-agent');
    if (!copilot) return fail(NO_COPILOT);
    const number = Math.trunc(issue_number);
    const found = hands.query(OF_ISSUE, { owner, repo, number }, 'failed to get issue ID');
    const { id: targetRepositoryId = '', issue } = membersOf(found.repository);
    const { id = '', url = '', assignees } = membersOf(issue);
    const assigneeIds = [...nodesOf(assignees).map((one) => one.id ?? ''), copilot.id ?? ''];
    const agentAssignment = present({
      targetRepositoryId,
      customAgent: '',
      customInstructions: custom_instructions ?? '',
      baseRef: base_ref,
    });
    const words = 'failed to update issue with agent assignment';
    hands.change(ASSIGN, { input: { id, assigneeIds, agentAssignment } }, words);
    return {
      issue_number: number,
      issue_url: url,
      message: 'successfully assigned copilot to issue - pull request pending',
      note:
        'The pull request may still be in progress. Once created, the PR number can be used to check job ' +
        'status, or check the issue timeline for updates.',
      owner,
      repo,
    };
  },
});

/** Tools for what belongs to issues, by name. */
export const issuePartTools: Readonly<Record<string, Tool>> = {
  assign_copilot_to_issue: assignCopilot,
  get_label: getLabel,
  list_issue_fields: listIssueFields,
  list_issue_types: listIssueTypes,
  sub_issue_write: subIssueWrite,
};
