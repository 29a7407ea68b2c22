import { z } from 'zod';
import type { JsonObject, Operation } from '../../../service/index.ts';
import { momentText } from '../moments.ts';
import { operation, type Reading } from '../operation.ts';
import { listOf, shown } from '../output.ts';
import { idOf } from '../rules/ids.ts';
import { membershipOf } from '../rules/organizations.ts';
import { PAGE, paged } from '../rules/paging.ts';
import { repositoryAt, requireRole } from '../rules/repositories.ts';
import { organizationNamed, requireViewer } from '../rules/viewer.ts';
import type { Repository } from '../schema/repositories.ts';
import type { ScanningAlert } from '../schema/scanning.ts';
import { numberedPath } from '../views/repositories.ts';
import { fullAlert, instanceView, listedAlert, organizationAlert } from '../views/scanning.ts';

const PLACE = { owner: z.string(), repo: z.string() };
const ALERT = { ...PLACE, alert_number: z.union([z.int(), z.string()]) };
const FILTERS = {
  state: z.string().optional(),
  severity: z.string().optional(),
  tool_name: z.string().optional(),
  ref: z.string().optional(),
  sort: z.string().optional(),
  direction: z.string().optional(),
};
type Filters = z.infer<z.ZodObject<typeof FILTERS>>;
const lamp = { owner: 'octo-works', repo: 'lamp' };
const example = { ...lamp, alert_number: 1 };
const ONE = shown('number', 'state', 'rule', 'most_recent_instance');

/** A repository's alerts, for those who may push to it. */
export function scannedRepository(ctx: Reading, place: { owner: string; repo: string }): Repository {
  const repository = repositoryAt(ctx, place);
  requireRole(ctx, repository, 'write');
  return repository;
}

/** Alerts that fit, the newest first. */
function fitting(alerts: readonly ScanningAlert[], filters: Filters): readonly ScanningAlert[] {
  const found = alerts.filter(({ state, rule, tool, instance }) => {
    const { severity, security_severity_level: level } = rule as JsonObject;
    return (
      (filters.state === undefined || state === filters.state) &&
      (filters.severity === undefined || severity === filters.severity || level === filters.severity) &&
      (filters.tool_name === undefined || (tool as JsonObject).name === filters.tool_name) &&
      (filters.ref === undefined || String((instance as JsonObject).ref).endsWith(filters.ref))
    );
  });
  const key = ({ created_at, updated_at }: ScanningAlert): string =>
    filters.sort === 'updated' ? updated_at : created_at;
  const rising = found.toSorted((one, other) =>
    key(one) === key(other) ? one.number - other.number : key(one) < key(other) ? -1 : 1,
  );
  return filters.direction === 'asc' ? rising : rising.toReversed();
}

const listForOrganization = operation({
  id: 'code-scanning/list-alerts-for-org',
  summary: 'Lists what code scanning found in an organisation.',
  effect: 'read',
  http: { method: 'GET', path: '/orgs/{org}/code-scanning/alerts' },
  input: z.looseObject({ org: z.string(), ...FILTERS, ...PAGE }),
  output: listOf('number', 'state', 'rule', 'repository'),
  example: { org: 'octo-works' },
  run(ctx, input) {
    const org = organizationNamed(ctx, input.org);
    if (!membershipOf(ctx, org)) ctx.fail('not_found');
    const owned = new Map([...ctx.tx.repositories.by('by_owner', [org.id])].map((row) => [row.id, row]));
    const all = [...owned.keys()].flatMap((id) => [...ctx.tx.scanning_alerts.by('by_repository', [id])]);
    return paged(ctx, input, {
      items: fitting(all, input),
      path: `/organizations/${org.id}/code-scanning/alerts`,
      show(alert) {
        const repository = owned.get(alert.repository_id);
        return repository ? organizationAlert(ctx, repository, alert) : {};
      },
    });
  },
});

const listForRepository = operation({
  id: 'code-scanning/list-alerts-for-repo',
  summary: 'Lists what code scanning found in a repository.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/code-scanning/alerts' },
  input: z.looseObject({ ...PLACE, ...FILTERS, ...PAGE }),
  output: listOf('number', 'state', 'rule'),
  example: lamp,
  run(ctx, input) {
    const repository = scannedRepository(ctx, input);
    const all = [...ctx.tx.scanning_alerts.by('by_repository', [repository.id])];
    if (all.length === 0 && [...ctx.tx.scanning_analyses.by('by_repository', [repository.id])].length === 0) {
      ctx.fail('absent', { message: 'no analysis found' });
    }
    return paged(ctx, input, {
      items: fitting(all, input),
      path: numberedPath(repository, '/code-scanning/alerts'),
      show: (alert) => listedAlert(ctx, repository, alert),
    });
  },
});

interface Found {
  readonly repository: Repository;
  readonly alert: ScanningAlert;
}

function alertAt(ctx: Reading, input: { owner: string; repo: string; alert_number: number | string }): Found {
  const repository = scannedRepository(ctx, input);
  const alert = ctx.tx.scanning_alerts.get([repository.id, idOf(input.alert_number)]);
  return alert ? { repository, alert } : ctx.fail('absent', { message: 'No alert found for alert number' });
}

const getAlert = operation({
  id: 'code-scanning/get-alert',
  summary: 'Reads one thing that code scanning found.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/code-scanning/alerts/{alert_number}' },
  input: z.looseObject(ALERT),
  output: ONE,
  example,
  run(ctx, input) {
    const { repository, alert } = alertAt(ctx, input);
    return fullAlert(ctx, repository, alert);
  },
});

const updateAlert = operation({
  id: 'code-scanning/update-alert',
  summary: 'Dismisses something that code scanning found, or opens it again.',
  effect: 'write',
  http: { method: 'PATCH', path: '/repos/{owner}/{repo}/code-scanning/alerts/{alert_number}' },
  input: z.looseObject({
    ...ALERT,
    state: z.enum(['open', 'dismissed']).optional(),
    dismissed_reason: z.enum(['false positive', "won't fix", 'used in tests']).nullish(),
    dismissed_comment: z.string().max(280).nullish(),
  }),
  output: ONE,
  example: { ...example, state: 'dismissed', dismissed_reason: "won't fix" },
  run(ctx, input) {
    const { repository, alert } = alertAt(ctx, input);
    const { state, dismissed_reason: reason = null, dismissed_comment: comment = null } = input;
    if (state === 'dismissed' && reason === null) {
      ctx.fail('bad_request', { message: 'dismissed_reason is required when dismissing an alert' });
    }
    const moment = momentText(ctx.nowMs);
    const isDismissed = state === 'dismissed';
    const changed = ctx.tx.scanning_alerts.update([repository.id, alert.number], {
      ...(state !== undefined && {
        state,
        dismissed_by_id: isDismissed ? requireViewer(ctx).id : null,
        dismissed_at: isDismissed ? moment : null,
        dismissed_reason: isDismissed ? reason : null,
        dismissed_comment: isDismissed ? comment : null,
      }),
      updated_at: moment,
    });
    return fullAlert(ctx, repository, changed);
  },
});

const listInstances = operation({
  id: 'code-scanning/list-alert-instances',
  summary: 'Lists where something stands that code scanning found.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/code-scanning/alerts/{alert_number}/instances' },
  input: z.looseObject({ ...ALERT, ref: z.string().optional(), ...PAGE }),
  output: listOf('ref', 'state', 'location'),
  example,
  run(ctx, input) {
    const { repository, alert } = alertAt(ctx, input);
    const path = numberedPath(repository, `/code-scanning/alerts/${alert.number}/instances`);
    const show = (row: ScanningAlert): JsonObject => instanceView(row) as JsonObject;
    return paged(ctx, input, { items: [alert], path, inPath: ['alert_number'], show });
  },
});

export const codeScanningOperations: readonly Operation[] = [
  listForOrganization,
  listForRepository,
  getAlert,
  updateAlert,
  listInstances,
];
