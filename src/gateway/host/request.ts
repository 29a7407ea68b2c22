import { UsageError } from '../../base/errors.ts';
import type { SessionOptions } from '../../session/index.ts';
import type { OpenRequest } from './types.ts';

/** From the year 1 to the end of 9999: dates of a world then have four digits, as vendors write them. */
const EPOCH_LEAST_MS = -62_135_596_800_000;
const EPOCH_MOST_MS = 253_402_300_799_999;

/** @throws UsageError for a request that no source could make a world of. */
export function assertPlausible({ epochMs = 0, services = [] }: OpenRequest): void {
  if (!Number.isSafeInteger(epochMs) || epochMs < EPOCH_LEAST_MS || epochMs > EPOCH_MOST_MS) {
    throw new UsageError('bad-epoch', `a world starts between the years 1 and 9999, not at ${epochMs}`, {
      hint: 'epochMs is milliseconds since 1970',
    });
  }
  assertNoneTwice(
    'the service',
    services.map((service) => service.split('/', 1)[0] ?? ''),
  );
}

/** @throws UsageError when two actors or two fault rules of a session have one id. */
export function assertDistinct({ actors = [], faults }: SessionOptions): void {
  assertNoneTwice(
    'the actor',
    actors.map(({ id }) => id),
  );
  assertNoneTwice('the fault rule', faults?.rules.map(({ id }) => id) ?? []);
}

function assertNoneTwice(what: string, ids: readonly string[]): void {
  const seen = new Set<string>();
  for (const id of ids) {
    if (seen.has(id)) throw new UsageError('id-taken', `${what} ${id} is named twice`);
    seen.add(id);
  }
}
