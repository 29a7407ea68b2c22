import type { Reading } from '../operation.ts';
import type { Issue } from '../schema/issues.ts';
import type { Repository } from '../schema/repositories.ts';
import { issueTypeView } from '../views/issue-types.ts';

/**
 * The column that a wished kind of issue sets, by its name; none where nothing is wished.
 * @throws 422 where the organisation has no such kind.
 */
export function typeColumn(
  ctx: Reading,
  { owner_id }: Repository,
  name: string | null | undefined,
): Partial<Pick<Issue, 'type'>> {
  if (name === undefined) return {};
  if (name === null || name === '') return { type: null };
  const types = [...ctx.tx.issue_types.by('by_org', [owner_id])];
  const found = types.find((row) => row.is_enabled && row.name.toLowerCase() === name.toLowerCase());
  if (found) return { type: issueTypeView(found) };
  // People, and organisations that have none, let the word pass.
  if (types.length === 0) return {};
  return ctx.fail('validation_failed', {
    errors: [{ value: name, resource: 'Issue', field: 'type', code: 'invalid' }],
  });
}
