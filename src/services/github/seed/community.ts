import type { Seeding } from '../../../service/index.ts';
import { momentText } from '../moments.ts';
import { blankRepository } from '../rules/new-repository.ts';
import type { GithubSchema } from '../schema.ts';
import { blankAccount } from './people.ts';

const DAY_MS = 86_400_000;

/** Who is around `octo-works`: a team, an outsider, somebody blocked, invitations, keys and hooks. */
export function seedCommunity({ tx, nextId }: Seeding<GithubSchema>, epochMs: number): void {
  const created_at = momentText(epochMs - 90 * DAY_MS);
  const times = { created_at, updated_at: created_at };
  const number = (table: keyof GithubSchema & string): number => Number(nextId(table));
  const known = (login: string): number => tx.accounts.unique('by_login', [login])?.id ?? 0;
  const person = (login: string, name: string): number =>
    tx.accounts.insert({ ...blankAccount(number('accounts'), login, created_at), name }).id;
  const [mona, hubert, org] = [known('mona'), known('hubert'), known('octo-works')];
  const [ines, rowan] = [person('ines', 'Ines Aldana'), person('rowan', 'Rowan Pike')];
  const lamp = tx.repositories.unique('by_name', [org, 'lamp'])?.id ?? 0;

  const team_id = number('teams');
  tx.teams.insert({
    id: team_id,
    org_id: org,
    name: 'Makers',
    slug: 'makers',
    description: 'Those who build the lamp.',
    privacy: 'closed',
    notification_setting: 'notifications_enabled',
    permission: 'pull',
    parent_id: null,
    members: 2,
    repositories: 1,
    security_manager: false,
    ...times,
  });
  tx.team_members.insert({ team_id, user_id: mona, role: 'maintainer', state: 'active' });
  tx.team_members.insert({ team_id, user_id: hubert, role: 'member', state: 'active' });
  tx.team_repositories.insert({ team_id, repository_id: lamp, role: 'write' });

  tx.collaborators.insert({ repository_id: lamp, user_id: ines, role: 'triage' });
  tx.blocks.insert({ account_id: org, user_id: rowan });
  tx.blocks.insert({ account_id: mona, user_id: rowan });
  tx.follows.insert({ user_id: mona, target_id: hubert });
  tx.accounts.update(mona, { following: 1 });
  tx.accounts.update(hubert, { followers: 1 });
  tx.org_invitations.insert({
    id: number('org_invitations'),
    org_id: org,
    invitee_id: null,
    email: 'tam@lamps.example',
    role: 'direct_member',
    inviter_id: mona,
    team_ids: [team_id],
    created_at,
    failed_at: null,
    failed_reason: null,
  });
  const notes = tx.repositories.insert({
    ...blankRepository({ id: number('repositories'), owner_id: hubert }, 'notes', created_at),
    visibility: 'private',
  }).id;
  tx.accounts.update(hubert, { total_private_repos: 1, owned_private_repos: 1 });
  const invited = (repository_id: number, invitee_id: number, inviter_id: number): void =>
    void tx.repository_invitations.insert({
      id: number('repository_invitations'),
      repository_id,
      invitee_id,
      inviter_id,
      role: 'write',
      created_at,
    });
  invited(lamp, rowan, mona);
  invited(notes, mona, hubert);
  seedKeys({ tx, nextId } as Seeding<GithubSchema>, mona, created_at);
  seedHooks({ tx, nextId } as Seeding<GithubSchema>, { lamp, org }, created_at);
}

function seedKeys({ tx, nextId }: Seeding<GithubSchema>, account_id: number, created_at: string): void {
  const email = { account_id, verified: true };
  const [first, second] = ['mona@octo-works.example', 'mona@home.example'];
  tx.emails.insert({ ...email, email: first ?? '', primary: true, visibility: 'private', position: 0 });
  tx.emails.insert({ ...email, email: second ?? '', primary: false, visibility: null, position: 1 });
  const row = { account_id, verified: true, read_only: false, details: null, created_at };
  const id = (): number => Number(nextId('user_keys'));
  const key = 'ssh-ed25519 AAAAexampleofakey';
  tx.user_keys.insert({ ...row, id: id(), kind: 'ssh', title: 'Laptop', key: `${key}1` });
  tx.user_keys.insert({ ...row, id: id(), kind: 'signing', title: 'Laptop', key: `${key}2` });
  const details = {
    primary_key_id: null,
    key_id: '0F0F0F0F0F0F0F0F',
    raw_key: null,
    public_key: '',
    emails: [{ email: first ?? '', verified: true }],
    subkeys: [],
    can_sign: true,
    can_encrypt_comms: false,
    can_encrypt_storage: false,
    can_certify: true,
    created_at,
    expires_at: null,
    revoked: false,
  };
  tx.user_keys.insert({ ...row, id: id(), kind: 'gpg', title: 'Laptop', key: '', details });
}

function seedHooks(
  { tx, nextId }: Seeding<GithubSchema>,
  { lamp, org }: { readonly lamp: number; readonly org: number },
  created_at: string,
): void {
  const places = [
    { repository_id: lamp, org_id: null },
    { repository_id: null, org_id: org },
  ];
  for (const [index, place] of places.entries()) {
    const id = Number(nextId('hooks'));
    tx.hooks.insert({
      id,
      ...place,
      app_id: null,
      name: 'web',
      active: true,
      // The organisation's is told of nothing that happens in repositories.
      events: place.org_id === null ? ['push', 'issues'] : ['membership', 'organization'],
      config: { url: 'https://lamps.example/hook', content_type: 'json', insecure_ssl: '0', secret: 'hush' },
      last_response: { code: 200, status: 'active', message: 'OK' },
      created_at,
      updated_at: created_at,
    });
    tx.hook_deliveries.insert({
      id: Number(nextId('hook_deliveries')),
      hook_id: id,
      guid: `00000000-0000-4000-8000-00000000000${index + 1}`,
      delivered_at: created_at,
      redelivery: false,
      duration: 0.2,
      status: 'OK',
      status_code: 200,
      event: 'ping',
      action: null,
      installation_id: null,
      repository_id: place.repository_id,
      request: { headers: {}, payload: { hook_id: id } },
      response: { headers: {}, payload: '' },
    });
  }
}
