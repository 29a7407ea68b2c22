import { z } from 'zod';
import type { Json, JsonObject } from '../../../service/index.ts';
import { momentText } from '../moments.ts';
import { operation, type Reading } from '../operation.ts';
import { listOf, nothing, shown } from '../output.ts';
import { freshId } from '../rules/ids.ts';
import { PAGE, paged } from '../rules/paging.ts';
import { bareName } from '../rules/refs.ts';
import { repositoryAt, requireRole, roleIn } from '../rules/repositories.ts';
import { rulesetsFor, rulesOf } from '../rules/rulesets.ts';
import type { Repository } from '../schema/repositories.ts';
import type { Ruleset } from '../schema/rulesets.ts';
import { type Place, placeOf } from '../views/issues.ts';
import { globalId } from '../views/node-ids.ts';
import { numberedPath, ownerOf } from '../views/repositories.ts';
import { fullName } from '../views/urls.ts';
import { REPOSITORY, writableRepository } from './repositories.ts';

const RULESET = shown('id', 'name', 'enforcement');
const RULESET_PLACE = { ...REPOSITORY, ruleset_id: z.int() };
const EXAMPLE = { owner: 'octo-works', repo: 'lamp', ruleset_id: 7_000_001 };

const patterns = z.array(z.string());
const WISH = {
  target: z.enum(['branch', 'tag', 'push']).optional(),
  bypass_actors: z.array(z.looseObject({ actor_type: z.string() })).optional(),
  conditions: z
    .looseObject({
      ref_name: z.looseObject({ include: patterns.optional(), exclude: patterns.optional() }).optional(),
    })
    .optional(),
  rules: z.array(z.looseObject({ type: z.string() })).optional(),
};
const ENFORCEMENT = z.enum(['disabled', 'active', 'evaluate']);

/** A set as lists show it. */
function summaryView(ctx: Reading, { repository, url, web }: Place, ruleset: Ruleset): JsonObject {
  return {
    id: ruleset.id,
    name: ruleset.name,
    target: ruleset.target,
    source_type: 'Repository',
    source: fullName(ownerOf(ctx, repository), repository),
    enforcement: ruleset.enforcement,
    node_id: globalId('RRS', [0, repository.id, ruleset.id]),
    _links: {
      self: { href: `${url}/rulesets/${ruleset.id}` },
      html: { href: `${web}/rules/${ruleset.id}` },
    },
    created_at: ruleset.created_at,
    updated_at: ruleset.updated_at,
  };
}

/** A set with its rules; who may pass is shown to those who administer. */
function rulesetView(ctx: Reading, repository: Repository, ruleset: Ruleset): JsonObject {
  const isAdmin = roleIn(ctx, repository) === 'admin';
  return {
    ...summaryView(ctx, placeOf(ctx, repository), ruleset),
    conditions: ruleset.conditions,
    rules: ruleset.rules,
    ...(isAdmin && { bypass_actors: ruleset.bypass_actors, current_user_can_bypass: 'never' }),
  };
}

const list = operation({
  id: 'repos/get-repo-rulesets',
  summary: 'Lists the sets of rules of a repository.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/rulesets' },
  input: z.looseObject({ ...REPOSITORY, targets: z.string().optional(), ...PAGE }),
  output: listOf('id', 'name'),
  example: { owner: 'octo-works', repo: 'lamp' },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    const place = placeOf(ctx, repository);
    const targets = input.targets?.split(',');
    const items = [...ctx.tx.rulesets.by('by_repository', [repository.id])].filter(
      ({ target }) => targets === undefined || targets.includes(target),
    );
    const path = numberedPath(repository, '/rulesets');
    return paged(ctx, input, { items, path, show: (ruleset) => summaryView(ctx, place, ruleset) });
  },
});

const create = operation({
  id: 'repos/create-repo-ruleset',
  summary: 'Makes a set of rules for branches or tags.',
  effect: 'write',
  http: { method: 'POST', path: '/repos/{owner}/{repo}/rulesets', status: 201 },
  input: z.looseObject({ ...REPOSITORY, name: z.string(), enforcement: ENFORCEMENT, ...WISH }),
  output: RULESET,
  example: {
    owner: 'octo-works',
    repo: 'lamp',
    name: 'Keep tags',
    target: 'tag',
    enforcement: 'active',
    conditions: { ref_name: { include: ['~ALL'], exclude: [] } },
    rules: [{ type: 'deletion' }],
  },
  run(ctx, input) {
    const repository = writableRepository(ctx, input);
    requireRole(ctx, repository, 'admin');
    const moment = momentText(ctx.nowMs);
    requireFreeName(ctx, repository, { name: input.name });
    const ruleset = ctx.tx.rulesets.insert({
      id: freshId(ctx, 'rulesets'),
      repository_id: repository.id,
      name: input.name,
      target: input.target ?? 'branch',
      enforcement: input.enforcement,
      bypass_actors: (input.bypass_actors ?? []) as Json,
      conditions: (input.conditions ?? { ref_name: { include: [], exclude: [] } }) as Json,
      rules: (input.rules ?? []) as Json,
      created_at: moment,
      updated_at: moment,
    });
    return rulesetView(ctx, repository, ruleset);
  },
});

/** Sets of one repository have different names. */
function requireFreeName(
  ctx: Reading,
  repository: Repository,
  { name, but }: { readonly name: string; readonly but?: number },
): void {
  const taken = [...ctx.tx.rulesets.by('by_repository', [repository.id])].some(
    (ruleset) => ruleset.name === name && ruleset.id !== but,
  );
  if (taken) ctx.fail('validation_failed', { errors: ['Name must be unique'] });
}

function rulesetAt(
  ctx: Reading,
  input: { owner: string; repo: string; ruleset_id: number },
): { readonly repository: Repository; readonly ruleset: Ruleset } {
  const repository = repositoryAt(ctx, input);
  const ruleset = ctx.tx.rulesets.get(input.ruleset_id);
  return ruleset?.repository_id === repository.id ? { repository, ruleset } : ctx.fail('not_found');
}

const get = operation({
  id: 'repos/get-repo-ruleset',
  summary: 'Reads a set of rules.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/rulesets/{ruleset_id}' },
  input: z.looseObject(RULESET_PLACE),
  output: RULESET,
  example: EXAMPLE,
  run(ctx, input) {
    const { repository, ruleset } = rulesetAt(ctx, input);
    return rulesetView(ctx, repository, ruleset);
  },
});

const update = operation({
  id: 'repos/update-repo-ruleset',
  summary: 'Changes a set of rules.',
  effect: 'write',
  http: { method: 'PUT', path: '/repos/{owner}/{repo}/rulesets/{ruleset_id}' },
  input: z.looseObject({
    ...RULESET_PLACE,
    name: z.string().optional(),
    enforcement: ENFORCEMENT.optional(),
    ...WISH,
  }),
  output: RULESET,
  example: { ...EXAMPLE, enforcement: 'disabled' },
  run(ctx, input) {
    const { repository, ruleset } = rulesetAt(ctx, input);
    requireRole(ctx, repository, 'admin');
    const { name, enforcement, target, bypass_actors, conditions, rules } = input;
    if (name !== undefined) requireFreeName(ctx, repository, { name, but: ruleset.id });
    const changed = ctx.tx.rulesets.update(ruleset.id, {
      ...(name !== undefined && { name }),
      ...(enforcement !== undefined && { enforcement }),
      ...(target !== undefined && { target }),
      ...(bypass_actors !== undefined && { bypass_actors: bypass_actors as Json }),
      ...(conditions !== undefined && { conditions: conditions as Json }),
      ...(rules !== undefined && { rules: rules as Json }),
      updated_at: momentText(ctx.nowMs),
    });
    return rulesetView(ctx, repository, changed);
  },
});

const remove = operation({
  id: 'repos/delete-repo-ruleset',
  summary: 'Deletes a set of rules.',
  effect: 'write',
  http: { method: 'DELETE', path: '/repos/{owner}/{repo}/rulesets/{ruleset_id}', status: 204 },
  input: z.looseObject(RULESET_PLACE),
  output: nothing,
  example: EXAMPLE,
  run(ctx, input) {
    const { repository, ruleset } = rulesetAt(ctx, input);
    requireRole(ctx, repository, 'admin');
    ctx.tx.rulesets.delete(ruleset.id);
    return null;
  },
});

const branchRules = operation({
  id: 'repos/get-branch-rules',
  summary: 'Lists the rules of all sets that are for a branch.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/rules/branches/{branch}' },
  input: z.looseObject({ ...REPOSITORY, branch: z.string(), ...PAGE }),
  output: listOf('type', 'ruleset_id'),
  example: { owner: 'octo-works', repo: 'lamp', branch: 'main' },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    const source = fullName(ownerOf(ctx, repository), repository);
    const ref = `refs/heads/${bareName(input.branch)}`;
    const items = rulesetsFor(ctx, repository, ref).flatMap((ruleset) =>
      rulesOf(ruleset).map(
        (rule): JsonObject => ({
          ...(rule as unknown as JsonObject),
          ruleset_source_type: 'Repository',
          ruleset_source: source,
          ruleset_id: ruleset.id,
        }),
      ),
    );
    const path = numberedPath(
      repository,
      `/rules/branches/${encodeURIComponent(input.branch.toWellFormed())}`,
    );
    return paged(ctx, input, { items, path, inPath: ['branch'], show: (item) => item });
  },
});

export const rulesetOperations = [list, create, get, update, remove, branchRules];
