import type { Reading } from '../operation.ts';
import type { Pull } from '../schema/pulls.ts';
import type { Repository } from '../schema/repositories.ts';
import { statusChecksOf } from '../views/branches.ts';
import { protectionOf } from './protection.ts';

/** What a check of a commit came to, as far as merging goes. */
export type CheckState = 'success' | 'pending' | 'failure';

const PASSING = new Set(['success', 'neutral', 'skipped']);

/** Statuses and check runs of a commit, the last of each name. */
export function bareChecksOf({ tx }: Reading, { id }: Repository, sha: string): Map<string, CheckState> {
  const checks = new Map<string, CheckState>();
  for (const { context, state } of tx.commit_statuses.by('by_commit', [id, sha])) {
    checks.set(context, state === 'success' || state === 'pending' ? state : 'failure');
  }
  for (const { name, status, conclusion } of tx.check_runs.by('by_commit', [id, sha])) {
    const done = status === 'completed';
    checks.set(name, done ? (PASSING.has(conclusion ?? '') ? 'success' : 'failure') : 'pending');
  }
  return checks;
}

/** The required check that stands against merging a pull; null when all have passed. */
export function missingCheck(
  ctx: Reading,
  { repository, pull }: { readonly repository: Repository; readonly pull: Pull },
  checks: ReadonlyMap<string, CheckState>,
): string | null {
  const required = statusChecksOf(protectionOf(ctx, repository, pull.base_ref))?.checks ?? [];
  return required.find(({ context }) => checks.get(context) !== 'success')?.context ?? null;
}
