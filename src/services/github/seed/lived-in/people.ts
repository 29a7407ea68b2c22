import { blankAccount } from '../people.ts';
import { DAY_MS, emailOf, type Scene } from './scene.ts';
import { FIRST_NAMES, LAST_NAMES } from './words.ts';

const TEAMS = ['platform', 'firmware', 'web', 'design', 'support', 'data', 'security', 'release'];

/** Colleagues, all members of the organisation, and the teams that they are in. */
export function addPeople(scene: Scene): void {
  const { plan, tx, random, people, org } = scene;
  for (let index = 0; index < plan.people; index += 1) {
    const first = FIRST_NAMES[index % FIRST_NAMES.length] ?? '';
    const last = random.pick(LAST_NAMES);
    const round = Math.floor(index / FIRST_NAMES.length);
    const login = `${first}-${last}${round === 0 ? '' : round + 1}`.toLowerCase();
    if (tx.accounts.unique('by_login', [login])) continue;
    const moment = scene.ago(random.integer(200, 2_000) * DAY_MS);
    const account = tx.accounts.insert({
      ...blankAccount(scene.id('accounts'), login, moment),
      name: `${first} ${last}`,
      location: random.pick(['Lagos', 'Lisbon', 'Osaka', 'Oslo', 'Quito', null]),
    });
    people.push(account);
    tx.commit_authors.insert({ email: emailOf(account), account_id: account.id });
    const isPublic = random.chance(0.5);
    tx.org_members.insert({
      org_id: org.id,
      user_id: account.id,
      role: 'member',
      state: 'active',
      public: isPublic,
    });
  }
  for (let index = 0; index < plan.teams; index += 1) addTeam(scene, index);
}

function addTeam({ tx, org, people, random, seeding }: Scene, index: number): void {
  const base = TEAMS[index % TEAMS.length] ?? 'team';
  const slug = index < TEAMS.length ? base : `${base}-${Math.floor(index / TEAMS.length) + 1}`;
  if (tx.teams.unique('by_slug', [org.id, slug])) return;
  const members = people.filter(() => random.chance(Math.min(0.4, 12 / people.length)));
  const moment = '2024-05-01T09:00:00Z';
  const team = tx.teams.insert({
    id: Number(seeding.nextId('teams')),
    org_id: org.id,
    name: slug,
    slug,
    description: `Everything about ${base}.`,
    privacy: 'closed',
    notification_setting: 'notifications_enabled',
    permission: 'pull',
    parent_id: null,
    members: members.length,
    repositories: 0,
    security_manager: slug === 'security',
    created_at: moment,
    updated_at: moment,
  });
  for (const [position, { id: user_id }] of members.entries()) {
    const role = position === 0 ? 'maintainer' : 'member';
    tx.team_members.insert({ team_id: team.id, user_id, role, state: 'active' });
  }
}
