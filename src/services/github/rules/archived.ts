import { isJsonObject, type Json } from '../../../service/index.ts';
import type { Writing } from '../operation.ts';
import { findRepository, roleIn } from './repositories.ts';

/** What may be done to an archived repository; whether it is unarchived, `repos/update` sees to itself. */
const OPEN: ReadonlySet<string> = new Set([
  'repos/update',
  'repos/delete',
  'repos/transfer',
  'repos/create-fork',
  'activity/star-repo-for-authenticated-user',
  'activity/unstar-repo-for-authenticated-user',
  'activity/set-repo-subscription',
  'activity/delete-repo-subscription',
  'activity/mark-repo-notifications-as-read',
]);

/** 403 for a change in an archived repository that the caller may see. */
export function requireUnarchived(ctx: Writing, id: string, input: Json): void {
  if (OPEN.has(id) || !isJsonObject(input)) return;
  const { owner, repo } = input;
  if (typeof owner !== 'string' || typeof repo !== 'string') return;
  const repository = findRepository(ctx, { owner, repo });
  if (!repository?.archived || roleIn(ctx, repository) === null) return;
  ctx.fail('forbidden', { message: 'Repository was archived so is read-only.' });
}
