import { z } from 'zod';
import type { JsonObject, Operation } from '../../../service/index.ts';
import { operation, type Reading } from '../operation.ts';
import { listOf, shown } from '../output.ts';
import { membershipOf } from '../rules/organizations.ts';
import { PAGE, type PageInput, paged, pageOf } from '../rules/paging.ts';
import { repositoryAt, roleIn } from '../rules/repositories.ts';
import { accountNamed, organizationNamed, viewerOf } from '../rules/viewer.ts';
import type { Account } from '../schema/accounts.ts';
import type { FeedEvent } from '../schema/activity.ts';
import { ownerOf } from '../views/repositories.ts';
import { API, fullName, WEB } from '../views/urls.ts';

const EVENT = listOf('id', 'type', 'actor', 'repo', 'payload');
const USER = { username: z.string() };
/** How many seconds to wait before asking again. */
const POLL_SECONDS = '60';

function actorView(account: Account): JsonObject {
  return {
    id: account.id,
    login: account.login,
    ...(account.type !== 'Organization' && { display_login: account.login }),
    gravatar_id: '',
    url: `${API}/${account.type === 'Organization' ? 'orgs' : 'users'}/${account.login}`,
    avatar_url: `https://avatars.githubusercontent.com/u/${account.id}?`,
  };
}

function eventView({ tx }: Reading, event: FeedEvent): JsonObject {
  const actor = event.actor_id === null ? undefined : tx.accounts.get(event.actor_id);
  const repository = event.repository_id === null ? undefined : tx.repositories.get(event.repository_id);
  const owner = repository && tx.accounts.get(repository.owner_id);
  const org = event.org_id === null ? undefined : tx.accounts.get(event.org_id);
  const name = repository && owner ? fullName(owner, repository) : '';
  return {
    id: String(event.id),
    type: event.type,
    actor: actor ? actorView(actor) : null,
    repo: { id: event.repository_id ?? 0, name, url: `${API}/repos/${name}` },
    payload: event.payload,
    public: event.public,
    created_at: event.created_at,
    ...(org && { org: actorView(org) }),
  };
}

/** A page of a feed, the newest first; what the caller may not see is left out. */
function feed(
  ctx: Reading,
  input: PageInput,
  { events, path, publicOnly }: { events: Iterable<FeedEvent>; path: string; publicOnly: boolean },
): JsonObject[] {
  const items = [...events].filter((event) => {
    if (event.public) return true;
    const repository =
      event.repository_id === null ? undefined : ctx.tx.repositories.get(event.repository_id);
    return !publicOnly && repository !== undefined && roleIn(ctx, repository) !== null;
  });
  const { page, size } = pageOf(input);
  const newest = items[(page - 1) * size]?.created_at;
  ctx.reply({
    headers: {
      'x-poll-interval': POLL_SECONDS,
      ...(newest !== undefined && { 'last-modified': new Date(newest).toUTCString() }),
    },
  });
  return paged(ctx, input, { items, path, show: (event) => eventView(ctx, event) });
}

const NEWEST = { reverse: true } as const;

const listPublic = operation({
  id: 'activity/list-public-events',
  summary: 'Lists what happened in public.',
  effect: 'read',
  http: { method: 'GET', path: '/events' },
  input: z.looseObject(PAGE),
  output: EVENT,
  example: {},
  run: (ctx, input) =>
    feed(ctx, input, { events: ctx.tx.events.scan(NEWEST), path: '/events', publicOnly: true }),
});

function ofRepository(id: string, path: string, rest: string): Operation {
  return operation({
    id,
    summary: 'Lists what happened in a repository.',
    effect: 'read',
    http: { method: 'GET', path },
    input: z.looseObject({ owner: z.string(), repo: z.string(), ...PAGE }),
    output: EVENT,
    example: { owner: 'octo-works', repo: 'lamp' },
    run(ctx, input) {
      const repository = repositoryAt(ctx, input);
      const events = ctx.tx.events.by('by_repository', [repository.id], NEWEST);
      const network = `/networks/${fullName(ownerOf(ctx, repository), repository)}/events`;
      const at = rest === '' ? network : `/repositories/${repository.id}${rest}`;
      return feed(ctx, input, { events, path: at, publicOnly: false });
    },
  });
}

function ofUser(id: string, rest: string, publicOnly: boolean): Operation {
  const received = rest.startsWith('/received');
  return operation({
    id,
    summary: received ? 'Lists what somebody was told of.' : 'Lists what somebody did.',
    effect: 'read',
    http: { method: 'GET', path: `/users/{username}${rest}` },
    input: z.looseObject({ ...USER, ...PAGE }),
    output: EVENT,
    example: { username: 'mona' },
    run(ctx, input) {
      const account = accountNamed(ctx, input.username);
      const events = received ? receivedBy(ctx, account) : ctx.tx.events.by('by_actor', [account.id], NEWEST);
      const own = viewerOf(ctx)?.id === account.id;
      return feed(ctx, input, { events, path: `/user/${account.id}${rest}`, publicOnly: publicOnly || !own });
    },
  });
}

/** What happened in repositories that somebody watches, and what people did whom they follow. */
function receivedBy(ctx: Reading, { id }: Account): readonly FeedEvent[] {
  return [...ctx.tx.events.scan(NEWEST)].filter(
    ({ actor_id, repository_id }) =>
      actor_id !== id &&
      ((actor_id !== null && ctx.tx.follows.has([id, actor_id])) ||
        (repository_id !== null && ctx.tx.subscriptions.get([id, repository_id])?.subscribed === true)),
  );
}

const ofOrganization = operation({
  id: 'activity/list-public-org-events',
  summary: 'Lists what happened in public in an organisation.',
  effect: 'read',
  http: { method: 'GET', path: '/orgs/{org}/events' },
  input: z.looseObject({ org: z.string(), ...PAGE }),
  output: EVENT,
  example: { org: 'octo-works' },
  run(ctx, input) {
    const org = organizationNamed(ctx, input.org);
    const events = ctx.tx.events.by('by_org', [org.id], NEWEST);
    return feed(ctx, input, { events, path: `/organizations/${org.id}/events`, publicOnly: true });
  },
});

const ofOwnOrganization = operation({
  id: 'activity/list-org-events-for-authenticated-user',
  summary: 'Lists what happened in an organisation that the caller is in.',
  effect: 'read',
  http: { method: 'GET', path: '/users/{username}/events/orgs/{org}' },
  input: z.looseObject({ ...USER, org: z.string(), ...PAGE }),
  output: EVENT,
  example: { username: 'mona', org: 'octo-works' },
  run(ctx, input) {
    const account = accountNamed(ctx, input.username);
    const org = organizationNamed(ctx, input.org);
    if (viewerOf(ctx)?.id !== account.id || !membershipOf(ctx, org)) ctx.fail('not_found');
    const events = ctx.tx.events.by('by_org', [org.id], NEWEST);
    return feed(ctx, input, {
      events,
      path: `/user/${account.id}/events/orgs/${org.login}`,
      publicOnly: false,
    });
  },
});

const ATOM = 'application/atom+xml';

const getFeeds = operation({
  id: 'activity/get-feeds',
  summary: 'Lists the addresses of Atom feeds.',
  effect: 'read',
  http: { method: 'GET', path: '/feeds' },
  input: z.looseObject({}),
  output: shown('timeline_url', 'user_url', '_links'),
  example: {},
  run(ctx) {
    const viewer = viewerOf(ctx);
    const feeds: Record<string, string> = { timeline: `${WEB}/timeline`, user: `${WEB}/{user}` };
    if (viewer) {
      const own = `${WEB}/${viewer.login}`;
      Object.assign(feeds, {
        current_user_public: own,
        current_user: `${own}.private.atom`,
        current_user_actor: `${own}.private.actor.atom`,
        security_advisories: `${WEB}/security-advisories`,
      });
    }
    const links = Object.entries(feeds).map(([name, href]) => [name, { href, type: ATOM }]);
    const urls = Object.entries(feeds).map(([name, href]) => [`${name}_url`, href]);
    return { ...Object.fromEntries(urls), _links: Object.fromEntries(links) } as JsonObject;
  },
});

export const eventOperations: readonly Operation[] = [
  listPublic,
  ofRepository('activity/list-repo-events', '/repos/{owner}/{repo}/events', '/events'),
  ofRepository('activity/list-public-events-for-repo-network', '/networks/{owner}/{repo}/events', ''),
  ofUser('activity/list-events-for-authenticated-user', '/events', false),
  ofUser('activity/list-public-events-for-user', '/events/public', true),
  ofUser('activity/list-received-events-for-user', '/received_events', false),
  ofUser('activity/list-received-public-events-for-user', '/received_events/public', true),
  ofOrganization,
  ofOwnOrganization,
  getFeeds,
];
