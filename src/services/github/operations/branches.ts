import { z } from 'zod';
import { peelToCommit } from '../git/index.ts';
import { operation } from '../operation.ts';
import { listOf, shown } from '../output.ts';
import { PAGE, paged } from '../rules/paging.ts';
import {
  branchAt,
  branchesOf,
  dropRef,
  findBranch,
  isEmpty,
  moveRef,
  objectsOf,
  tagsOf,
} from '../rules/refs.ts';
import { repositoryAt, requireRole } from '../rules/repositories.ts';
import { branchView, shortBranch } from '../views/branches.ts';
import { encodedPath } from '../views/git.ts';
import { placeOf } from '../views/issues.ts';
import { globalId } from '../views/node-ids.ts';
import { numberedPath } from '../views/repositories.ts';
import { REPOSITORY, writableRepository } from './repositories.ts';

const BRANCH_PLACE = { ...REPOSITORY, branch: z.string() };

const listBranches = operation({
  id: 'repos/list-branches',
  summary: 'Lists the branches of a repository by name.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/branches' },
  input: z.looseObject({
    ...REPOSITORY,
    protected: z.union([z.boolean(), z.string()]).optional(),
    ...PAGE,
  }),
  output: listOf('name', 'commit'),
  example: { owner: 'octo-works', repo: 'lamp' },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    const place = placeOf(ctx, repository);
    const wished = input.protected === undefined ? undefined : String(input.protected) === 'true';
    const items = branchesOf(ctx, repository).filter(
      ({ name }) => wished === undefined || ctx.tx.branch_protections.has([repository.id, name]) === wished,
    );
    const path = numberedPath(repository, '/branches');
    return paged(ctx, input, { items, path, show: (branch) => shortBranch(ctx, place, branch) });
  },
});

const getBranch = operation({
  id: 'repos/get-branch',
  summary: 'Reads a branch with its last commit.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/branches/{branch}' },
  input: z.looseObject(BRANCH_PLACE),
  output: shown('name', 'commit'),
  example: { owner: 'octo-works', repo: 'lamp', branch: 'main' },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    return branchView(ctx, placeOf(ctx, repository), branchAt(ctx, repository, input.branch));
  },
});

const renameBranch = operation({
  id: 'repos/rename-branch',
  summary: 'Renames a branch, with its rules and the pulls into it.',
  effect: 'write',
  http: { method: 'POST', path: '/repos/{owner}/{repo}/branches/{branch}/rename', status: 201 },
  input: z.looseObject({ ...BRANCH_PLACE, new_name: z.string() }),
  output: shown('name', 'commit'),
  example: { owner: 'octo-works', repo: 'lamp', branch: 'dimmer', new_name: 'darker' },
  run(ctx, input) {
    const repository = writableRepository(ctx, input);
    const branch = branchAt(ctx, repository, input.branch);
    const isDefault = branch.name === repository.default_branch;
    requireRole(ctx, repository, isDefault ? 'admin' : 'write');
    const name = input.new_name;
    if (findBranch(ctx, repository, name)) {
      ctx.fail('unprocessable', { message: `Branch ${name} already exists` });
    }
    const { tx } = ctx;
    if (isDefault) tx.repositories.update(repository.id, { default_branch: name });
    for (const pull of [...tx.pulls.by('by_base', [repository.id, branch.name])]) {
      tx.pulls.update(pull.issue_id, { base_ref: name });
    }
    for (const pull of [...tx.pulls.by('by_head', [repository.id, branch.name])]) {
      tx.pulls.update(pull.issue_id, { head_ref: name });
    }
    dropRef(ctx, repository, `refs/heads/${branch.name}`);
    moveRef(ctx, repository, { ref: `refs/heads/${name}`, sha: branch.sha });
    const rules = tx.branch_protections.get([repository.id, branch.name]);
    if (rules) {
      tx.branch_protections.delete([repository.id, branch.name]);
      tx.branch_protections.insert({ ...rules, branch: name });
    }
    return branchView(ctx, placeOf(ctx, tx.repositories.get(repository.id) ?? repository), {
      name,
      sha: branch.sha,
    });
  },
});

/** From this day archives of tags go by their full names. */
const FULL_NAMES_MS = Date.UTC(2021, 0, 1);

const listTags = operation({
  id: 'repos/list-tags',
  summary: 'Lists the tags of a repository, the highest version first.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/tags' },
  input: z.looseObject({ ...REPOSITORY, ...PAGE }),
  output: listOf('name', 'commit'),
  example: { owner: 'octo-works', repo: 'lamp' },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    const { url } = placeOf(ctx, repository);
    const reader = objectsOf(ctx);
    const path = numberedPath(repository, '/tags');
    const where = ctx.nowMs < FULL_NAMES_MS ? '' : 'refs/tags/';
    const items = tagsOf(ctx, repository);
    const first = items.length > 0 ? repository.pushed_at : null;
    if (first !== null && !isEmpty(ctx, repository)) ctx.reply({ facts: { modified: first } });
    return paged(ctx, input, {
      items,
      path,
      show({ name, sha }) {
        const commit = peelToCommit(reader, sha) ?? sha;
        return {
          name,
          zipball_url: `${url}/zipball/${where}${encodedPath(name)}`,
          tarball_url: `${url}/tarball/${where}${encodedPath(name)}`,
          commit: { sha: commit, url: `${url}/commits/${commit}` },
          node_id: globalId('REF', [0, repository.id, `refs/tags/${name}`]),
        };
      },
    });
  },
});

export const branchOperations = [listBranches, getBranch, renameBranch, listTags];
