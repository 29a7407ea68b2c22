import { z } from 'zod';
import type { JsonObject } from '../../../service/index.ts';
import { momentText } from '../moments.ts';
import { operation, type Writing } from '../operation.ts';
import { listOf, nothing, shown } from '../output.ts';
import { freshId } from '../rules/ids.ts';
import { PAGE, paged } from '../rules/paging.ts';
import { dropReactions } from '../rules/reactions.ts';
import { findCommit, isEmpty, isWellFormed, refNamed } from '../rules/refs.ts';
import {
  commitMoment,
  generatedNotes,
  latestOf,
  makeTag,
  markLatest,
  releaseAt,
  releasesOf,
} from '../rules/releases.ts';
import { repositoryAt, requireRole } from '../rules/repositories.ts';
import { requireViewer } from '../rules/viewer.ts';
import type { Release } from '../schema/releases.ts';
import type { Repository } from '../schema/repositories.ts';
import { placeOf } from '../views/issues.ts';
import { releaseView } from '../views/releases.ts';
import { numberedPath } from '../views/repositories.ts';
import { REPOSITORY, writableRepository } from './repositories.ts';

const RELEASE = shown('id', 'tag_name', 'assets');
export const RELEASE_PLACE = { ...REPOSITORY, release_id: z.int() };

const WISH = {
  target_commitish: z.string().nullish(),
  name: z.string().nullish(),
  body: z.string().nullish(),
  draft: z.boolean().nullish(),
  prerelease: z.boolean().nullish(),
  discussion_category_name: z.string().nullish(),
  make_latest: z.enum(['true', 'false', 'legacy']).optional(),
};

const list = operation({
  id: 'repos/list-releases',
  summary: 'Lists releases, the youngest first.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/releases' },
  input: z.looseObject({ ...REPOSITORY, ...PAGE }),
  output: listOf('id', 'tag_name'),
  example: { owner: 'octo-works', repo: 'lamp' },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    const place = placeOf(ctx, repository);
    const items = releasesOf(ctx, repository);
    const path = numberedPath(repository, '/releases');
    return paged(ctx, input, { items, path, show: (release) => releaseView(ctx, place, release) });
  },
});

/** The repository of a call that makes or changes releases: those who may not push don't see them. */
function releaseHome(ctx: Writing, input: { owner: string; repo: string }): Repository {
  const repository = writableRepository(ctx, input);
  requireRole(ctx, repository, 'write');
  return repository;
}

const create = operation({
  id: 'repos/create-release',
  summary: 'Makes a release, and its tag where there is none.',
  effect: 'write',
  http: { method: 'POST', path: '/repos/{owner}/{repo}/releases', status: 201 },
  input: z.looseObject({
    ...REPOSITORY,
    tag_name: z.string(),
    ...WISH,
    generate_release_notes: z.boolean().nullish(),
  }),
  output: RELEASE,
  example: { owner: 'octo-works', repo: 'lamp', tag_name: 'v1.1.0', name: 'One point one' },
  run(ctx, input) {
    const repository = releaseHome(ctx, input);
    const { tag_name: tag } = input;
    const target = input.target_commitish || repository.default_branch;
    const discussion_number = discussionFor(ctx, repository, input.discussion_category_name);
    requireTag(ctx, repository, { tag, target });
    const notes = input.generate_release_notes
      ? generatedNotes(ctx, repository, { web: placeOf(ctx, repository).web, tag, previous: undefined })
      : undefined;
    const moment = momentText(ctx.nowMs);
    const draft = input.draft === true;
    const text = [input.body, notes?.body].filter((part) => part).join('\n\n');
    const inserted = ctx.tx.releases.insert({
      id: freshId(ctx, 'releases'),
      repository_id: repository.id,
      author_id: requireViewer(ctx).id,
      tag_name: tag,
      target_commitish: target,
      name: input.name ?? notes?.name ?? null,
      body: notes ? text : (input.body ?? null),
      draft,
      prerelease: input.prerelease === true,
      discussion_number,
      marked_latest: false,
      never_latest: false,
      created_at: commitMoment(ctx, repository, { tag, target }),
      updated_at: moment,
      published_at: draft ? null : moment,
    });
    makeTag(ctx, repository, inserted);
    const view = releaseView(ctx, placeOf(ctx, repository), markLatest(ctx, inserted, input.make_latest));
    ctx.reply({ facts: { location: view.url ?? null } });
    return view;
  },
});

/** A tag has one published release; a new tag needs a commit to name. */
function requireTag(
  ctx: Writing,
  repository: Repository,
  { tag, target }: { readonly tag: string; readonly target: string },
): void {
  const problem = (code: string, field: string): JsonObject => ({ resource: 'Release', code, field });
  if (tag === '') ctx.fail('validation_failed', { errors: [problem('missing_field', 'tag_name')] });
  if (!isWellFormed(`refs/tags/${tag}`)) {
    const words = ['tag_name is not a valid tag', 'tag_name is not well-formed'];
    const errors = words.map((message) => ({ ...problem('custom', 'tag_name'), message }));
    const unpublished = {
      resource: 'Release',
      code: 'custom',
      message: 'Published releases must have a valid tag',
    };
    ctx.fail('validation_failed', { errors: [...errors, unpublished] });
  }
  const taken = [...ctx.tx.releases.by('by_tag', [repository.id, tag])].some(({ draft }) => !draft);
  if (taken) ctx.fail('validation_failed', { errors: [problem('already_exists', 'tag_name')] });
  if (refNamed(ctx, repository, `refs/tags/${tag}`)) return;
  if (isEmpty(ctx, repository)) {
    const errors = [{ ...problem('custom', 'tag_name'), message: 'Repository is empty.' }];
    ctx.fail('validation_failed', { errors });
  }
  if (findCommit(ctx, repository, target) === undefined) {
    ctx.fail('validation_failed', { errors: [problem('invalid', 'target_commitish')] });
  }
}

/** The categories that every repository with discussions starts with. */
const CATEGORIES = ['announcements', 'general', 'ideas', 'polls', 'q&a', 'show and tell'];

/** The number of the discussion that a release opens; it is one of the sequence of issues and pulls. */
function discussionFor(
  ctx: Writing,
  repository: Repository,
  category: string | null | undefined,
): number | null {
  if (category === undefined || category === null) return null;
  if (!repository.has_discussions || !CATEGORIES.includes(category.toLowerCase())) {
    const message = 'Discussion could not be created. Make sure you passed a valid category name.';
    return ctx.fail('absent', { message });
  }
  const number = repository.next_number;
  ctx.tx.repositories.update(repository.id, { next_number: number + 1 });
  return number;
}

const get = operation({
  id: 'repos/get-release',
  summary: 'Reads a release.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/releases/{release_id}' },
  input: z.looseObject(RELEASE_PLACE),
  output: RELEASE,
  example: { owner: 'octo-works', repo: 'lamp', release_id: 310_000_001 },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    return single(ctx, repository, releaseAt(ctx, repository, input.release_id));
  },
});

/** A single release says when it was published, not when it was changed. */
function single(
  ctx: Parameters<typeof releaseView>[0],
  repository: Repository,
  release: Release,
): JsonObject {
  ctx.reply({ facts: { modified: release.published_at ?? release.created_at } });
  return releaseView(ctx, placeOf(ctx, repository), release);
}

const getLatest = operation({
  id: 'repos/get-latest-release',
  summary: 'Reads the latest full release.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/releases/latest' },
  input: z.looseObject(REPOSITORY),
  output: RELEASE,
  example: { owner: 'octo-works', repo: 'lamp' },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    return single(ctx, repository, latestOf(ctx, repository) ?? ctx.fail('not_found'));
  },
});

const getByTag = operation({
  id: 'repos/get-release-by-tag',
  summary: 'Reads the published release of a tag.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/releases/tags/{tag}' },
  input: z.looseObject({ ...REPOSITORY, tag: z.string() }),
  output: RELEASE,
  example: { owner: 'octo-works', repo: 'lamp', tag: 'v1.0.0' },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    const found = [...ctx.tx.releases.by('by_tag', [repository.id, input.tag])].find(({ draft }) => !draft);
    return single(ctx, repository, found ?? ctx.fail('not_found'));
  },
});

const update = operation({
  id: 'repos/update-release',
  summary: 'Changes a release; publishes it when it is no draft any more.',
  effect: 'write',
  http: { method: 'PATCH', path: '/repos/{owner}/{repo}/releases/{release_id}' },
  input: z.looseObject({ ...RELEASE_PLACE, tag_name: z.string().optional(), ...WISH }),
  output: RELEASE,
  example: { owner: 'octo-works', repo: 'lamp', release_id: 310_000_001, body: 'Dims by ten per cent.' },
  run(ctx, input) {
    const repository = releaseHome(ctx, input);
    const before = releaseAt(ctx, repository, input.release_id);
    const tag = input.tag_name ?? before.tag_name;
    const target = input.target_commitish ?? before.target_commitish;
    if (tag !== before.tag_name) requireTag(ctx, repository, { tag, target });
    const draft = input.draft ?? before.draft;
    const moment = momentText(ctx.nowMs);
    const discussion = input.discussion_category_name;
    const changed = ctx.tx.releases.update(before.id, {
      tag_name: tag,
      target_commitish: target,
      ...(input.name !== undefined && { name: input.name }),
      ...(input.body !== undefined && { body: input.body }),
      draft,
      prerelease: input.prerelease ?? before.prerelease,
      discussion_number: before.discussion_number ?? discussionFor(ctx, repository, discussion),
      updated_at: moment,
      published_at: draft ? before.published_at : (before.published_at ?? moment),
      created_at:
        tag === before.tag_name ? before.created_at : commitMoment(ctx, repository, { tag, target }),
    });
    makeTag(ctx, repository, changed);
    return releaseView(ctx, placeOf(ctx, repository), markLatest(ctx, changed, input.make_latest));
  },
});

const remove = operation({
  id: 'repos/delete-release',
  summary: 'Deletes a release with its assets; its tag stays.',
  effect: 'write',
  http: { method: 'DELETE', path: '/repos/{owner}/{repo}/releases/{release_id}', status: 204 },
  input: z.looseObject(RELEASE_PLACE),
  output: nothing,
  example: { owner: 'octo-works', repo: 'lamp', release_id: 310_000_001 },
  run(ctx, input) {
    const repository = releaseHome(ctx, input);
    const release = releaseAt(ctx, repository, input.release_id);
    dropReactions(ctx, 'release', release.id);
    ctx.tx.releases.delete(release.id);
    return null;
  },
});

const generateNotes = operation({
  id: 'repos/generate-release-notes',
  summary: 'Proposes a name and a text for a release; keeps nothing.',
  effect: 'read',
  http: { method: 'POST', path: '/repos/{owner}/{repo}/releases/generate-notes' },
  input: z.looseObject({
    ...REPOSITORY,
    tag_name: z.string(),
    target_commitish: z.string().optional(),
    previous_tag_name: z.string().optional(),
  }),
  output: shown('name', 'body'),
  example: { owner: 'octo-works', repo: 'lamp', tag_name: 'v1.1.0' },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    requireRole(ctx, repository, 'write');
    const { web } = placeOf(ctx, repository);
    return {
      ...generatedNotes(ctx, repository, { web, tag: input.tag_name, previous: input.previous_tag_name }),
    };
  },
});

export const releaseOperations = [list, create, getLatest, getByTag, get, update, remove, generateNotes];
