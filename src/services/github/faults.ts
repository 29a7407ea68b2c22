import {
  type Actor,
  isJsonObject,
  type ProviderError,
  providerError,
  type Refusal,
  type RefusedCall,
} from '../../service/index.ts';
import { errors } from './errors.ts';
import type { Reading } from './operation.ts';
import { viewerOf } from './rules/viewer.ts';

/** How GitHub refuses under stress: what a fault plan has it say in place of an answer. */

export const SECONDARY_LIMIT =
  'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.';

/** What GitHub sends with a secondary limit, in seconds, unless it knows better. */
const SECONDARY_WAIT_SECONDS = 60;
const HOUR_SECONDS = 3_600;

/**
 * A 429 for no named reason is the secondary limit. One for a rate limit or a quota is the primary one, which
 * GitHub answers with 403: its bucket is empty until `retryAfterSeconds` from now (an hour when left out),
 * which the reset header says and no Retry-After. A 503 for maintenance is the same as one for an outage.
 */
export function refusal({ status, retryAfterSeconds, reason }: Refusal, call: RefusedCall): ProviderError {
  if (reason === 'rate-limit' || reason === 'quota') {
    const nowSeconds = Math.floor(call.nowMs / 1_000);
    return rateLimited(call, nowSeconds + (retryAfterSeconds ?? HOUR_SECONDS));
  }
  const { code, message, seconds } = REFUSALS[status];
  const wait = retryAfterSeconds ?? seconds;
  return providerError(errors, code, {
    details: { message },
    ...(wait !== undefined && { headers: { 'retry-after': String(wait) } }),
  });
}

const REFUSALS: Readonly<Record<Refusal['status'], Refused>> = {
  429: { code: 'throttled', message: SECONDARY_LIMIT, seconds: SECONDARY_WAIT_SECONDS },
  500: { code: 'server_error', message: 'Server Error' },
  502: { code: 'bad_gateway', message: 'Server Error' },
  503: { code: 'unavailable', message: 'Service unavailable' },
};

interface Refused {
  readonly code: string;
  readonly message: string;
  /** What Retry-After says where the rule leaves that open. */
  readonly seconds?: number;
}

/**
 * The primary rate limit. `resetSeconds` (since 1970) is when a fault has it end; null where the count of the
 * calls themselves says so.
 */
export function rateLimited(
  { actor, table }: { readonly actor: Actor; readonly table: RefusedCall['table'] },
  resetSeconds: number | null,
): ProviderError {
  const account = viewerOf({ actor, tx: { accounts: table('accounts') } } as unknown as Reading);
  const who = account === null ? '127.0.0.1' : `user ID ${account.id}`;
  const advice =
    account === null
      ? GOOD_NEWS
      : 'If you reach out to GitHub Support for help, please include the request ID.';
  return providerError(errors, 'rate_limited', {
    details: { who, advice, ...(resetSeconds !== null && { resetSeconds }) },
  });
}

const GOOD_NEWS =
  "(But here's the good news: Authenticated requests get a higher rate limit. " +
  'Check out the documentation for more details.)';

/** When the bucket that this error calls empty is full again, in seconds since 1970; null of others. */
export function exhaustedUntil(error: ProviderError | undefined): number | null {
  const details = error?.details;
  const reset = isJsonObject(details ?? null) ? (details as { readonly resetSeconds?: unknown }) : {};
  return typeof reset.resetSeconds === 'number' ? reset.resetSeconds : null;
}
