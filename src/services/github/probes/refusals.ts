import type { Probe } from '../../../service/index.ts';
import { probeOf } from './fact.ts';

const lamp = { owner: 'octo-works', repo: 'lamp' };
const house = { org: 'octo-works' };

/** What people, organisations and automation say no with, and what else an answer hangs on. */
export const refusalProbes: readonly Probe[] = [
  probeOf('orgs/check-membership-for-user', {
    title: 'somebody who is not in it',
    input: { ...house, username: 'ines' },
    status: 404,
    facts: { message: 'User does not exist or is not a member of the organization', status: '404' },
  }),
  probeOf('orgs/check-public-membership-for-user', {
    title: 'somebody who is not in it',
    input: { ...house, username: 'rowan' },
    status: 404,
    facts: { message: 'User does not exist or is not a public member of the organization' },
  }),
  probeOf('orgs/set-public-membership-for-authenticated-user', {
    title: 'for somebody else',
    input: { ...house, username: 'hubert' },
    status: 403,
    facts: { message: 'Only the user can publicize their membership' },
  }),
  probeOf('repos/add-collaborator', {
    title: 'a permission that is none',
    input: { ...lamp, username: 'rowan', permission: { permission: 'push' } },
    status: 422,
    facts: { message: '`{"permission"=>"push"}` is not a valid permission.' },
  }),
  probeOf('repos/add-collaborator', {
    title: 'whoever works on it already is asked nothing',
    input: { ...lamp, username: 'ines', permission: 'push' },
    status: 204,
    facts: { '': null },
  }),
  probeOf('actions/disable-workflow', {
    title: 'one that is disabled',
    after: [{ operation: 'actions/disable-workflow', input: { ...lamp, workflow_id: 'checks.yml' } }],
    input: { ...lamp, workflow_id: 'checks.yml' },
    status: 403,
    facts: { message: 'Unable to disable a workflow that is not active.' },
  }),
  probeOf('actions/cancel-workflow-run', {
    title: 'one that is over',
    input: { ...lamp, run_id: 16_000_000_001 },
    status: 409,
    facts: { message: 'Cannot cancel a workflow run that is completed.' },
  }),
  probeOf('actions/create-repo-variable', {
    title: 'a name that is taken',
    input: { ...lamp, name: 'colour', value: 'red' },
    status: 409,
    facts: { message: 'Already exists - Variable already exists' },
  }),
  probeOf('actions/create-or-update-repo-secret', {
    title: 'one that is there is replaced without a word',
    input: { ...lamp, secret_name: 'deploy_key', encrypted_value: 'c2VhbGVk', key_id: '1' },
    status: 204,
    facts: { '': null },
  }),
  probeOf('actions/create-or-update-repo-secret', {
    title: 'without the key that sealed it',
    input: { ...lamp, secret_name: 'NEW_KEY', encrypted_value: 'c2VhbGVk' },
    status: 422,
    facts: { message: 'Invalid request.\n\n"key_id" wasn\'t supplied.' },
  }),
  probeOf('repos/get-webhook', {
    title: 'a secret is never shown',
    input: { ...lamp, hook_id: 550_000_001 },
    facts: { 'config.secret': '********' },
  }),
  probeOf('repos/list-webhook-deliveries', {
    title: 'a new hook was pinged at once',
    after: [
      { operation: 'repos/create-webhook', input: { ...lamp, config: { url: 'https://lamps.example/two' } } },
    ],
    input: { ...lamp, hook_id: 550_000_004 },
    facts: { '0.event': 'ping', '0.status_code': 200 },
  }),
  probeOf('gists/get', {
    title: 'one that was deleted',
    after: [{ operation: 'gists/delete', input: { gist_id: 'aa5a315d61ae9438b18d0000000000aa' } }],
    input: { gist_id: 'aa5a315d61ae9438b18d0000000000aa' },
    status: 404,
    facts: { message: 'Not Found', status: '404' },
  }),
  probeOf('teams/create', {
    title: 'a name that is taken',
    input: { ...house, name: 'makers' },
    status: 422,
    facts: { message: 'Validation Failed', 'errors.0.code': 'custom', 'errors.0.resource': 'Team' },
  }),
  probeOf('teams/get-membership-for-user-in-org', {
    title: 'an owner maintains every team',
    input: { ...house, team_slug: 'makers', username: 'mona' },
    facts: { role: 'maintainer', state: 'active' },
  }),
  probeOf('teams/add-member-legacy', {
    title: 'somebody who is not in the organisation',
    input: { team_id: 12_000_001, username: 'ines' },
    status: 422,
    facts: { 'errors.0.code': 'unaffiliated' },
  }),
  probeOf('code-scanning/delete-analysis', {
    title: 'the newest of its kind goes first',
    input: { ...lamp, analysis_id: 420_000_001 },
    status: 400,
    facts: { message: 'Analysis specified is not deletable.' },
  }),
  probeOf('apps/check-token', {
    title: 'a token that the app was not given',
    input: { client_id: 'lamp-keeper-client', access_token: 'nobody-has-it' },
    status: 404,
    facts: { message: 'Not Found' },
  }),
  probeOf('apps/create-installation-access-token', {
    title: 'where the app is suspended',
    after: [{ operation: 'apps/suspend-installation', input: { installation_id: 95_000_001 } }],
    input: { installation_id: 95_000_001 },
    status: 403,
    facts: { message: 'This installation has been suspended' },
  }),
  probeOf('users/create-public-ssh-key-for-authenticated-user', {
    title: 'a key that somebody has',
    input: { title: 'Again', key: 'ssh-ed25519 AAAAexampleofakey1 mona@laptop' },
    status: 422,
    facts: { 'errors.0.message': 'key is already in use', 'errors.0.field': 'key' },
  }),
];
