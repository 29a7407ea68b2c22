import { z } from 'zod';
import type { Json } from '../../../service/index.ts';
import { operation, type Reading } from '../operation.ts';
import { listOf, nothing, shown } from '../output.ts';
import type { BranchProtection } from '../schema/git.ts';
import { placeOf } from '../views/issues.ts';
import { type Chosen, chosenView, restrictionsView } from '../views/protection.ts';
import { BRANCH_PLACE, protectedBranch, requireOrganization, setRules } from './protection.ts';

const PATH = '/repos/{owner}/{repo}/branches/{branch}/protection';
const EXAMPLE = { owner: 'octo-works', repo: 'lamp', branch: 'main' };
const input = z.looseObject(BRANCH_PLACE);

const getRestrictions = operation({
  id: 'repos/get-access-restrictions',
  summary: 'Reads who may push to a branch.',
  effect: 'read',
  http: { method: 'GET', path: `${PATH}/restrictions` },
  input,
  output: shown('url', 'users'),
  example: EXAMPLE,
  run(ctx, place) {
    const { repository, protection } = protectedBranch(ctx, place);
    return restrictionsView(ctx, placeOf(ctx, repository), protection) ?? noRestrictions(ctx);
  },
});

function noRestrictions(ctx: Reading): never {
  return ctx.fail('absent', { message: 'Push restrictions not enabled' });
}

const deleteRestrictions = operation({
  id: 'repos/delete-access-restrictions',
  summary: 'Lets everybody push to a branch who can write.',
  effect: 'write',
  http: { method: 'DELETE', path: `${PATH}/restrictions`, status: 204 },
  input,
  output: nothing,
  example: EXAMPLE,
  run(ctx, place) {
    const { protection } = protectedBranch(ctx, place);
    setRules(ctx, protection, { restrictions: null });
    return null;
  },
});

type Kind = keyof Chosen;

/** What becomes of a list of names when others are added to it, put in its place, or taken out. */
const CHANGES = {
  add: (before: readonly string[], names: readonly string[]) => [...new Set([...before, ...names])],
  set: (_before: readonly string[], names: readonly string[]) => [...new Set(names)],
  remove: (before: readonly string[], names: readonly string[]) =>
    before.filter((name) => !names.includes(name)),
};
const METHODS = { add: 'POST', set: 'PUT', remove: 'DELETE' } as const;
const WORDS = { add: 'Adds to', set: 'Sets', remove: 'Takes out of' } as const;

/** The operations of one list of who may push. */
function chosenOperations(kind: Kind, ids: Readonly<Record<'get' | keyof typeof CHANGES, string>>) {
  const path = `${PATH}/restrictions/${kind}`;
  const output = listOf();
  const chosenIn = (ctx: Reading, protection: BranchProtection): Chosen =>
    (protection.restrictions as unknown as Chosen | null) ?? noRestrictions(ctx);
  const get = operation({
    id: ids.get,
    summary: `Lists the ${kind} that may push to a branch.`,
    effect: 'read',
    http: { method: 'GET', path },
    input,
    output,
    example: EXAMPLE,
    run(ctx, place) {
      const { repository, protection } = protectedBranch(ctx, place);
      return chosenView(ctx, placeOf(ctx, repository), chosenIn(ctx, protection))[kind];
    },
  });
  const changes = (Object.keys(CHANGES) as (keyof typeof CHANGES)[]).map((change) =>
    operation({
      id: ids[change],
      summary: `${WORDS[change]} the ${kind} that may push to a branch.`,
      effect: 'write',
      http: { method: METHODS[change], path, bareBody: kind },
      input: z.looseObject({ ...BRANCH_PLACE, [kind]: z.array(z.string()) }),
      output,
      example: { ...EXAMPLE, [kind]: kind === 'users' ? ['hubert'] : [] },
      run(ctx, place) {
        const { repository, protection } = protectedBranch(ctx, place as typeof EXAMPLE);
        requireOrganization(ctx, repository);
        const before = chosenIn(ctx, protection);
        const names = (place as unknown as Chosen)[kind];
        const restrictions = { ...before, [kind]: CHANGES[change](before[kind], names) };
        setRules(ctx, protection, { restrictions: restrictions as unknown as Json });
        return chosenView(ctx, placeOf(ctx, repository), restrictions)[kind];
      },
    }),
  );
  return [get, ...changes];
}

export const protectionRestrictionOperations = [
  getRestrictions,
  deleteRestrictions,
  ...chosenOperations('users', {
    get: 'repos/get-users-with-access-to-protected-branch',
    add: 'repos/add-user-access-restrictions',
    set: 'repos/set-user-access-restrictions',
    remove: 'repos/remove-user-access-restrictions',
  }),
  ...chosenOperations('teams', {
    get: 'repos/get-teams-with-access-to-protected-branch',
    add: 'repos/add-team-access-restrictions',
    set: 'repos/set-team-access-restrictions',
    remove: 'repos/remove-team-access-restrictions',
  }),
  ...chosenOperations('apps', {
    get: 'repos/get-apps-with-access-to-protected-branch',
    add: 'repos/add-app-access-restrictions',
    set: 'repos/set-app-access-restrictions',
    remove: 'repos/remove-app-access-restrictions',
  }),
];
