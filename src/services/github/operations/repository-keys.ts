import { z } from 'zod';
import type { JsonObject } from '../../../service/index.ts';
import { momentText } from '../moments.ts';
import { operation, type Reading } from '../operation.ts';
import { listOf, nothing, shown } from '../output.ts';
import { freshId } from '../rules/ids.ts';
import { PAGE, paged } from '../rules/paging.ts';
import { repositoryAt, requireRole } from '../rules/repositories.ts';
import { requireViewer } from '../rules/viewer.ts';
import type { Repository } from '../schema/repositories.ts';
import type { Autolink, DeployKey } from '../schema/repository-parts.ts';
import { type Place, placeOf } from '../views/issues.ts';
import { numberedPath } from '../views/repositories.ts';
import { REPOSITORY } from './repositories.ts';

function keyView({ url }: Place, key: DeployKey): JsonObject {
  return {
    id: key.id,
    key: key.key,
    url: `${url}/keys/${key.id}`,
    title: key.title,
    verified: key.verified,
    created_at: key.created_at,
    read_only: key.read_only,
    last_used: key.last_used,
    added_by: key.added_by,
    enabled: true,
  };
}

/** A repository for those who administer it: to all others its keys and links are not there. */
function administered(ctx: Reading, input: { owner: string; repo: string }): Repository {
  const repository = repositoryAt(ctx, input);
  requireRole(ctx, repository, 'admin');
  return repository;
}

const KEY = shown('id', 'key', 'title');
const KEY_PLACE = { ...REPOSITORY, key_id: z.int() };

const listKeys = operation({
  id: 'repos/list-deploy-keys',
  summary: 'Lists the deploy keys of a repository.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/keys' },
  input: z.looseObject({ ...REPOSITORY, ...PAGE }),
  output: listOf('id', 'key'),
  example: { owner: 'octo-works', repo: 'lamp' },
  run(ctx, input) {
    const repository = administered(ctx, input);
    const place = placeOf(ctx, repository);
    const items = [...ctx.tx.deploy_keys.by('by_repository', [repository.id])];
    const path = numberedPath(repository, '/keys');
    return paged(ctx, input, { items, path, show: (key) => keyView(place, key) });
  },
});

const createKey = operation({
  id: 'repos/create-deploy-key',
  summary: 'Lets a key read a repository, or write to it too.',
  effect: 'write',
  http: { method: 'POST', path: '/repos/{owner}/{repo}/keys', status: 201 },
  input: z.looseObject({
    ...REPOSITORY,
    title: z.string().optional(),
    key: z.string(),
    read_only: z.boolean().nullish(),
  }),
  output: KEY,
  example: { owner: 'octo-works', repo: 'lamp', title: 'press', key: 'ssh-ed25519 example-key-of-the-press' },
  run(ctx, input) {
    const repository = administered(ctx, input);
    const { key, title = '', read_only } = input;
    const problem = (message: string): JsonObject[] => [
      { resource: 'PublicKey', code: 'custom', field: 'key', message },
    ];
    if (key.trim() === '') {
      ctx.fail('validation_failed', {
        errors: problem('key is invalid. You must supply a key in OpenSSH public key format'),
      });
    }
    if (isUsed(ctx, key)) ctx.fail('validation_failed', { errors: problem('key is already in use') });
    const kept = ctx.tx.deploy_keys.insert({
      id: freshId(ctx, 'deploy_keys'),
      repository_id: repository.id,
      title,
      key: bareKey(key),
      read_only: read_only ?? false,
      verified: true,
      added_by: requireViewer(ctx).login,
      last_used: null,
      created_at: momentText(ctx.nowMs),
    });
    const view = keyView(placeOf(ctx, repository), kept);
    ctx.reply({ facts: { location: view.url ?? null } });
    return view;
  },
});

/** A key without the comment behind it. */
function bareKey(key: string): string {
  return key.trim().split(/\s+/u).slice(0, 2).join(' ');
}

/** A key opens one repository alone. */
function isUsed(ctx: Reading, key: string): boolean {
  const bare = bareKey(key);
  for (const known of ctx.tx.deploy_keys.scan()) if (known.key === bare) return true;
  return false;
}

function keyAt(ctx: Reading, input: { owner: string; repo: string; key_id: number }) {
  const repository = administered(ctx, input);
  const key = ctx.tx.deploy_keys.get(input.key_id);
  return key?.repository_id === repository.id ? { repository, key } : ctx.fail('not_found');
}

const getKey = operation({
  id: 'repos/get-deploy-key',
  summary: 'Reads a deploy key.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/keys/{key_id}' },
  input: z.looseObject(KEY_PLACE),
  output: KEY,
  example: { owner: 'octo-works', repo: 'lamp', key_id: 140_000_001 },
  run(ctx, input) {
    const { repository, key } = keyAt(ctx, input);
    return keyView(placeOf(ctx, repository), key);
  },
});

const deleteKey = operation({
  id: 'repos/delete-deploy-key',
  summary: 'Takes a deploy key away.',
  effect: 'write',
  http: { method: 'DELETE', path: '/repos/{owner}/{repo}/keys/{key_id}', status: 204 },
  input: z.looseObject(KEY_PLACE),
  output: nothing,
  example: { owner: 'octo-works', repo: 'lamp', key_id: 140_000_001 },
  run(ctx, input) {
    ctx.tx.deploy_keys.delete(keyAt(ctx, input).key.id);
    return null;
  },
});

function linkView({ id, key_prefix, url_template, is_alphanumeric }: Autolink): JsonObject {
  return { id, key_prefix, url_template, is_alphanumeric };
}

const LINK = shown('id', 'key_prefix', 'url_template');
const LINK_PLACE = { ...REPOSITORY, autolink_id: z.int() };

const listLinks = operation({
  id: 'repos/list-autolinks',
  summary: 'Lists which words of a repository become links.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/autolinks' },
  input: z.looseObject(REPOSITORY),
  output: listOf('id', 'key_prefix'),
  example: { owner: 'octo-works', repo: 'lamp' },
  run(ctx, input) {
    const repository = administered(ctx, input);
    return [...ctx.tx.autolinks.by('by_repository', [repository.id])].map(linkView);
  },
});

const createLink = operation({
  id: 'repos/create-autolink',
  summary: 'Makes words of a prefix links to somewhere.',
  effect: 'write',
  http: { method: 'POST', path: '/repos/{owner}/{repo}/autolinks', status: 201 },
  input: z.looseObject({
    ...REPOSITORY,
    key_prefix: z.string(),
    url_template: z.string(),
    is_alphanumeric: z.boolean().optional(),
  }),
  output: LINK,
  example: {
    owner: 'octo-works',
    repo: 'lamp',
    key_prefix: 'LAMP-',
    url_template: 'https://tickets.octo-works.example/<num>',
  },
  run(ctx, input) {
    const repository = administered(ctx, input);
    const { key_prefix, url_template, is_alphanumeric = true } = input;
    const problem = (field: string, message: string): JsonObject[] => [
      { resource: 'KeyLink', code: 'custom', field, message },
    ];
    if (!url_template.includes('<num>')) {
      const message = 'url_template must contain <num> as a placeholder';
      ctx.fail('validation_failed', { errors: problem('url_template', message) });
    }
    if (ctx.tx.autolinks.unique('by_prefix', [repository.id, key_prefix])) {
      ctx.fail('validation_failed', {
        errors: [{ resource: 'KeyLink', code: 'already_exists', field: 'key_prefix' }],
      });
    }
    return linkView(
      ctx.tx.autolinks.insert({
        id: freshId(ctx, 'autolinks'),
        repository_id: repository.id,
        key_prefix,
        url_template,
        is_alphanumeric,
      }),
    );
  },
});

function linkAt(ctx: Reading, input: { owner: string; repo: string; autolink_id: number }): Autolink {
  const repository = administered(ctx, input);
  const link = ctx.tx.autolinks.get(input.autolink_id);
  return link?.repository_id === repository.id ? link : ctx.fail('not_found');
}

const getLink = operation({
  id: 'repos/get-autolink',
  summary: 'Reads which words of a prefix become links.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/autolinks/{autolink_id}' },
  input: z.looseObject(LINK_PLACE),
  output: LINK,
  example: { owner: 'octo-works', repo: 'lamp', autolink_id: 9_000_001 },
  run: (ctx, input) => linkView(linkAt(ctx, input)),
});

const deleteLink = operation({
  id: 'repos/delete-autolink',
  summary: 'Lets words of a prefix be words again.',
  effect: 'write',
  http: { method: 'DELETE', path: '/repos/{owner}/{repo}/autolinks/{autolink_id}', status: 204 },
  input: z.looseObject(LINK_PLACE),
  output: nothing,
  example: { owner: 'octo-works', repo: 'lamp', autolink_id: 9_000_001 },
  run(ctx, input) {
    ctx.tx.autolinks.delete(linkAt(ctx, input).id);
    return null;
  },
});

export const repositoryKeyOperations = [
  listKeys,
  createKey,
  getKey,
  deleteKey,
  listLinks,
  createLink,
  getLink,
  deleteLink,
];
