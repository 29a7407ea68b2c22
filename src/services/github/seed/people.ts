import type { Seeding } from '../../../service/index.ts';
import { momentText } from '../moments.ts';
import { blankRepository } from '../rules/new-repository.ts';
import type { Account } from '../schema/accounts.ts';
import type { Repository } from '../schema/repositories.ts';
import type { GithubSchema } from '../schema.ts';

const DAY_MS = 86_400_000;

/** An account's columns before anybody fills in a profile. */
export function blankAccount(id: number, login: string, moment: string): Account {
  return {
    id,
    login,
    login_key: login.toLowerCase(),
    type: 'User',
    site_admin: false,
    name: null,
    company: null,
    blog: '',
    location: null,
    email: null,
    bio: null,
    hireable: null,
    twitter_username: null,
    public_repos: 0,
    public_gists: 0,
    followers: 0,
    following: 0,
    private_gists: 0,
    total_private_repos: 0,
    owned_private_repos: 0,
    disk_usage: 0,
    collaborators: 0,
    two_factor_authentication: true,
    plan: { name: 'free', space: 976_562_499, collaborators: 0, private_repos: 10_000 },
    settings: null,
    created_at: moment,
    updated_at: moment,
  };
}

/** `mona`, who calls, her colleagues, their organisation and its repositories. */
export function seedPeople({ tx, nextId }: Seeding<GithubSchema>, epochMs: number): void {
  const moment = momentText(epochMs - 700 * DAY_MS);
  const person = (login: string, name: string): Account =>
    tx.accounts.insert({ ...blankAccount(Number(nextId('accounts')), login, moment), name });
  const mona = person('mona', 'Mona Okafor');
  const hubert = person('hubert', 'Hubert Lind');
  const org = tx.accounts.insert({
    ...blankAccount(Number(nextId('accounts')), 'octo-works', moment),
    type: 'Organization',
    name: 'Octo Works',
    settings: { description: 'Lamps, and what makes them listen.' },
  });
  tx.org_members.insert({ org_id: org.id, user_id: mona.id, role: 'admin', state: 'active', public: true });
  tx.org_members.insert({
    org_id: org.id,
    user_id: hubert.id,
    role: 'member',
    state: 'active',
    public: true,
  });
  const repository = (owner: Account, name: string, description: string): Repository =>
    tx.repositories.insert({
      ...blankRepository({ id: Number(nextId('repositories')), owner_id: owner.id }, name, moment),
      description,
    });
  repository(org, 'lamp', 'Firmware of the lamp.');
  repository(org, 'handbook', 'How we work.');
  repository(org, 'website', 'What the world sees.');
  repository(mona, 'dotfiles', 'Shell and editor.');
  tx.accounts.update(org.id, { public_repos: 3 });
  tx.accounts.update(mona.id, { public_repos: 1 });
}
