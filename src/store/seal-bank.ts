import { existsSync, realpathSync, rmSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { UsageError } from '../base/errors.ts';
import { readBankFolder, type ScenarioEntry } from './bank-files.ts';
import { writeWhole } from './run-lines.ts';
import { keyFile, openSealed, readKey, SEALED_ENDING, sealText } from './sealed-files.ts';
import { readText } from './text-files.ts';

/** What was sealed or opened. */
export interface SealingResult {
  readonly scenarios: readonly string[];
  /** True when the key file was written by this. */
  readonly keyMade: boolean;
}

export interface SealingOptions {
  readonly keyPath: string;
  /** Ids; every scenario when left out. */
  readonly ids?: readonly string[];
}

/**
 * Encrypts scenario files of a bank, each into a sealed file in its place. A file is taken away only once its
 * sealed one was opened again and gave the same text.
 * @throws UsageError for a key within the bank, another key than the one that sealed a part of it before, an
 *   unknown id, and a scenario whose reference is a module
 */
export function sealBank(directory: string, { keyPath, ids }: SealingOptions): SealingResult {
  assertOutside(directory, keyPath);
  const bank = readBankFolder(directory, existsSync(keyPath) ? readKey(keyPath) : null);
  if (bank.closed.length > 0) {
    throw new UsageError(
      'other-key',
      `${bank.closed[0]} is sealed under another key than ${keyPath} would be`,
      {
        hint: 'a bank has one key: give the one that sealed it',
      },
    );
  }
  const open = bank.scenarios.filter(({ path }) => !path.endsWith(SEALED_ENDING));
  const chosen = chosenOf(open, ids, 'no open scenario');
  for (const entry of chosen) assertWhole(entry);
  const { key, made } = keyFile(keyPath);
  for (const { file, path } of chosen) {
    const text = readText(path);
    const sealed = join(dirname(path), `${file.id}${SEALED_ENDING}`);
    writeWhole(sealed, sealText(file.id, text, key));
    if (openSealed(sealed, key).text !== text) throw new Error(`${sealed} does not give back its text`);
    rmSync(path);
  }
  return { scenarios: chosen.map(({ file }) => file.id), keyMade: made };
}

/** Writes sealed scenarios as plain files again. @throws UsageError for a wrong key or an unknown id */
export function unsealBank(directory: string, { keyPath, ids }: SealingOptions): SealingResult {
  const key = readKey(keyPath);
  const sealed = readBankFolder(directory, key).scenarios.filter(({ path }) => path.endsWith(SEALED_ENDING));
  const chosen = chosenOf(sealed, ids, 'no sealed scenario');
  const plainOf = ({ file, path }: ScenarioEntry): string => join(dirname(path), `${file.id}.yaml`);
  const taken = chosen.map(plainOf).find((plain) => existsSync(plain));
  if (taken !== undefined) {
    throw new UsageError('exists', `${taken} is there already`, { hint: 'move it away' });
  }
  for (const entry of chosen) {
    const { path } = entry;
    const plain = plainOf(entry);
    writeWhole(plain, openSealed(path, key).text);
    rmSync(path);
  }
  return { scenarios: chosen.map(({ file }) => file.id), keyMade: false };
}

function chosenOf(
  entries: readonly ScenarioEntry[],
  ids: readonly string[] | undefined,
  none: string,
): readonly ScenarioEntry[] {
  const known = new Set(entries.map(({ file }) => file.id));
  const unknown = ids?.find((id) => !known.has(id));
  if (unknown !== undefined) {
    throw new UsageError('unknown-scenario', `the bank has ${none} named ${unknown}`, {
      hint: `it has ${[...known].slice(0, 8).join(', ') || 'none'}`,
    });
  }
  const chosen = ids === undefined ? entries : entries.filter(({ file }) => ids.includes(file.id));
  if (chosen.length === 0) throw new UsageError('nothing-to-seal', `the bank has ${none}`);
  return chosen;
}

/** A key that lies beside what it opens seals nothing; nor does one that a link puts there. */
function assertOutside(directory: string, keyPath: string): void {
  const inside = relative(real(directory), real(keyPath));
  if (inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)) return;
  throw new UsageError('key-inside', `the key ${keyPath} would lie within the bank`, {
    hint: 'keep it where the bank is not published: --key ~/keys/bank.key',
  });
}

/** A path without links, as far as it is there. */
function real(path: string): string {
  const whole = resolve(path);
  if (existsSync(whole)) return realpathSync(whole);
  const parent = dirname(whole);
  return parent === whole ? whole : join(real(parent), basename(whole));
}

function assertWhole({ file, place }: ScenarioEntry): void {
  if (!('module' in file.reference)) return;
  throw new UsageError(
    'module-reference',
    `${file.id} has its reference in a module, which would stay readable`,
    {
      place: place(['reference', 'module']),
      hint: 'write the reference into the scenario, or leave this one open',
    },
  );
}
