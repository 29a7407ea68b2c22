import { z } from 'zod';
import type { Reading } from '../operation.ts';
import type { WorkflowRun } from '../schema/actions.ts';
import { idOf } from './ids.ts';
import { stateOf } from './runs.ts';

/** What lists of runs may be narrowed by. */
export const RUN_FILTERS = {
  actor: z.string().optional(),
  branch: z.string().optional(),
  event: z.string().optional(),
  status: z.string().optional(),
  created: z.string().optional(),
  head_sha: z.string().optional(),
  check_suite_id: z.union([z.int(), z.string()]).optional(),
  exclude_pull_requests: z.union([z.boolean(), z.string()]).optional(),
};
export type RunFilters = z.infer<z.ZodObject<typeof RUN_FILTERS>>;

/** Whether a run is one of those asked for. A status may be a conclusion too. */
export function isAskedFor(ctx: Reading, run: WorkflowRun, filters: RunFilters): boolean {
  const { status, conclusion } = stateOf(run, ctx.nowMs);
  const actor = run.actor_id === null ? undefined : ctx.tx.accounts.get(run.actor_id)?.login;
  const { check_suite_id: suite } = filters;
  return (
    (filters.actor === undefined || actor?.toLowerCase() === filters.actor.toLowerCase()) &&
    (filters.branch === undefined || run.head_branch === filters.branch) &&
    (filters.event === undefined || run.event === filters.event) &&
    (filters.status === undefined || status === filters.status || conclusion === filters.status) &&
    (filters.head_sha === undefined || run.head_sha === filters.head_sha) &&
    (suite === undefined || run.check_suite_id === idOf(suite)) &&
    (filters.created === undefined || isWithin(run.created_at, filters.created))
  );
}

/** Whether a moment is in a range: `>=…`, `<…`, `…..…` with `*` for an open end, or a day or moment alone. */
export function isWithin(moment: string, range: string): boolean {
  const compared = /^(>=|<=|>|<)(.+)$/u.exec(range);
  if (compared) {
    const bound = compared[2] ?? '';
    // A bare day stands for its start, or with `<=` and `>` for its end.
    const same = moment.slice(0, bound.replace(/Z$/u, '').length);
    const bare = bound.replace(/Z$/u, '');
    if (compared[1] === '>=') return same >= bare;
    if (compared[1] === '<=') return same <= bare;
    return compared[1] === '>' ? same > bare : same < bare;
  }
  const [from = '', to] = range.split('..');
  if (to === undefined) return moment.startsWith(from.replace(/Z$/u, ''));
  return (from === '*' || isWithin(moment, `>=${from}`)) && (to === '*' || isWithin(moment, `<=${to}`));
}
