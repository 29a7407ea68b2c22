import { z } from 'zod';
import { createTag, gitStore } from '../git/index.ts';
import { operation } from '../operation.ts';
import { shown } from '../output.ts';
import { signatureOf } from '../rules/commits.ts';
import { objectsOf } from '../rules/refs.ts';
import { repositoryAt } from '../rules/repositories.ts';
import { requireViewer } from '../rules/viewer.ts';
import { tagView } from '../views/git.ts';
import { placeOf } from '../views/issues.ts';
import { cleaned, located, objectHome, person } from './git-objects.ts';
import { REPOSITORY } from './repositories.ts';

const createAnnotatedTag = operation({
  id: 'git/create-tag',
  summary: 'Keeps an annotated tag; a ref must name it yet.',
  effect: 'write',
  http: { method: 'POST', path: '/repos/{owner}/{repo}/git/tags', status: 201 },
  input: z.looseObject({
    ...REPOSITORY,
    tag: z.string(),
    message: z.string(),
    object: z.string(),
    type: z.enum(['commit', 'tree', 'blob']),
    tagger: person,
  }),
  output: shown('sha', 'tag'),
  example: {
    owner: 'octo-works',
    repo: 'lamp',
    tag: 'v2.0.0',
    message: 'Two',
    object: '510fb7830815143bd825087477f14c8f53997460',
    type: 'commit',
  },
  run(ctx, input) {
    const repository = objectHome(ctx, input);
    const { tag, message, object, type } = input;
    if (objectsOf(ctx).get(object)?.kind !== type) {
      ctx.fail('unprocessable', { message: 'Object SHA does not exist or is not the given type' });
    }
    const tagger = { ...signatureOf(ctx, requireViewer(ctx)), ...cleaned(input.tagger) };
    const sha = createTag(gitStore(ctx.tx), { tag, message, object, type, tagger });
    const made = objectsOf(ctx).get(sha);
    if (made?.kind !== 'tag') return ctx.fail('not_found');
    return located(ctx, tagView(placeOf(ctx, repository), sha, made));
  },
});

const getAnnotatedTag = operation({
  id: 'git/get-tag',
  summary: 'Reads an annotated tag by its hash.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/git/tags/{tag_sha}' },
  input: z.looseObject({ ...REPOSITORY, tag_sha: z.string() }),
  output: shown('sha', 'tag'),
  example: { owner: 'octo-works', repo: 'lamp', tag_sha: '513179e1d1ee3ee50efceb9888e5d4d780003d58' },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    const tag = objectsOf(ctx).get(input.tag_sha);
    if (tag?.kind !== 'tag') return ctx.fail('not_found');
    return tagView(placeOf(ctx, repository), input.tag_sha, tag);
  },
});

export const gitTagOperations = [createAnnotatedTag, getAnnotatedTag];
