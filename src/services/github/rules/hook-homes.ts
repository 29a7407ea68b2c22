import { z } from 'zod';
import type { JsonObject } from '../../../service/index.ts';
import type { Reading, Writing } from '../operation.ts';
import type { Hook } from '../schema/hooks.ts';
import { hookView } from '../views/hooks.ts';
import { ownerOf } from '../views/repositories.ts';
import { API, fullName } from '../views/urls.ts';
import { deliver } from './hooks.ts';
import { idOf } from './ids.ts';
import { requireHiddenOwner } from './organizations.ts';
import { repositoryAt, roleIn } from './repositories.ts';
import type { PlaceInput } from './secrets.ts';
import { organizationNamed } from './viewer.ts';

/** The thing that hooks are on. */
export interface HookHome {
  readonly repository_id: number | null;
  readonly org_id: number | null;
  /** Where its hooks are in the API, by name and by number. */
  readonly url: string;
  readonly path: string;
}

/** A kind of things with hooks. */
export interface HookForm {
  readonly area: 'repos' | 'orgs';
  readonly path: string;
  readonly inputs: Readonly<Record<string, z.ZodType>>;
  readonly example: JsonObject;
  readonly hook: number;
  readonly configSuffix: string;
  readonly open: (ctx: Reading, input: PlaceInput) => HookHome;
}

/** Hooks are for those who administer the thing; nobody else learns that there are any. */
export const OF_REPOSITORY: HookForm = {
  area: 'repos',
  path: '/repos/{owner}/{repo}/hooks',
  inputs: { owner: z.string(), repo: z.string() },
  example: { owner: 'octo-works', repo: 'lamp' },
  hook: 550_000_001,
  configSuffix: 'repo',
  open(ctx, input) {
    const repository = repositoryAt(ctx, { owner: String(input.owner), repo: String(input.repo) });
    if (roleIn(ctx, repository) !== 'admin') ctx.fail('not_found');
    return {
      repository_id: repository.id,
      org_id: null,
      url: `${API}/repos/${fullName(ownerOf(ctx, repository), repository)}/hooks`,
      path: `/repositories/${repository.id}/hooks`,
    };
  },
};

export const OF_ORGANIZATION: HookForm = {
  area: 'orgs',
  path: '/orgs/{org}/hooks',
  inputs: { org: z.string() },
  example: { org: 'octo-works' },
  hook: 550_000_002,
  configSuffix: 'org',
  open(ctx, input) {
    const org = organizationNamed(ctx, String(input.org));
    requireHiddenOwner(ctx, org);
    const url = `${API}/orgs/${org.login}/hooks`;
    return { repository_id: null, org_id: org.id, url, path: `/organizations/${org.id}/hooks` };
  },
};

export const HOOK_NUMBER = { hook_id: z.union([z.int(), z.string()]) };
export const HOOK_CONFIG = z.looseObject({
  url: z.string().optional(),
  content_type: z.string().optional(),
  secret: z.string().optional(),
  insecure_ssl: z.union([z.string(), z.number()]).optional(),
});

export function hooksOf(ctx: Reading, { repository_id, org_id }: HookHome): readonly Hook[] {
  return repository_id === null
    ? [...ctx.tx.hooks.by('by_org', [org_id])]
    : [...ctx.tx.hooks.by('by_repository', [repository_id])];
}

export function hookAt(ctx: Reading, home: HookHome, id: unknown): Hook {
  const hook = ctx.tx.hooks.get(idOf(id));
  const isThere = hook?.repository_id === home.repository_id && hook.org_id === home.org_id;
  return isThere && hook ? hook : ctx.fail('not_found');
}

export function viewOfHook(hook: Hook, home: HookHome): JsonObject {
  return hookView(hook, `${home.url}/${hook.id}`);
}

/** Tells a hook that it is there. */
export function pingHook(ctx: Writing, hook: Hook, home: HookHome): void {
  const payload = { zen: 'Keep it logically awesome.', hook_id: hook.id, hook: viewOfHook(hook, home) };
  deliver(ctx, hook, { event: 'ping', payload: payload as JsonObject });
}
