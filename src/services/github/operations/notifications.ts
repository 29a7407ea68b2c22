import { z } from 'zod';
import type { JsonObject } from '../../../service/index.ts';
import { momentText } from '../moments.ts';
import { operation, type Reading, type Writing } from '../operation.ts';
import { listOf, nothing, shown } from '../output.ts';
import { PAGE, paged } from '../rules/paging.ts';
import { repositoryAt } from '../rules/repositories.ts';
import { requireViewer } from '../rules/viewer.ts';
import type { Notification } from '../schema/notifications.ts';
import { numberedPath, ownerOf, simpleRepository } from '../views/repositories.ts';
import { API } from '../views/urls.ts';
import { REPOSITORY } from './repositories.ts';

const FILTERS = {
  all: z.boolean().optional(),
  participating: z.boolean().optional(),
  since: z.string().optional(),
  before: z.string().optional(),
};
/** How many a page of notifications has unless told otherwise, and how often one may ask, in seconds. */
const PAGE_SIZE = 50;
const POLL_INTERVAL = { 'x-poll-interval': '60' };

function threadView(ctx: Reading, thread: Notification): JsonObject {
  const repository = ctx.tx.repositories.get(thread.repository_id) ?? ctx.fail('not_found');
  const url = `${API}/notifications/threads/${thread.id}`;
  return {
    id: String(thread.id),
    unread: thread.unread,
    reason: thread.reason,
    updated_at: thread.updated_at,
    last_read_at: thread.last_read_at,
    subject: thread.subject,
    repository: simpleRepository(ownerOf(ctx, repository), repository),
    url,
    subscription_url: `${url}/subscription`,
  };
}

type Filters = Partial<z.infer<z.ZodObject<typeof FILTERS>>>;

/** The caller's threads that a list shows, the newest first. */
function threadsOf(ctx: Reading, { all, participating, since, before }: Filters): Notification[] {
  const { id } = requireViewer(ctx);
  return [...ctx.tx.notifications.by('by_user', [id], { reverse: true })].filter(
    (thread) =>
      (all === true || thread.unread) &&
      (participating !== true || thread.reason !== 'subscribed') &&
      (since === undefined || Date.parse(thread.updated_at) >= Date.parse(since)) &&
      (before === undefined || Date.parse(thread.updated_at) < Date.parse(before)),
  );
}

/** A condition that is no date is refused here, where others take no notice of it. */
function requireDate(ctx: Reading): void {
  const since = ctx.headers['if-modified-since'];
  if (since === undefined || !Number.isNaN(Date.parse(since))) return;
  const message =
    'Unable to parse If-Modified-Since request header. Please make sure value is in an acceptable format.';
  ctx.fail('unprocessable', { message });
}

const listNotifications = operation({
  id: 'activity/list-notifications-for-authenticated-user',
  summary: "Lists the caller's notifications, the unread ones unless all are asked for.",
  effect: 'read',
  http: { method: 'GET', path: '/notifications' },
  input: z.looseObject({ ...FILTERS, ...PAGE }),
  output: listOf('id', 'unread', 'subject'),
  example: { all: true },
  run(ctx, input) {
    requireDate(ctx);
    const items = threadsOf(ctx, input);
    const view = paged(
      ctx,
      { ...input, per_page: input.per_page ?? PAGE_SIZE },
      {
        items,
        path: '/notifications',
        show: (thread) => threadView(ctx, thread),
      },
    );
    ctx.reply({ headers: POLL_INTERVAL, facts: { modified: view[0]?.updated_at ?? null } });
    return view;
  },
});

const listForRepository = operation({
  id: 'activity/list-repo-notifications-for-authenticated-user',
  summary: "Lists the caller's notifications of one repository.",
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/notifications' },
  input: z.looseObject({ ...REPOSITORY, ...FILTERS, ...PAGE }),
  output: listOf('id', 'unread', 'subject'),
  example: { owner: 'octo-works', repo: 'lamp', all: true },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    const items = threadsOf(ctx, input).filter((thread) => thread.repository_id === repository.id);
    ctx.reply({ headers: POLL_INTERVAL });
    const path = numberedPath(repository, '/notifications');
    return paged(ctx, input, { items, path, show: (thread) => threadView(ctx, thread) });
  },
});

/** Marks threads as read that were last updated before a moment. */
function markRead(ctx: Writing, threads: readonly Notification[], until: string | undefined): void {
  const now = momentText(ctx.nowMs);
  for (const thread of threads) {
    if (until !== undefined && Date.parse(thread.updated_at) > Date.parse(until)) continue;
    ctx.tx.notifications.update(thread.id, { unread: false, last_read_at: now });
  }
}

const LAST_READ = { last_read_at: z.string().optional(), read: z.boolean().optional() };

const markAllRead = operation({
  id: 'activity/mark-notifications-as-read',
  summary: "Marks all of the caller's notifications as read.",
  effect: 'write',
  http: { method: 'PUT', path: '/notifications', status: 205 },
  input: z.looseObject(LAST_READ),
  output: nothing,
  example: {},
  run(ctx, input) {
    markRead(ctx, threadsOf(ctx, {}), input.last_read_at);
    ctx.reply({ form: 'empty' });
    return null;
  },
});

const markRepositoryRead = operation({
  id: 'activity/mark-repo-notifications-as-read',
  summary: "Marks the caller's notifications of one repository as read.",
  effect: 'write',
  http: { method: 'PUT', path: '/repos/{owner}/{repo}/notifications', status: 205 },
  input: z.looseObject({ ...REPOSITORY, ...LAST_READ }),
  output: nothing,
  example: { owner: 'octo-works', repo: 'lamp' },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    const threads = threadsOf(ctx, {}).filter((thread) => thread.repository_id === repository.id);
    markRead(ctx, threads, input.last_read_at);
    ctx.reply({ form: 'empty' });
    return null;
  },
});

const THREAD = { thread_id: z.int() };

/** The caller's own thread; 404 for those of others. */
function threadAt(ctx: Reading, { thread_id }: { readonly thread_id: number }): Notification {
  const thread = ctx.tx.notifications.get(thread_id);
  return thread?.user_id === requireViewer(ctx).id ? thread : ctx.fail('not_found');
}

const getThread = operation({
  id: 'activity/get-thread',
  summary: 'Reads a notification.',
  effect: 'read',
  http: { method: 'GET', path: '/notifications/threads/{thread_id}' },
  input: z.looseObject(THREAD),
  output: shown('id', 'unread', 'subject'),
  example: { thread_id: 14_000_000_001 },
  run: (ctx, input) => threadView(ctx, threadAt(ctx, input)),
});

const markThreadRead = operation({
  id: 'activity/mark-thread-as-read',
  summary: 'Marks a notification as read.',
  effect: 'write',
  http: { method: 'PATCH', path: '/notifications/threads/{thread_id}', status: 205 },
  input: z.looseObject(THREAD),
  output: z.string(),
  example: { thread_id: 14_000_000_001 },
  run(ctx, input) {
    markRead(ctx, [threadAt(ctx, input)], undefined);
    ctx.reply({ form: 'text', headers: { 'content-type': 'text/plain;charset=utf-8' } });
    return '';
  },
});

const markThreadDone = operation({
  id: 'activity/mark-thread-as-done',
  summary: 'Puts a notification away.',
  effect: 'write',
  http: { method: 'DELETE', path: '/notifications/threads/{thread_id}', status: 204 },
  input: z.looseObject(THREAD),
  output: nothing,
  example: { thread_id: 14_000_000_001 },
  run(ctx, input) {
    ctx.tx.notifications.delete(threadAt(ctx, input).id);
    return null;
  },
});

function subscriptionView(ctx: Reading, thread: Notification): JsonObject {
  const row = ctx.tx.thread_subscriptions.get(thread.id) ?? ctx.fail('not_found');
  const url = `${API}/notifications/threads/${thread.id}`;
  return {
    subscribed: !row.ignored,
    ignored: row.ignored,
    reason: null,
    created_at: row.created_at,
    url: `${url}/subscription`,
    thread_url: url,
  };
}

const getSubscription = operation({
  id: 'activity/get-thread-subscription-for-authenticated-user',
  summary: 'Reads whether the caller follows a thread.',
  effect: 'read',
  http: { method: 'GET', path: '/notifications/threads/{thread_id}/subscription' },
  input: z.looseObject(THREAD),
  output: shown('subscribed', 'ignored'),
  example: { thread_id: 14_000_000_001 },
  run: (ctx, input) => subscriptionView(ctx, threadAt(ctx, input)),
});

const setSubscription = operation({
  id: 'activity/set-thread-subscription',
  summary: 'Follows or mutes a thread.',
  effect: 'write',
  http: { method: 'PUT', path: '/notifications/threads/{thread_id}/subscription' },
  input: z.looseObject({ ...THREAD, ignored: z.boolean().optional() }),
  output: shown('subscribed', 'ignored'),
  example: { thread_id: 14_000_000_001, ignored: true },
  run(ctx, input) {
    const thread = threadAt(ctx, input);
    const ignored = input.ignored ?? false;
    if (ctx.tx.thread_subscriptions.has(thread.id))
      ctx.tx.thread_subscriptions.update(thread.id, { ignored });
    else {
      const created_at = momentText(ctx.nowMs);
      ctx.tx.thread_subscriptions.insert({ thread_id: thread.id, ignored, created_at });
    }
    return subscriptionView(ctx, thread);
  },
});

const deleteSubscription = operation({
  id: 'activity/delete-thread-subscription',
  summary: 'Mutes a thread until the caller comments or is mentioned.',
  effect: 'write',
  http: { method: 'DELETE', path: '/notifications/threads/{thread_id}/subscription', status: 204 },
  input: z.looseObject(THREAD),
  output: nothing,
  example: { thread_id: 14_000_000_001 },
  run(ctx, input) {
    const thread = threadAt(ctx, input);
    if (ctx.tx.thread_subscriptions.has(thread.id)) ctx.tx.thread_subscriptions.delete(thread.id);
    return null;
  },
});

export const notificationOperations = [
  listNotifications,
  listForRepository,
  markAllRead,
  markRepositoryRead,
  getThread,
  markThreadRead,
  markThreadDone,
  getSubscription,
  setSubscription,
  deleteSubscription,
];
