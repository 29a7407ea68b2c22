import type { Probe } from '../../../service/index.ts';
import { fact, probeOf } from './fact.ts';

/** The graph, kinds of issues, issues over all repositories, and the flows of OAuth. */
export const graphProbes: readonly Probe[] = [
  fact('graphql', { 'data.viewer.login': 'mona' }),
  fact('graphql/query', { 'data.viewer.login': 'mona' }),
  probeOf('graphql', {
    title: 'a repository that is not there',
    input: { query: '{ repository(owner: "octo-works", name: "nope") { id } }' },
    facts: {
      'data.repository': null,
      'errors.0.type': 'NOT_FOUND',
      'errors.0.path.0': 'repository',
      'errors.0.message': "Could not resolve to a Repository with the name 'octo-works/nope'.",
    },
  }),
  fact('issues/list', { '0.repository.full_name': 'octo-works/lamp' }),
  fact('issues/list-for-authenticated-user', { '0.repository.full_name': 'octo-works/lamp' }),
  fact('issues/list-for-org', { '0.repository.full_name': 'octo-works/lamp' }),
  fact('orgs/list-issue-types', { '0.name': 'Task', '1.name': 'Bug', '2.name': 'Feature' }),
  fact('repos/list-issue-types', { '1.name': 'Bug' }),
  fact('orgs/create-issue-type', { name: 'Question', is_enabled: true }),
  fact('orgs/update-issue-type', { name: 'Chore' }),
  fact('orgs/delete-issue-type', { '': null }, 204),
  probeOf('login/oauth/authorize', {
    title: 'an app that nobody knows',
    input: { client_id: 'unknown' },
    status: 404,
    facts: { message: 'Not Found' },
  }),
  fact('login/device/code', {
    verification_uri: 'https://github.com/login/device',
    expires_in: 900,
    interval: 5,
  }),
  fact('login/device', { authorized: true, user: 'mona' }),
  fact('login/oauth/access_token', { error: 'authorization_pending' }),
];
