import { z } from 'zod';
import type { Json, JsonObject } from '../../../service/index.ts';
import { momentText } from '../moments.ts';
import { operation, type Reading } from '../operation.ts';
import { listOf, nothing, shown } from '../output.ts';
import { featuresOf, setFeatures } from '../rules/features.ts';
import { repositoryAt, requireRole } from '../rules/repositories.ts';
import type { Repository } from '../schema/repositories.ts';
import { REPOSITORY } from './repositories.ts';

const EXAMPLE = { owner: 'octo-works', repo: 'lamp' };
const input = z.looseObject(REPOSITORY);

/** A repository whose features the caller may see and set. */
function administered(ctx: Reading, place: { owner: string; repo: string }): Repository {
  const repository = repositoryAt(ctx, place);
  requireRole(ctx, repository, 'admin');
  return repository;
}

type Switch = 'vulnerability_alerts' | 'automated_security_fixes' | 'immutable_releases';

/** The two operations that turn a feature on and off. */
function turns(feature: Switch, path: string, ids: { readonly on: string; readonly off: string }) {
  return (['on', 'off'] as const).map((way) =>
    operation({
      id: ids[way],
      summary: `Turns ${feature.replaceAll('_', ' ')} ${way}.`,
      effect: 'write',
      http: { method: way === 'on' ? 'PUT' : 'DELETE', path, status: 204 },
      input,
      output: nothing,
      example: EXAMPLE,
      run(ctx, place) {
        const repository = administered(ctx, place);
        setFeatures(ctx, repository, { [feature]: way === 'on' });
        return null;
      },
    }),
  );
}

const ALERTS = '/repos/{owner}/{repo}/vulnerability-alerts';
const FIXES = '/repos/{owner}/{repo}/automated-security-fixes';
const IMMUTABLE = '/repos/{owner}/{repo}/immutable-releases';

const checkAlerts = operation({
  id: 'repos/check-vulnerability-alerts',
  summary: 'Tells by its status whether alerts of vulnerabilities are on.',
  effect: 'read',
  http: { method: 'GET', path: ALERTS, status: 204 },
  input,
  output: nothing,
  example: { owner: 'mona', repo: 'dotfiles' },
  run(ctx, place) {
    const repository = administered(ctx, place);
    if (featuresOf(ctx, repository).vulnerability_alerts) return null;
    return ctx.fail('absent', { message: 'Vulnerability alerts are disabled.' });
  },
});

const checkFixes = operation({
  id: 'repos/check-automated-security-fixes',
  summary: 'Reads whether security fixes come by themselves.',
  effect: 'read',
  http: { method: 'GET', path: FIXES },
  input,
  output: shown('enabled', 'paused'),
  example: EXAMPLE,
  run(ctx, place) {
    const { automated_security_fixes: enabled } = featuresOf(ctx, administered(ctx, place));
    return { enabled, paused: false };
  },
});

const checkImmutable = operation({
  id: 'repos/check-immutable-releases',
  summary: 'Reads whether releases stay as they are.',
  effect: 'read',
  http: { method: 'GET', path: IMMUTABLE },
  input,
  output: shown('enabled', 'enforced_by_owner'),
  example: EXAMPLE,
  run(ctx, place) {
    const { immutable_releases: enabled } = featuresOf(ctx, administered(ctx, place));
    return { enabled, enforced_by_owner: false };
  },
});

const LIMITS = '/repos/{owner}/{repo}/interaction-limits';
const DAY_MS = 86_400_000;
const LASTING_DAYS = { one_day: 1, three_days: 3, one_week: 7, one_month: 30, six_months: 180 } as const;

const getLimit = operation({
  id: 'interactions/get-restrictions-for-repo',
  summary: 'Reads who may comment, open issues and make pulls for now.',
  effect: 'read',
  http: { method: 'GET', path: LIMITS },
  input,
  output: shown(),
  example: EXAMPLE,
  run(ctx, place) {
    const limit = featuresOf(ctx, administered(ctx, place)).interaction_limit as JsonObject | null;
    const over = limit !== null && Date.parse(String(limit.expires_at)) <= ctx.nowMs;
    return limit === null || over ? {} : limit;
  },
});

const setLimit = operation({
  id: 'interactions/set-restrictions-for-repo',
  summary: 'Limits for some time who may comment, open issues and make pulls.',
  effect: 'write',
  http: { method: 'PUT', path: LIMITS },
  input: z.looseObject({
    ...REPOSITORY,
    limit: z.enum(['existing_users', 'contributors_only', 'collaborators_only']),
    expiry: z.enum(['one_day', 'three_days', 'one_week', 'one_month', 'six_months']).optional(),
  }),
  output: shown('limit', 'origin'),
  example: { ...EXAMPLE, limit: 'collaborators_only', expiry: 'one_week' },
  run(ctx, place) {
    const repository = administered(ctx, place);
    if (repository.visibility !== 'public') {
      ctx.fail('conflict', { message: 'Interaction limits cannot be set for private repositories.' });
    }
    const days = LASTING_DAYS[place.expiry ?? 'one_day'];
    const expires_at = momentText(ctx.nowMs + days * DAY_MS);
    const interaction_limit = { limit: place.limit, origin: 'repository', expires_at };
    setFeatures(ctx, repository, { interaction_limit });
    return interaction_limit;
  },
});

const removeLimit = operation({
  id: 'interactions/remove-restrictions-for-repo',
  summary: 'Lets everybody comment again.',
  effect: 'write',
  http: { method: 'DELETE', path: LIMITS, status: 204 },
  input,
  output: nothing,
  example: EXAMPLE,
  run(ctx, place) {
    setFeatures(ctx, administered(ctx, place), { interaction_limit: null });
    return null;
  },
});

const PROPERTIES = '/repos/{owner}/{repo}/properties/values';

const getProperties = operation({
  id: 'repos/custom-properties-for-repos-get-repository-values',
  summary: 'Lists the custom properties of a repository.',
  effect: 'read',
  http: { method: 'GET', path: PROPERTIES },
  input,
  output: listOf('property_name', 'value'),
  example: EXAMPLE,
  run(ctx, place) {
    const values = featuresOf(ctx, repositoryAt(ctx, place)).custom_properties as JsonObject;
    return Object.entries(values).map(([property_name, value]) => ({ property_name, value: value ?? null }));
  },
});

const setProperties = operation({
  id: 'repos/custom-properties-for-repos-create-or-update-repository-values',
  summary: 'Sets custom properties of a repository; null takes one away.',
  effect: 'write',
  http: { method: 'PATCH', path: PROPERTIES, status: 204 },
  input: z.looseObject({
    ...REPOSITORY,
    properties: z.array(z.looseObject({ property_name: z.string(), value: z.json() })),
  }),
  output: nothing,
  example: { ...EXAMPLE, properties: [{ property_name: 'tier', value: 'gold' }] },
  run(ctx, place) {
    const repository = administered(ctx, place);
    const values: Record<string, Json> = {
      ...(featuresOf(ctx, repository).custom_properties as JsonObject),
    } as Record<string, Json>;
    for (const { property_name, value } of place.properties) {
      if (value === null) delete values[property_name];
      else values[property_name] = value;
    }
    setFeatures(ctx, repository, { custom_properties: values });
    return null;
  },
});

export const repositoryFeatureOperations = [
  checkAlerts,
  ...turns('vulnerability_alerts', ALERTS, {
    on: 'repos/enable-vulnerability-alerts',
    off: 'repos/disable-vulnerability-alerts',
  }),
  checkFixes,
  ...turns('automated_security_fixes', FIXES, {
    on: 'repos/enable-automated-security-fixes',
    off: 'repos/disable-automated-security-fixes',
  }),
  checkImmutable,
  ...turns('immutable_releases', IMMUTABLE, {
    on: 'repos/enable-immutable-releases',
    off: 'repos/disable-immutable-releases',
  }),
  getLimit,
  setLimit,
  removeLimit,
  getProperties,
  setProperties,
];
