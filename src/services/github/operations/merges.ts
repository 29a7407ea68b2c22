import { z } from 'zod';
import { commitAt, gitStore, isAncestor, merge } from '../git/index.ts';
import { operation } from '../operation.ts';
import { shown } from '../output.ts';
import { certify, signatureOf, WEB_SIGNATURE, webFlow } from '../rules/commits.ts';
import { pushRefusal } from '../rules/protection.ts';
import { bareName, findBranch, findCommit, moveRef, objectsOf } from '../rules/refs.ts';
import { requireRole } from '../rules/repositories.ts';
import { requireViewer } from '../rules/viewer.ts';
import { commitView } from '../views/git.ts';
import { placeOf } from '../views/issues.ts';
import { ownerOf } from '../views/repositories.ts';
import { REPOSITORY, writableRepository } from './repositories.ts';

const mergeBranches = operation({
  id: 'repos/merge',
  summary: 'Merges a branch or commit into a branch.',
  effect: 'write',
  http: { method: 'POST', path: '/repos/{owner}/{repo}/merges', status: 201 },
  input: z.looseObject({
    ...REPOSITORY,
    base: z.string(),
    head: z.string(),
    commit_message: z.string().optional(),
  }),
  output: z.union([z.null(), shown('sha', 'commit')]),
  example: { owner: 'octo-works', repo: 'lamp', base: 'main', head: 'dimmer' },
  run(ctx, input) {
    const repository = writableRepository(ctx, input);
    requireRole(ctx, repository, 'write');
    const base = findBranch(ctx, repository, input.base);
    if (!base) return ctx.fail('absent', { message: 'Base does not exist' });
    const head = findCommit(ctx, repository, input.head);
    if (head === undefined) return ctx.fail('absent', { message: 'Head does not exist' });
    const refusal = pushRefusal(ctx, repository, base.name);
    if (refusal !== null) ctx.fail('conflict', { message: refusal });
    const message = input.commit_message ?? `Merge ${bareName(input.head)} into ${base.name}`;
    const author = signatureOf(ctx, requireViewer(ctx));
    const request = { base: base.sha, head, message, author };
    const merged = merge(gitStore(ctx.tx), { ...request, committer: webFlow(ctx), signature: WEB_SIGNATURE });
    if (merged.kind === 'conflict') return ctx.fail('conflict', { message: 'Merge conflict' });
    if (merged.kind === 'up-to-date') {
      ctx.reply({ status: 204, form: 'empty' });
      return null;
    }
    certify(ctx, merged.sha, { verified: true, reason: 'valid' });
    moveRef(ctx, repository, { ref: `refs/heads/${base.name}`, sha: merged.sha });
    return commitView(ctx, placeOf(ctx, repository), merged.sha);
  },
});

const mergeUpstream = operation({
  id: 'repos/merge-upstream',
  summary: 'Brings a branch of a fork up to where it came from.',
  effect: 'write',
  http: { method: 'POST', path: '/repos/{owner}/{repo}/merge-upstream' },
  input: z.looseObject({ ...REPOSITORY, branch: z.string() }),
  output: shown('message', 'merge_type', 'base_branch'),
  example: { owner: 'mona', repo: 'lamp', branch: 'main' },
  run(ctx, input) {
    const repository = writableRepository(ctx, input);
    requireRole(ctx, repository, 'write');
    const parent = repository.parent_id === null ? undefined : ctx.tx.repositories.get(repository.parent_id);
    if (!parent) return ctx.fail('unprocessable', { message: 'The repository is not a fork' });
    const own = findBranch(ctx, repository, input.branch);
    const upstream = findBranch(ctx, parent, input.branch);
    if (!own || !upstream) return ctx.fail('not_found');
    const base_branch = `${ownerOf(ctx, parent).login}:${upstream.name}`;
    const ref = `refs/heads/${own.name}`;
    const reader = objectsOf(ctx);
    if (isAncestor(reader, upstream.sha, own.sha)) {
      return {
        message: `This branch is not behind the upstream ${base_branch}.`,
        merge_type: 'none',
        base_branch,
      };
    }
    if (isAncestor(reader, own.sha, upstream.sha) || !commitAt(reader, own.sha)) {
      moveRef(ctx, repository, { ref, sha: upstream.sha });
      const message = `Successfully fetched and fast-forwarded from upstream ${base_branch}.`;
      return { message, merge_type: 'fast-forward', base_branch };
    }
    const merged = merge(gitStore(ctx.tx), {
      base: own.sha,
      head: upstream.sha,
      message: `Merge branch '${base_branch}' into ${own.name}`,
      author: signatureOf(ctx, requireViewer(ctx)),
      committer: webFlow(ctx),
      signature: WEB_SIGNATURE,
    });
    if (merged.kind !== 'made') return ctx.fail('conflict', { message: 'There are merge conflicts' });
    certify(ctx, merged.sha, { verified: true, reason: 'valid' });
    moveRef(ctx, repository, { ref, sha: merged.sha });
    return {
      message: `Successfully fetched and merged from upstream ${base_branch}.`,
      merge_type: 'merge',
      base_branch,
    };
  },
});

export const mergeOperations = [mergeBranches, mergeUpstream];
