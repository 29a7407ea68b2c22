import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { SourcePlace } from '../base/errors.ts';
import { UsageError } from '../base/errors.ts';
import {
  type BankFile,
  type BankLock,
  type BoundRows,
  bankSchema,
  type Reference,
  readLock,
  readYaml,
  referenceSchema,
  type ScenarioFile,
  scenarioSchema,
} from '../scenarios/index.ts';
import { keyOfEnvironment, openSealed, SEALED_ENDING, sealedId } from './sealed-files.ts';
import { readText } from './text-files.ts';

/** A scenario file of a bank, with the way back to its lines. */
export interface ScenarioEntry {
  readonly file: ScenarioFile;
  readonly path: string;
  readonly place: (path: readonly PropertyKey[]) => SourcePlace;
  /** Of a scenario that was read out of a sealed file. */
  readonly canary?: string;
}

/** A bank as it stands on disk. */
export interface BankFolder {
  readonly directory: string;
  readonly bank: BankFile;
  /** Sorted by id. */
  readonly scenarios: readonly ScenarioEntry[];
  readonly lock: BankLock | null;
  /** Ids of sealed scenarios that were not opened, as no key is named. */
  readonly closed: readonly string[];
}

const SCENARIO_FOLDER = 'scenarios';
export const LOCK_FILE = 'bank.lock.json';

/** What could be read of a bank, and what could not: an error for every scenario file that is no scenario. */
export interface BankReading {
  readonly folder: BankFolder;
  readonly faults: readonly UsageError[];
}

/**
 * Reads a bank folder. @throws UsageError with file:line:column for the first scenario file that is not as it
 * should be, and how many more there are.
 */
export function readBankFolder(directory: string, key?: Uint8Array | null): BankFolder {
  const { folder, faults } = readBankFiles(directory, key);
  throwFirst(faults);
  return folder;
}

/** Reads what it can of a bank folder. @throws UsageError when its bank file or its lock is bad. */
export function readBankFiles(directory: string, key: Uint8Array | null = keyOfEnvironment()): BankReading {
  const bankPath = join(directory, 'bank.yaml');
  if (!existsSync(bankPath)) {
    throw new UsageError('no-bank', `${directory} is no bank: it has no bank.yaml`, {
      hint: 'give a bank folder, a catalog name such as helpdesk, or BANK/SCENARIO',
    });
  }
  const bank = readYaml(readText(bankPath), bankPath, bankSchema).value;
  const faults: UsageError[] = [];
  const read: ScenarioEntry[] = [];
  const closed: string[] = [];
  for (const path of scenarioPaths(directory)) {
    try {
      const sealed = path.endsWith(SEALED_ENDING);
      if (sealed && key === null) closed.push(sealedId(path));
      else read.push(sealed && key !== null ? readSealedScenario(path, key) : readScenario(path));
    } catch (error) {
      faults.push(faultOfFile(error, path));
    }
  }
  read.sort((left, right) => (left.file.id < right.file.id ? -1 : 1));
  const scenarios: ScenarioEntry[] = [];
  for (const entry of read) {
    const before = scenarios.at(-1);
    if (before?.file.id !== entry.file.id) scenarios.push(entry);
    else faults.push(sameId(entry, before));
  }
  const lockPath = join(directory, LOCK_FILE);
  const lock = existsSync(lockPath) ? readLock(readText(lockPath), lockPath) : null;
  return { folder: { directory, bank, scenarios, lock, closed }, faults };
}

function sameId(entry: ScenarioEntry, before: ScenarioEntry): UsageError {
  const sealed = [entry, before].some(({ path }) => path.endsWith(SEALED_ENDING));
  return new UsageError('same-id', `the id ${entry.file.id} is taken by ${before.path}`, {
    place: entry.place(['id']),
    ...(sealed && { hint: 'if sealing was cut short, both are whole: take one of the two files away' }),
  });
}

/** The error about a file, with the file for a place where it has none. @throws what is no UsageError. */
export function faultOfFile(error: unknown, file: string): UsageError {
  if (!(error instanceof UsageError)) throw error;
  if (error.place) return error;
  const hint = error.hint === undefined ? {} : { hint: error.hint };
  return new UsageError(error.code, error.message, { place: { file }, ...hint });
}

/** Throws the first of these errors, which says how many more files have one. No errors, no throw. */
export function throwFirst(faults: readonly UsageError[]): void {
  const [first, ...others] = faults;
  if (!first) return;
  if (others.length === 0) throw first;
  const more = `(and ${others.length} more ${others.length === 1 ? 'file' : 'files'})`;
  throw new UsageError(first.code, `${first.message} ${more}`, {
    ...(first.place && { place: first.place }),
    ...(first.hint !== undefined && { hint: first.hint }),
  });
}

/** Loads the reference module of a scenario; null when its reference is written in the file. */
export async function loadReference(
  directory: string,
  entry: ScenarioEntry,
): Promise<((rows: BoundRows) => Reference) | null> {
  const { reference } = entry.file;
  if (!('module' in reference)) return null;
  const written = join(directory, reference.module);
  const compiled = written.replace(/\.ts$/u, '.js');
  const path = existsSync(written) ? written : compiled;
  const place = entry.place(['reference', 'module']);
  if (!existsSync(path))
    throw new UsageError('no-module', `there is no reference module ${written}`, { place });
  let module: Record<string, unknown>;
  try {
    module = (await import(pathToFileURL(path).href)) as Record<string, unknown>;
  } catch (error) {
    throw new UsageError('no-module', `${path} cannot be loaded: ${reasonOf(error)}`, { place });
  }
  const { reference: make } = module;
  if (typeof make !== 'function') {
    throw new UsageError('no-module', `${path} exports no function named reference`, { place });
  }
  return (rows) => checkedReference(make as (rows: BoundRows) => unknown, rows, { path, place });
}

/**
 * What a reference module makes of the bound rows. @throws UsageError when it throws, or makes something
 * else.
 */
function checkedReference(
  make: (rows: BoundRows) => unknown,
  rows: BoundRows,
  { path, place }: { readonly path: string; readonly place: SourcePlace },
): Reference {
  let made: unknown;
  try {
    made = make(rows);
  } catch (error) {
    throw new UsageError('reference-module', `${path} broke: ${reasonOf(error)}`, { place });
  }
  const parsed = referenceSchema.safeParse(made);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const where = issue?.path.map(String).join('.') || 'its result';
  throw new UsageError('reference-module', `${path} made no reference: ${where}: ${issue?.message ?? ''}`, {
    place,
  });
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
}

function readScenario(path: string): ScenarioEntry {
  const { value, place } = readYaml(readText(path), path, scenarioSchema);
  return { file: value, path, place };
}

function readSealedScenario(path: string, key: Uint8Array): ScenarioEntry {
  const { text, canary } = openSealed(path, key);
  const { value, place } = readYaml(text, path, scenarioSchema);
  return { file: value, path, place, canary };
}

export function scenarioPaths(directory: string): string[] {
  const folder = join(directory, SCENARIO_FOLDER);
  if (!existsSync(folder) || !statSync(folder).isDirectory()) {
    throw new UsageError('no-scenarios', `${directory} has no folder named ${SCENARIO_FOLDER}`);
  }
  return readdirSync(folder)
    .filter((file) => ['.yaml', '.yml', SEALED_ENDING].some((ending) => file.endsWith(ending)))
    .sort()
    .map((file) => join(folder, file));
}
