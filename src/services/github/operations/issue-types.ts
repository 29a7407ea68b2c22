import { z } from 'zod';
import type { JsonObject } from '../../../service/index.ts';
import { momentText } from '../moments.ts';
import { operation, type Reading, type Writing } from '../operation.ts';
import { listOf, nothing, shown } from '../output.ts';
import { freshId } from '../rules/ids.ts';
import { requireOwner } from '../rules/organizations.ts';
import { repositoryAt } from '../rules/repositories.ts';
import { organizationNamed } from '../rules/viewer.ts';
import type { Account } from '../schema/accounts.ts';
import type { IssueType } from '../schema/conversations.ts';
import { issueTypeView } from '../views/issue-types.ts';
import { REPOSITORY } from './repositories.ts';

const ORG = { org: z.string() };
const TYPE = shown('id', 'name');
const TYPES = listOf('id', 'name');
const MEMBERS = {
  name: z.string(),
  is_enabled: z.boolean(),
  description: z.string().nullish(),
  color: z.enum(['gray', 'blue', 'green', 'yellow', 'orange', 'red', 'pink', 'purple']).nullish(),
};

function typesOf({ tx }: Reading, org: Account): IssueType[] {
  return [...tx.issue_types.by('by_org', [org.id])];
}

/** The organisation of a call that only its owners may make. */
function ownedOrg(ctx: Writing, login: string): Account {
  const org = organizationNamed(ctx, login);
  requireOwner(ctx, org, 'Must have admin rights to Repository.');
  return org;
}

function typeAt(ctx: Reading, org: Account, id: number): IssueType {
  const row = ctx.tx.issue_types.get(id);
  return row?.org_id === org.id ? row : ctx.fail('not_found');
}

function requireFree(ctx: Writing, org: Account, { name, own }: { name: string; own?: number }): void {
  const same = typesOf(ctx, org).find((row) => row.name.toLowerCase() === name.toLowerCase());
  if (!same || same.id === own) return;
  ctx.fail('validation_failed', {
    errors: [{ resource: 'IssueType', code: 'already_exists', field: 'name' }],
  });
}

const listTypes = operation({
  id: 'orgs/list-issue-types',
  summary: 'Lists the kinds of issues that an organisation has.',
  effect: 'read',
  http: { method: 'GET', path: '/orgs/{org}/issue-types' },
  input: z.looseObject(ORG),
  output: TYPES,
  example: { org: 'octo-works' },
  run: (ctx, { org }): JsonObject[] => typesOf(ctx, organizationNamed(ctx, org)).map(issueTypeView),
});

const listForRepository = operation({
  id: 'repos/list-issue-types',
  summary: 'Lists the kinds of issues that a repository may have: those that are switched on.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/issue-types' },
  input: z.looseObject(REPOSITORY),
  output: TYPES,
  example: { owner: 'octo-works', repo: 'lamp' },
  run(ctx, input): JsonObject[] {
    const owner = ctx.tx.accounts.get(repositoryAt(ctx, input).owner_id);
    const types = owner ? typesOf(ctx, owner) : [];
    return types.filter((row) => row.is_enabled).map(issueTypeView);
  },
});

const createType = operation({
  id: 'orgs/create-issue-type',
  summary: 'Adds a kind of issues.',
  effect: 'write',
  http: { method: 'POST', path: '/orgs/{org}/issue-types' },
  input: z.looseObject({ ...ORG, ...MEMBERS }),
  output: TYPE,
  example: { org: 'octo-works', name: 'Question', is_enabled: true },
  run(ctx, { org: login, name, is_enabled, description = null, color = null }) {
    const org = ownedOrg(ctx, login);
    requireFree(ctx, org, { name });
    const moment = momentText(ctx.nowMs);
    const row = ctx.tx.issue_types.insert({
      id: freshId(ctx, 'issue_types'),
      org_id: org.id,
      name,
      description,
      color,
      is_enabled,
      created_at: moment,
      updated_at: moment,
    });
    return issueTypeView(row);
  },
});

const updateType = operation({
  id: 'orgs/update-issue-type',
  summary: 'Changes a kind of issues.',
  effect: 'write',
  http: { method: 'PUT', path: '/orgs/{org}/issue-types/{issue_type_id}' },
  input: z.looseObject({ ...ORG, issue_type_id: z.int(), ...MEMBERS }),
  output: TYPE,
  example: { org: 'octo-works', issue_type_id: 24_000_001, name: 'Chore', is_enabled: true },
  run(ctx, { org: login, issue_type_id, name, is_enabled, description = null, color = null }) {
    const org = ownedOrg(ctx, login);
    const row = typeAt(ctx, org, issue_type_id);
    requireFree(ctx, org, { name, own: row.id });
    const updated_at = momentText(ctx.nowMs);
    const columns = { name, is_enabled, description, color, updated_at };
    return issueTypeView(ctx.tx.issue_types.update(row.id, columns));
  },
});

const deleteType = operation({
  id: 'orgs/delete-issue-type',
  summary: 'Takes a kind of issues away.',
  effect: 'write',
  http: { method: 'DELETE', path: '/orgs/{org}/issue-types/{issue_type_id}', status: 204 },
  input: z.looseObject({ ...ORG, issue_type_id: z.int() }),
  output: nothing,
  example: { org: 'octo-works', issue_type_id: 24_000_001 },
  run(ctx, { org: login, issue_type_id }) {
    ctx.tx.issue_types.delete(typeAt(ctx, ownedOrg(ctx, login), issue_type_id).id);
    return null;
  },
});

export const issueTypeOperations = [listTypes, listForRepository, createType, updateType, deleteType];
