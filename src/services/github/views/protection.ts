import type { JsonObject } from '../../../service/index.ts';
import type { Reading } from '../operation.ts';
import type { BranchProtection } from '../schema/git.ts';
import { simpleUser } from './accounts.ts';
import { statusChecksOf } from './branches.ts';
import { encodedPath } from './git.ts';
import type { Place } from './issues.ts';
import { listedTeam } from './teams.ts';

/** People, teams and apps, by login and slug. */
export interface Chosen {
  readonly users: readonly string[];
  readonly teams: readonly string[];
  readonly apps: readonly string[];
}

/** How pulls must be reviewed. */
export interface ReviewRules {
  readonly dismiss_stale_reviews: boolean;
  readonly require_code_owner_reviews: boolean;
  readonly require_last_push_approval: boolean;
  readonly required_approving_review_count: number;
  readonly dismissal_restrictions: Chosen | null;
  readonly bypass_pull_request_allowances: Chosen | null;
}

/** Switches that every protected branch shows, on or off. */
export const SWITCHES = [
  'required_linear_history',
  'allow_force_pushes',
  'allow_deletions',
  'block_creations',
  'required_conversation_resolution',
  'lock_branch',
  'allow_fork_syncing',
] as const;

export function protectionUrl({ url }: Place, { branch }: BranchProtection): string {
  return `${url}/branches/${encodedPath(branch)}/protection`;
}

/** The rules of a protected branch. */
export function protectionView(ctx: Reading, place: Place, protection: BranchProtection): JsonObject {
  const own = protectionUrl(place, protection);
  const checks = checksView(place, protection);
  const reviews = reviewsView(ctx, place, protection);
  const restrictions = restrictionsView(ctx, place, protection);
  const switches = SWITCHES.map((name) => [name, { enabled: protection.switches.includes(name) }]);
  return {
    url: own,
    ...(checks && { required_status_checks: checks }),
    ...(restrictions && { restrictions }),
    ...(reviews && { required_pull_request_reviews: reviews }),
    required_signatures: switchView(place, protection, 'required_signatures'),
    enforce_admins: switchView(place, protection, 'enforce_admins'),
    ...(Object.fromEntries(switches) as JsonObject),
  };
}

/** A switch that has an address of its own. */
export function switchView(
  place: Place,
  protection: BranchProtection,
  name: 'required_signatures' | 'enforce_admins',
): JsonObject {
  return { url: `${protectionUrl(place, protection)}/${name}`, enabled: protection.switches.includes(name) };
}

/** Which checks must pass; null where none. */
export function checksView(place: Place, protection: BranchProtection): JsonObject | null {
  const rules = statusChecksOf(protection);
  if (!rules) return null;
  const own = `${protectionUrl(place, protection)}/required_status_checks`;
  return {
    url: own,
    strict: rules.strict,
    contexts: rules.checks.map(({ context }) => context),
    contexts_url: `${own}/contexts`,
    checks: rules.checks.map(({ context, app_id }) => ({ context, app_id })),
  };
}

/** How pulls must be reviewed; null where they need not be. */
export function reviewsView(ctx: Reading, place: Place, protection: BranchProtection): JsonObject | null {
  const rules = protection.reviews as unknown as ReviewRules | null;
  if (!rules) return null;
  const own = protectionUrl(place, protection);
  const dismissal = rules.dismissal_restrictions;
  const bypass = rules.bypass_pull_request_allowances;
  const address = `${own}/dismissal_restrictions`;
  return {
    url: `${own}/required_pull_request_reviews`,
    dismiss_stale_reviews: rules.dismiss_stale_reviews,
    require_code_owner_reviews: rules.require_code_owner_reviews,
    require_last_push_approval: rules.require_last_push_approval,
    required_approving_review_count: rules.required_approving_review_count,
    ...(dismissal && {
      dismissal_restrictions: {
        url: address,
        users_url: `${address}/users`,
        teams_url: `${address}/teams`,
        ...chosenView(ctx, place, dismissal),
      },
    }),
    ...(bypass && { bypass_pull_request_allowances: chosenView(ctx, place, bypass) }),
  };
}

/** Who may push; null where everybody may who can write. */
export function restrictionsView(
  ctx: Reading,
  place: Place,
  protection: BranchProtection,
): JsonObject | null {
  const chosen = protection.restrictions as unknown as Chosen | null;
  if (!chosen) return null;
  const own = `${protectionUrl(place, protection)}/restrictions`;
  return {
    url: own,
    users_url: `${own}/users`,
    teams_url: `${own}/teams`,
    apps_url: `${own}/apps`,
    ...chosenView(ctx, place, chosen),
  };
}

/** People, teams and apps as they show themselves; those that are gone are left out. */
export function chosenView(
  { tx, ...ctx }: Reading,
  { repository }: Place,
  { users, teams, apps }: Chosen,
): { users: JsonObject[]; teams: JsonObject[]; apps: JsonObject[] } {
  const org = tx.accounts.get(repository.owner_id);
  return {
    users: users.flatMap((login) => {
      const account = tx.accounts.unique('by_login', [login.toLowerCase()]);
      return account ? [simpleUser(account)] : [];
    }),
    teams: teams.flatMap((slug) => {
      const team = org && tx.teams.unique('by_slug', [org.id, slug]);
      return team && org ? [listedTeam({ ...ctx, tx }, team, org)] : [];
    }),
    apps: apps.map((slug) => ({ slug, name: slug })),
  };
}
