import type { Json, JsonObject } from '../../../service/index.ts';
import type { Reading } from '../operation.ts';
import type { Repository } from '../schema/repositories.ts';
import type { Ruleset } from '../schema/rulesets.ts';
import { roleIn } from './repositories.ts';

/** One rule of a set. */
export interface Rule {
  readonly type: string;
  readonly parameters?: Json;
}

interface Conditions {
  readonly ref_name?: { readonly include?: readonly string[]; readonly exclude?: readonly string[] };
}

/** Whether a pattern of a set is of a ref: a full name with `*` and `?`, or one of the two words. */
function isOf(pattern: string, ref: string, repository: Repository): boolean {
  if (pattern === '~ALL') return true;
  if (pattern === '~DEFAULT_BRANCH') return ref === `refs/heads/${repository.default_branch}`;
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.+^$(){}|[\]\\]/gu, '\\$&'));
  const expression = parts.join('[^]*').replaceAll('?', '[^/]');
  return new RegExp(`^${expression}$`, 'u').test(ref);
}

/** The active sets that are for a ref. */
export function rulesetsFor({ tx }: Reading, repository: Repository, ref: string): Ruleset[] {
  const target = ref.startsWith('refs/tags/') ? 'tag' : 'branch';
  return [...tx.rulesets.by('by_repository', [repository.id])].filter((ruleset) => {
    if (ruleset.enforcement !== 'active' || ruleset.target !== target) return false;
    const { include = [], exclude = [] } = (ruleset.conditions as Conditions | null)?.ref_name ?? {};
    const matches = (pattern: string): boolean => isOf(pattern, ref, repository);
    return include.some(matches) && !exclude.some(matches);
  });
}

export function rulesOf(ruleset: Ruleset): readonly Rule[] {
  return ruleset.rules as unknown as readonly Rule[];
}

/** Numbers by which the roles of a repository are let pass. */
const ROLE_NUMBERS: Readonly<Record<number, string>> = { 2: 'maintain', 4: 'write', 5: 'admin' };

/** Whether a set lets the caller pass. */
function passes(ctx: Reading, repository: Repository, ruleset: Ruleset): boolean {
  const role = roleIn(ctx, repository);
  return (ruleset.bypass_actors as unknown as readonly JsonObject[]).some(
    ({ actor_type, actor_id, bypass_mode }) => {
      if (bypass_mode === 'pull_request') return false;
      if (actor_type === 'OrganizationAdmin') return role === 'admin';
      return actor_type === 'RepositoryRole' && ROLE_NUMBERS[Number(actor_id)] === role;
    },
  );
}

const REASONS: Readonly<Record<string, string>> = {
  creation: 'Cannot create ref due to creations being restricted.',
  update: 'Cannot update this protected ref.',
  deletion: 'Cannot delete this protected ref.',
  non_fast_forward: 'Cannot force-push to this branch',
  pull_request: 'Changes must be made through a pull request.',
};

/** Why a ref may not be changed in this way; null when no set forbids it. */
export function ruleViolation(
  ctx: Reading,
  repository: Repository,
  { ref, kinds }: { readonly ref: string; readonly kinds: readonly string[] },
): string | null {
  for (const ruleset of rulesetsFor(ctx, repository, ref)) {
    const broken = rulesOf(ruleset).find(({ type }) => kinds.includes(type));
    if (broken && !passes(ctx, repository, ruleset)) {
      return `Repository rule violations found\n\n${REASONS[broken.type] ?? ''}\n\n`;
    }
  }
  return null;
}
