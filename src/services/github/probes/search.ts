import type { Probe } from '../../../service/index.ts';
import { answered, fact, probeOf } from './fact.ts';

/** Search, and the threads that people are told of. */
export const searchProbes: readonly Probe[] = [
  fact('search/issues-and-pull-requests', { total_count: 1, 'items.0.title': 'Flickers when dimmed' }),
  fact('search/repos', { total_count: 1, 'items.0.full_name': 'octo-works/lamp' }),
  fact('search/users', { total_count: 1, 'items.0.login': 'mona' }),
  fact('search/labels', { total_count: 1, 'items.0.name': 'bug' }),
  fact('search/topics', { incomplete_results: false }),
  fact('search/code', { total_count: 1, 'items.0.path': 'src/dim.js' }),
  fact('search/commits', { total_count: 1, 'items.0.repository.full_name': 'octo-works/lamp' }),
  probeOf('search/issues-and-pull-requests', {
    title: 'a repository nobody may see',
    input: { q: 'repo:octo-works/no-such-lamp light' },
    status: 422,
    facts: { message: 'Validation Failed', 'errors.0.resource': 'Search', 'errors.0.code': 'invalid' },
  }),
  fact('activity/list-notifications-for-authenticated-user', { '0.reason': 'subscribed', '0.unread': true }),
  fact('activity/list-repo-notifications-for-authenticated-user', { '0.subject.type': 'Issue' }),
  fact('activity/get-thread', { 'subject.title': 'Flickers when dimmed', unread: true }),
  fact('activity/get-thread-subscription-for-authenticated-user', { subscribed: true, ignored: false }),
  fact('activity/set-thread-subscription', { subscribed: false, ignored: true }),
  ...answered(205, null, ['activity/mark-notifications-as-read', 'activity/mark-repo-notifications-as-read']),
  ...answered(205, '', ['activity/mark-thread-as-read']),
  ...answered(204, null, ['activity/mark-thread-as-done', 'activity/delete-thread-subscription']),
];
