import { z } from 'zod';
import { operation } from '../operation.ts';
import { statusChecksOf } from '../views/branches.ts';
import { BRANCH_PLACE, checksColumn, protectedBranch, setRules } from './protection.ts';

const PATH = '/repos/{owner}/{repo}/branches/{branch}/protection/required_status_checks/contexts';
const EXAMPLE = { owner: 'octo-works', repo: 'lamp', branch: 'main' };
const NAMES = z.array(z.string());

const get = operation({
  id: 'repos/get-all-status-check-contexts',
  summary: 'Lists the names of the checks that must pass.',
  effect: 'read',
  http: { method: 'GET', path: PATH },
  input: z.looseObject(BRANCH_PLACE),
  output: NAMES,
  example: EXAMPLE,
  run(ctx, input) {
    const checks = statusChecksOf(protectedBranch(ctx, input).protection) ?? ctx.fail('not_found');
    return checks.checks.map(({ context }) => context);
  },
});

/** One way to change the names of the checks that must pass. */
function change(
  id: string,
  method: 'POST' | 'PUT' | 'DELETE',
  changed: (before: readonly string[], names: readonly string[]) => readonly string[],
) {
  return operation({
    id,
    summary: 'Changes the names of the checks that must pass.',
    effect: 'write',
    http: { method, path: PATH, bareBody: 'contexts' },
    input: z.looseObject({ ...BRANCH_PLACE, contexts: NAMES }),
    output: NAMES,
    example: { ...EXAMPLE, contexts: ['build'] },
    run(ctx, input) {
      const { protection } = protectedBranch(ctx, input);
      const { strict, checks } = statusChecksOf(protection) ?? ctx.fail('not_found');
      const names = changed(
        checks.map(({ context }) => context),
        input.contexts,
      );
      const kept = names.map(
        (context) => checks.find((one) => one.context === context) ?? { context, app_id: null },
      );
      setRules(ctx, protection, { status_checks: checksColumn({ strict, checks: kept }) });
      return [...names];
    },
  });
}

export const protectionContextOperations = [
  get,
  change('repos/add-status-check-contexts', 'POST', (before, names) => [...new Set([...before, ...names])]),
  change('repos/set-status-check-contexts', 'PUT', (_before, names) => [...new Set(names)]),
  change('repos/remove-status-check-contexts', 'DELETE', (before, names) =>
    before.filter((name) => !names.includes(name)),
  ),
];
