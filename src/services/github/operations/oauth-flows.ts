import { z } from 'zod';
import type { JsonObject, Operation } from '../../../service/index.ts';
import { operation, type Writing } from '../operation.ts';
import { shown } from '../output.ts';
import { issueToken } from '../rules/apps.ts';
import { accountNamed, requireViewer, viewerOf } from '../rules/viewer.ts';
import type { Account } from '../schema/accounts.ts';
import type { App } from '../schema/apps.ts';
import type { OauthGrant } from '../schema/oauth.ts';

const CODE_LASTS_MS = 10 * 60_000;
const DEVICE_LASTS_SECONDS = 900;
const POLL_SECONDS = 5;
const SLOWER_SECONDS = 5;
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const DEVICE_PAGE = 'https://github.com/login/device';
const DOCS = 'https://docs.github.com/apps/oauth-apps/maintaining-oauth-apps';

function scopesIn(scope: string | undefined): string[] {
  return [...new Set((scope ?? '').split(/[\s,]+/u).filter((word) => word !== ''))];
}

/** Refusals come with 200, as the flows have it. */
function refused(error: string, error_description: string, page: string): JsonObject {
  return { error, error_description, error_uri: `${DOCS}/${page}` };
}

function hexDigits(ctx: Writing, length: number): string {
  return Array.from({ length }, () => ctx.random.integer(0, 15).toString(16)).join('');
}

/** Eight characters that nobody mixes up, in two halves. */
function userCode(ctx: Writing): string {
  const letters = [...'BCDFGHJKLMNPQRSTVWXZ'];
  const half = (): string => Array.from({ length: 4 }, () => ctx.random.pick(letters)).join('');
  return `${half()}-${half()}`;
}

function newGrant(ctx: Writing, app: App, wish: Partial<OauthGrant> & Pick<OauthGrant, 'kind'>): OauthGrant {
  return ctx.tx.oauth_grants.insert({
    code: hexDigits(ctx, wish.kind === 'web' ? 20 : 40),
    app_id: app.id,
    account_id: null,
    denied: false,
    scopes: [],
    redirect_uri: null,
    user_code: null,
    expires_ms: ctx.nowMs + CODE_LASTS_MS,
    polled_ms: null,
    interval_seconds: POLL_SECONDS,
    ...wish,
  });
}

/** Who sits in front of the page: whom `login` names, the caller, or the first person of the world. */
function personAt(ctx: Writing, login: string | undefined): Account {
  if (login !== undefined && login !== '') return accountNamed(ctx, login);
  const viewer = viewerOf(ctx);
  if (viewer) return viewer;
  for (const account of ctx.tx.accounts.scan()) if (account.type === 'User') return account;
  return ctx.fail('not_found');
}

const authorize = operation({
  id: 'login/oauth/authorize',
  summary: 'Lets an app act for a person, who agrees at once, and sends the browser back with a code.',
  effect: 'write',
  http: { method: 'GET', path: '/login/oauth/authorize', status: 302 },
  input: z.looseObject({
    client_id: z.string(),
    redirect_uri: z.string().optional(),
    scope: z.string().optional(),
    state: z.string().optional(),
    login: z.string().optional(),
  }),
  output: z.string(),
  example: { client_id: 'lamp-keeper-client', redirect_uri: 'https://lamps.example/back', state: 'xyz' },
  run(ctx, { client_id, redirect_uri, scope, state, login }) {
    const app = ctx.tx.apps.unique('by_client', [client_id]) ?? ctx.fail('not_found');
    const account = personAt(ctx, login);
    const target = redirect_uri ?? app.external_url;
    const grant = newGrant(ctx, app, {
      kind: 'web',
      account_id: account.id,
      scopes: scopesIn(scope),
      redirect_uri: redirect_uri ?? null,
    });
    const back = state === undefined ? '' : `&state=${encodeURIComponent(state.toWellFormed())}`;
    const location = `${target}${target.includes('?') ? '&' : '?'}code=${grant.code}${back}`;
    ctx.reply({ headers: { location }, form: 'text' });
    return `You are being redirected to ${location}`;
  },
});

const requestDevice = operation({
  id: 'login/device/code',
  summary: 'Gives a device a code to poll with, and one for a person to enter.',
  effect: 'write',
  http: { method: 'POST', path: '/login/device/code' },
  input: z.looseObject({ client_id: z.string().optional(), scope: z.string().optional() }),
  output: shown(),
  example: { client_id: 'lamp-keeper-client', scope: 'repo' },
  run(ctx, { client_id = '', scope }): JsonObject {
    const app = ctx.tx.apps.unique('by_client', [client_id]);
    if (!app) return ctx.fail('not_found');
    const grant = newGrant(ctx, app, {
      kind: 'device',
      scopes: scopesIn(scope),
      user_code: userCode(ctx),
      expires_ms: ctx.nowMs + DEVICE_LASTS_SECONDS * 1_000,
    });
    return {
      device_code: grant.code,
      user_code: grant.user_code,
      verification_uri: DEVICE_PAGE,
      expires_in: DEVICE_LASTS_SECONDS,
      interval: POLL_SECONDS,
    };
  },
});

const enterCode = operation({
  id: 'login/device',
  summary: 'Enters the code of a device, and lets its app act for the caller or not.',
  effect: 'write',
  http: { method: 'POST', path: '/login/device' },
  input: z.looseObject({ user_code: z.string(), authorize: z.enum(['0', '1']).optional() }),
  output: shown(),
  example: { user_code: 'BCDF-GHJK' },
  run(ctx, { user_code, authorize: answer = '1' }): JsonObject {
    const viewer = requireViewer(ctx);
    const grant = ctx.tx.oauth_grants.unique('by_user_code', [user_code.toUpperCase()]);
    if (!grant || grant.expires_ms <= ctx.nowMs || grant.account_id !== null) return ctx.fail('not_found');
    const isGiven = answer === '1';
    ctx.tx.oauth_grants.update(grant.code, { account_id: viewer.id, denied: !isGiven });
    return { authorized: isGiven, user: viewer.login };
  },
});

interface Redeeming {
  readonly app: App;
  readonly code: string;
  readonly redirect_uri: string | undefined;
}

function redeemed(ctx: Writing, app: App, grant: OauthGrant): JsonObject {
  ctx.tx.oauth_grants.delete(grant.code);
  const { token } = issueToken(ctx, {
    prefix: 'gho',
    app_id: app.id,
    account_id: grant.account_id,
    scopes: grant.scopes,
    permissions: null,
    expires_at: null,
  });
  return { access_token: token, token_type: 'bearer', scope: grant.scopes.join(',') };
}

function redeemCode(ctx: Writing, { app, code, redirect_uri }: Redeeming): JsonObject {
  const grant = ctx.tx.oauth_grants.get(code);
  const page = 'troubleshooting-oauth-app-access-token-request-errors';
  if (grant?.kind !== 'web' || grant.app_id !== app.id || grant.expires_ms <= ctx.nowMs) {
    const words = 'The code passed is incorrect or expired.';
    return refused('bad_verification_code', words, `${page}/#bad-verification-code`);
  }
  if (redirect_uri !== undefined && grant.redirect_uri !== null && redirect_uri !== grant.redirect_uri) {
    const words = 'The redirect_uri MUST match the registered callback URL for this application.';
    return refused('redirect_uri_mismatch', words, `${page}/#redirect-uri-mismatch`);
  }
  return redeemed(ctx, app, grant);
}

function pollDevice(ctx: Writing, { app, code }: Redeeming): JsonObject {
  const page = 'troubleshooting-authorization-request-errors';
  const grant = ctx.tx.oauth_grants.get(code);
  if (grant?.kind !== 'device' || grant.app_id !== app.id) {
    return refused('incorrect_device_code', 'The device_code provided is not valid.', page);
  }
  if (grant.expires_ms <= ctx.nowMs) {
    return refused('expired_token', 'The device_code has expired.', page);
  }
  if (grant.denied) {
    return refused('access_denied', 'The authorization request was denied.', page);
  }
  const { polled_ms: last, interval_seconds: seconds } = grant;
  if (last !== null && ctx.nowMs - last < seconds * 1_000) {
    const interval = seconds + SLOWER_SECONDS;
    ctx.tx.oauth_grants.update(code, { polled_ms: ctx.nowMs, interval_seconds: interval });
    return {
      ...refused('slow_down', 'Too many requests have been made in the same timeframe.', page),
      interval,
    };
  }
  ctx.tx.oauth_grants.update(code, { polled_ms: ctx.nowMs });
  if (grant.account_id === null) {
    return refused('authorization_pending', 'The authorization request is still pending.', page);
  }
  return redeemed(ctx, app, grant);
}

const giveToken = operation({
  id: 'login/oauth/access_token',
  summary: "Gives an app a person's token for the code of either flow. Always as JSON.",
  effect: 'write',
  http: { method: 'POST', path: '/login/oauth/access_token' },
  input: z.looseObject({
    client_id: z.string().optional(),
    client_secret: z.string().optional(),
    code: z.string().optional(),
    redirect_uri: z.string().optional(),
    device_code: z.string().optional(),
    grant_type: z.string().optional(),
  }),
  output: z.looseObject({ access_token: z.string().optional() }) as unknown as z.ZodType<JsonObject>,
  issuedTokens: ['access_token'],
  example: { client_id: 'lamp-keeper-client', device_code: 'b'.repeat(40), grant_type: DEVICE_GRANT },
  run(ctx, { client_id = '', client_secret, code = '', redirect_uri, device_code, grant_type }): JsonObject {
    const app = ctx.tx.apps.unique('by_client', [client_id]);
    const isDevice = grant_type === DEVICE_GRANT;
    if (!app || (!isDevice && app.client_secret !== client_secret)) {
      const words = 'The client_id and/or client_secret passed are incorrect.';
      const page = 'troubleshooting-oauth-app-access-token-request-errors';
      return refused('incorrect_client_credentials', words, `${page}/#incorrect-client-credentials`);
    }
    if (isDevice) return pollDevice(ctx, { app, code: device_code ?? '', redirect_uri });
    if (grant_type !== undefined && grant_type !== 'authorization_code') {
      const words = `The grant_type must be ${DEVICE_GRANT}.`;
      return refused('unsupported_grant_type', words, 'troubleshooting-authorization-request-errors');
    }
    return redeemCode(ctx, { app, code, redirect_uri });
  },
});

/** How people let apps act for them, in a browser and on devices without one. */
export const oauthFlowOperations: readonly Operation[] = [authorize, requestDevice, enterCode, giveToken];
