import type { JsonObject } from '../../../service/index.ts';
import type { Account } from '../schema/accounts.ts';
import { blankAccount } from '../seed/people.ts';
import { ORGANIZATION_POLICIES, ORGANIZATION_SECURITY, VALIDITY_CHECKS } from '../views/accounts.ts';
import { flagIn, nullableTextIn, numberIn, type Seer, type Sight, textIn } from './sight.ts';

const UNSEEN_MOMENT = '2015-01-01T00:00:00Z';

/** Members that are columns of the same name. */
const NUMBERS = [
  'public_repos',
  'public_gists',
  'followers',
  'following',
  'private_gists',
  'total_private_repos',
  'owned_private_repos',
  'disk_usage',
  'collaborators',
] as const;
const TEXTS = ['name', 'company', 'blog', 'location', 'email', 'bio', 'twitter_username'] as const;

/** Members that organisations keep among their settings. */
const SETTINGS = [
  'description',
  'is_verified',
  'has_organization_projects',
  'has_repository_projects',
  'billing_email',
  ...Object.keys(ORGANIZATION_POLICIES),
  ...Object.keys(ORGANIZATION_SECURITY),
  VALIDITY_CHECKS,
];

export const accountSeers: readonly Seer[] = [
  {
    fits: (object) => textIn(object, 'login') !== undefined && numberIn(object, 'id') !== undefined,
    see: (sight, object) => void seeAccount(sight, object),
  },
];

/** Writes an account as far as an object shows it; gives its number. */
export function seeAccount(sight: Sight, object: JsonObject): number {
  const id = numberIn(object, 'id') ?? 0;
  const login = textIn(object, 'login') ?? '';
  const known = sight.tx.accounts.unique('by_login', [login.toLowerCase()]);
  // Recordings stretch over years: a login that two numbers had is the first one's.
  if (known && known.id !== id) return known.id;
  const type = typeOf(object);
  sight.learn('accounts', id, {
    blank: blankAccount(id, login, UNSEEN_MOMENT),
    columns: {
      ...(type !== undefined && { type }),
      site_admin: flagIn(object, 'site_admin'),
      ...Object.fromEntries(TEXTS.map((name) => [name, nullableTextIn(object, name)])),
      ...Object.fromEntries(NUMBERS.map((name) => [name, countBefore(sight, { id, object, name })])),
      hireable: object.hireable === null ? null : flagIn(object, 'hireable'),
      two_factor_authentication: flagIn(object, 'two_factor_authentication'),
      plan: object.plan,
      created_at: textIn(object, 'created_at'),
      updated_at: textIn(object, 'updated_at'),
    },
  });
  if (type === 'Organization') seeSettings(sight, id, object);
  return id;
}

/** What was counted before requests of the recording made repositories. */
function countBefore(
  sight: Sight,
  { id, object, name }: { readonly id: number; readonly object: JsonObject; readonly name: string },
): number | undefined {
  const shown = numberIn(object, name);
  const made = sight.madeBy.get(id);
  if (shown === undefined || !made) return shown;
  if (name === 'public_repos') return Math.max(0, shown - made.public);
  return PRIVATE_COUNTS.has(name) ? Math.max(0, shown - made.private) : shown;
}

const PRIVATE_COUNTS: ReadonlySet<string> = new Set(['total_private_repos', 'owned_private_repos']);

function typeOf(object: JsonObject): Account['type'] | undefined {
  const type = object.type;
  if (type === 'User' || type === 'Organization' || type === 'Bot') return type;
  return textIn(object, 'members_url') === undefined ? undefined : 'Organization';
}

/** Settings are one column: what is shown later adds to it. */
function seeSettings(sight: Sight, id: number, object: JsonObject): void {
  const before = sight.tx.accounts.get(id);
  if (!before || sight.isMade('accounts', id)) return;
  const shown = SETTINGS.filter((name) => object[name] !== undefined).map((name) => [name, object[name]]);
  const settings = { ...Object.fromEntries(shown), ...(before.settings as JsonObject | null) };
  sight.tx.accounts.update(id, { settings });
  // Billing is shown to owners alone.
  if (object.billing_email !== undefined) seeMember(sight, id, { user: sight.viewerId, role: 'admin' });
}

/** Somebody is a member of an organisation. */
export function seeMember(
  sight: Sight,
  org: number,
  {
    user,
    role,
    open = false,
  }: { readonly user: number; readonly role?: 'admin' | 'member'; readonly open?: boolean },
): void {
  if (user === 0 || !sight.tx.accounts.has(user) || !sight.tx.accounts.has(org)) return;
  sight.learn('org_members', [org, user], {
    blank: { org_id: org, user_id: user, role: 'member', state: 'active', public: open },
    columns: { role, public: open ? true : undefined },
  });
}

/** The account of a login that a request names: known by number where any answer tells it. */
export function accountCalled(sight: Sight, login: string, type: Account['type'] = 'User'): number {
  const key = login.toLowerCase();
  const known = sight.tx.accounts.unique('by_login', [key]);
  if (known) return known.id;
  const id = sight.names.accounts.get(key) ?? sight.freshId('accounts');
  if (!sight.tx.accounts.has(id)) {
    sight.tx.accounts.insert({ ...blankAccount(id, login, UNSEEN_MOMENT), type });
  }
  return id;
}
