import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { nearestName, type SourcePlace, UsageError } from '../base/errors.ts';
import { BANKS } from '../catalog/index.ts';
import {
  bankHash,
  checkConsistency,
  placed,
  resolveScenario,
  type Scenario,
  variantRows,
  withFullTableNames,
} from '../scenarios/index.ts';
import {
  type BankFolder,
  type BankReading,
  faultOfFile,
  loadReference,
  readBankFiles,
  type ScenarioEntry,
  throwFirst,
} from '../store/bank-files.ts';
import { KEY_VARIABLE } from '../store/sealed-files.ts';
import { type PreparedScenario, prepareScenario } from './prepare.ts';
import { checkNames } from './scenario-names.ts';
import { checkArguments } from './scenario-names-arguments.ts';
import type { WorldCache } from './worlds.ts';

/** How families are instantiated: once, or several variants from a seed. */
export interface VariantOptions {
  readonly variants: number;
  readonly variantSeed: string;
  /** Takes fewer of a family that has not so many, in place of refusing. */
  readonly orFewer?: boolean;
}

/** A bank with its scenarios resolved and ready to run. */
export interface LoadedBank {
  readonly folder: BankFolder;
  readonly name: string;
  /** Over every scenario of the bank as it was loaded, chosen or not. */
  readonly hash: string;
  readonly all: readonly PreparedScenario[];
  /** Those that were asked for, in the bank's order. */
  readonly chosen: readonly PreparedScenario[];
  /** One error for every scenario file that is no scenario; a bank that is to run has none. */
  readonly faults: readonly UsageError[];
  /** Where a scenario, or a part of it, is written. */
  readonly placeOf: (scenarioId: string, path?: readonly PropertyKey[]) => SourcePlace;
}

/**
 * Loads banks and scenarios as a person names them: a folder, a catalog name, or either with `/ID`.
 * @throws UsageError when a name is unknown, a file is not as it should be (the first, and how many more
 * there are), or two banks are mixed.
 */
export async function loadBank(
  names: readonly string[],
  worlds: WorldCache,
  options?: VariantOptions,
): Promise<LoadedBank> {
  const bank = await loadSoundParts(names, worlds, options);
  throwFirst(bank.faults);
  return bank;
}

/**
 * Loads what is sound of a bank, with an error for each file that is not, for those who look at all of it.
 * @throws UsageError when a name is unknown, the bank itself is not as it should be, or two banks are mixed.
 */
export async function loadSoundParts(
  names: readonly string[],
  worlds: WorldCache,
  options?: VariantOptions,
): Promise<LoadedBank> {
  const targets = names.map(parseTarget);
  const [first] = targets;
  if (!first)
    throw new UsageError('no-bank', 'name a bank or a scenario', { hint: 'such as banks/helpdesk' });
  if (targets.some((target) => target.directory !== first.directory)) {
    throw new UsageError('two-banks', 'a run takes scenarios of one bank', { hint: 'make a run for each' });
  }
  const ids = targets.flatMap((target) => (target.id === null ? [] : [target.id]));
  const whole = targets.some((target) => target.id === null);
  const isChosen = (id: string): boolean => whole || ids.some((one) => one.split('~')[0] === id);
  const { folder, faults, all } = await resolveFiles(first.directory, { worlds, options, isChosen });
  // The file of an unknown id may be one of those that could not be read: their errors say so.
  if (faults.length === 0) for (const id of ids) assertKnown(id, folder);
  return {
    folder,
    name: folder.bank.name,
    hash: bankHash(all.map(({ scenario }) => scenario)),
    all,
    faults,
    chosen: whole ? all : all.filter(({ scenario }) => ids.some((id) => isInstance(scenario, id))),
    placeOf: (id, path = []) => {
      const entry = folder.scenarios.find((candidate) => candidate.file.id === id.split('~')[0]);
      return entry?.place(path) ?? { file: folder.directory };
    },
  };
}

interface Resolving {
  readonly worlds: WorldCache;
  readonly options: VariantOptions | undefined;
  readonly isChosen: (id: string) => boolean;
}

async function resolveFiles(
  directory: string,
  resolving: Resolving,
): Promise<BankReading & { readonly all: readonly PreparedScenario[] }> {
  const { folder, faults: unread } = readBankFiles(directory);
  const faults = [...unread];
  const all: PreparedScenario[] = [];
  for (const entry of folder.scenarios) {
    try {
      all.push(...(await resolveEntry(folder, entry, resolving)));
    } catch (error) {
      faults.push(faultOfFile(error, entry.path));
    }
  }
  const fileOf = ({ place }: UsageError): string => place?.file ?? '';
  faults.sort((one, other) => (fileOf(one) < fileOf(other) ? -1 : 1));
  return { folder, faults, all };
}

async function resolveEntry(
  folder: BankFolder,
  entry: ScenarioEntry,
  context: Resolving,
): Promise<PreparedScenario[]> {
  const { world, bindings } = entry.file;
  const recipe = world.services.map((name) => ({ name, seed: world.seed }));
  const { options } = context;
  try {
    checkConsistency(entry.file, entry.place);
    const setting = placed(entry.place, ['world'], () => context.worlds.get(recipe));
    const { place } = entry;
    const file = withFullTableNames(entry.file, { tables: setting.world.tableNames, place });
    checkNames({ file, place }, setting);
    const reference = await loadReference(folder.directory, entry);
    const epochMs = setting.services[0]?.epochMs ?? 0;
    const base = {
      world: setting.world,
      epochMs,
      place,
      ...(reference && { reference }),
      ...(options && { variantSeed: options.variantSeed }),
    };
    const prepared = (scenario: Scenario): PreparedScenario => {
      checkArguments(scenario, { place, services: setting.services });
      return prepareScenario(scenario, setting);
    };
    if (!bindings || !options) return [prepared(resolveScenario(file, base))];
    // A family that is only there for the bank's hash is no reason to refuse the run of another.
    const drawing = { ...base, orFewer: options.orFewer ?? !context.isChosen(file.id) };
    return variantRows(file, options.variants, drawing).map((rows, index) =>
      prepared(resolveScenario(file, { ...base, rows, variant: index + 1 })),
    );
  } catch (error) {
    if (!(error instanceof UsageError) || error.place) throw error;
    const hint = error.hint === undefined ? {} : { hint: error.hint };
    throw new UsageError(error.code, error.message, { place: entry.place([]), ...hint });
  }
}

interface Target {
  readonly directory: string;
  readonly id: string | null;
}

function parseTarget(name: string): Target {
  const whole = directoryOf(name);
  if (whole) return { directory: whole, id: null };
  const parent = dirname(name);
  const bank = parent === '.' ? null : directoryOf(parent);
  if (bank) return { directory: bank, id: basename(name).replace(/\.ya?ml$/u, '') };
  const inFolder = basename(parent) === 'scenarios' ? directoryOf(dirname(parent)) : null;
  if (inFolder) return { directory: inFolder, id: basename(name).replace(/\.ya?ml$/u, '') };
  const near = nearestName(name, Object.keys(BANKS));
  throw new UsageError('unknown-bank', `there is no bank or scenario named ${name}`, {
    hint: near ? `did you mean ${near}?` : `give a bank folder, or one of ${Object.keys(BANKS).join(', ')}`,
  });
}

function directoryOf(name: string): string | null {
  if (existsSync(join(name, 'bank.yaml'))) return name.replace(/\/+$/u, '');
  return (Object.hasOwn(BANKS, name) ? BANKS[name] : undefined) ?? null;
}

function assertKnown(id: string, folder: BankFolder): void {
  const known = folder.scenarios.map((entry) => entry.file.id);
  if (known.includes(id) || known.includes(id.split('~')[0] ?? '')) return;
  if (folder.closed.includes(id)) {
    throw new UsageError('sealed', `the scenario ${id} of the bank ${folder.bank.name} is sealed`, {
      hint: `${KEY_VARIABLE} names the file with its key`,
    });
  }
  const near = nearestName(id, known);
  throw new UsageError('unknown-scenario', `the bank ${folder.bank.name} has no scenario named ${id}`, {
    hint: near
      ? `did you mean ${near}?`
      : `it has ${known.slice(0, 8).join(', ')}${known.length > 8 ? ', …' : ''}`,
  });
}

function isInstance(scenario: Scenario, id: string): boolean {
  return scenario.id === id || scenario.id.split('~')[0] === id;
}
