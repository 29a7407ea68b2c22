import { z } from 'zod';
import type { Operation } from '../../../service/index.ts';
import { operation } from '../operation.ts';
import { listOf, shown } from '../output.ts';
import { idOf } from '../rules/ids.ts';
import { PAGE, paged } from '../rules/paging.ts';
import { requireViewer } from '../rules/viewer.ts';
import { ownPurchaseView, planView, purchaseView } from '../views/apps.ts';

const SORTING = { sort: z.string().optional(), direction: z.string().optional() };
const PURCHASE = ['url', 'type', 'id', 'login', 'marketplace_purchase'];

/** Plans and who has bought them, for an app's seller; `stubbed` paths are to try that out. */
function forms(suffix: '' | '-stubbed'): readonly Operation[] {
  const base = suffix === '' ? '/marketplace_listing' : '/marketplace_listing/stubbed';
  return [
    operation({
      id: `apps/list-plans${suffix}`,
      summary: 'Lists the plans that an app is sold by.',
      effect: 'read',
      http: { method: 'GET', path: `${base}/plans` },
      input: z.looseObject(PAGE),
      output: listOf('id', 'name', 'price_model'),
      example: {},
      run(ctx, input) {
        const items = [...ctx.tx.marketplace_plans.scan()];
        return paged(ctx, input, { items, path: `${base}/plans`, show: planView });
      },
    }),
    operation({
      id: `apps/list-accounts-for-plan${suffix}`,
      summary: 'Lists who has bought a plan.',
      effect: 'read',
      http: { method: 'GET', path: `${base}/plans/{plan_id}/accounts` },
      input: z.looseObject({ plan_id: z.union([z.int(), z.string()]), ...SORTING, ...PAGE }),
      output: listOf(...PURCHASE),
      example: { plan_id: 9_001 },
      run(ctx, input) {
        const plan = ctx.tx.marketplace_plans.get(idOf(input.plan_id)) ?? ctx.fail('not_found');
        const all = [...ctx.tx.marketplace_purchases.by('by_plan', [plan.id])];
        return paged(ctx, input, {
          items: input.sort !== undefined && input.direction === 'desc' ? all.toReversed() : all,
          path: `${base}/plans/${plan.id}/accounts`,
          inPath: ['plan_id'],
          show: (row) => purchaseView(ctx, row),
        });
      },
    }),
    operation({
      id: `apps/get-subscription-plan-for-account${suffix}`,
      summary: 'Reads what an account has bought.',
      effect: 'read',
      http: { method: 'GET', path: `${base}/accounts/{account_id}` },
      input: z.looseObject({ account_id: z.union([z.int(), z.string()]) }),
      output: shown(...PURCHASE),
      example: { account_id: 190_000_001 },
      run(ctx, input) {
        const row = ctx.tx.marketplace_purchases.get(idOf(input.account_id));
        return row ? purchaseView(ctx, row) : ctx.fail('not_found');
      },
    }),
    operation({
      id: `apps/list-subscriptions-for-authenticated-user${suffix}`,
      summary: 'Lists what the caller has bought.',
      effect: 'read',
      http: { method: 'GET', path: `/user/marketplace_purchases${suffix === '' ? '' : '/stubbed'}` },
      input: z.looseObject(PAGE),
      output: listOf('billing_cycle', 'account', 'plan'),
      example: {},
      run(ctx, input) {
        const viewer = requireViewer(ctx);
        const owned = [...ctx.tx.org_members.by('by_user', [viewer.id])].filter(
          ({ role }) => role === 'admin',
        );
        const items = [viewer.id, ...owned.map(({ org_id }) => org_id)]
          .map((id) => ctx.tx.marketplace_purchases.get(id))
          .filter((row) => row !== undefined);
        const path = '/user/marketplace_purchases';
        return paged(ctx, input, { items, path, show: (row) => ownPurchaseView(ctx, row) });
      },
    }),
  ];
}

export const marketplaceOperations: readonly Operation[] = [...forms(''), ...forms('-stubbed')];
