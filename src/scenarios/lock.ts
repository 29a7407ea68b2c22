import { z } from 'zod';
import { digestJson } from '../base/digest.ts';
import { type SourcePlace, UsageError } from '../base/errors.ts';
import type { Json } from '../base/json.ts';
import type { BehaviourRecord } from '../trajectory/types.ts';
import type { Scenario } from './types.ts';
import { readYaml } from './yaml.ts';

const lockSchema = z.strictObject({
  format: z.literal('groundhog.bank-lock'),
  version: z.literal(1),
  bank: z.strictObject({ name: z.string(), version: z.string(), hash: z.string() }),
  behaviour: z.strictObject({ engine: z.string(), services: z.record(z.string(), z.string()) }),
  /** Merkle roots of the seeded worlds, by `services/seed`. */
  seeds: z.record(z.string(), z.string()),
  scenarios: z.record(
    z.string(),
    z.strictObject({
      hash: z.string(),
      /** Content digest of the world after the reference. */
      end: z.string(),
      calls: z.int().nonnegative(),
    }),
  ),
});

/** What a bank was certified as: content, seeds and the code that ran it. */
export type BankLock = z.infer<typeof lockSchema>;

/** One hash for a whole bank: its scenarios' ids and hashes, sorted by id. */
export function bankHash(scenarios: readonly Scenario[]): string {
  const hashes = scenarios.map(({ id, hash }): Json => [id, hash]);
  return digestJson(hashes.sort((left, right) => (String(left) < String(right) ? -1 : 1)));
}

/** Reads a lock file's text. @throws UsageError when it is no lock. */
export function readLock(text: string, file: string): BankLock {
  try {
    JSON.parse(text);
  } catch {
    throw new UsageError('lock', 'the lock is not JSON', { place: damagedPlace(text, file), hint: ANEW });
  }
  try {
    // JSON is YAML, and this reader knows where everything stands.
    return readYaml(text, file, lockSchema).value;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError('lock', error.message, { ...(error.place && { place: error.place }), hint: ANEW });
  }
}

const ANEW = 'write it anew with `groundhog bank lock`';

/** Where a text stops being JSON, as far as the other reader can tell. */
function damagedPlace(text: string, file: string): SourcePlace {
  try {
    readYaml(text, file, z.unknown());
  } catch (error) {
    if (error instanceof UsageError && error.place) return error.place;
  }
  return { file, line: 1, column: 1 };
}

/** The text of a lock file: stable order, so that a diff shows what changed. */
export function writeLock(lock: BankLock): string {
  return `${JSON.stringify(lock, null, 2)}\n`;
}

/** One sentence for each way in which a bank is no longer what its lock says. */
export function lockDifferences(lock: BankLock, current: BankLock): string[] {
  const found: string[] = [];
  for (const id of new Set([...Object.keys(lock.scenarios), ...Object.keys(current.scenarios)])) {
    const [was, is] = [lock.scenarios[id], current.scenarios[id]];
    if (!was) found.push(`${id} is not in the lock`);
    else if (!is) found.push(`${id} is in the lock and no longer in the bank`);
    else if (was.hash !== is.hash) found.push(`${id} was edited since it was locked`);
    else if (was.end !== is.end) found.push(`${id} ends in another world than when it was locked`);
  }
  for (const name of changedParts(lock.behaviour, current.behaviour)) {
    found.push(`the behaviour of ${name} is another than when the bank was locked`);
  }
  for (const [seed, root] of Object.entries(current.seeds)) {
    if (lock.seeds[seed] !== root) found.push(`the seed ${seed} is another than when the bank was locked`);
  }
  if (lock.bank.version !== current.bank.version) {
    found.push(`the bank is at ${current.bank.version}, the lock at ${lock.bank.version}`);
  }
  return found;
}

function changedParts(was: BehaviourRecord, is: BehaviourRecord): string[] {
  const names = Object.keys(is.services).filter((name) => was.services[name] !== is.services[name]);
  return was.engine === is.engine ? names : ['the engine', ...names];
}
