import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { z } from 'zod';
import { UsageError } from '../base/errors.ts';
import { isJsonObject, type JsonObject, jsonEqual } from '../base/json.ts';
import {
  type BankFile,
  checkConsistency,
  invariantSchema,
  readYaml,
  resolveScenario,
  type ScenarioFile,
  scenarioSchema,
  withFullTableNames,
} from '../scenarios/index.ts';
import { openSession } from '../session/index.ts';
import { writeWhole } from '../store/run-folder.ts';
import { readText } from '../store/text-files.ts';
import type { TauLayout, TauRun } from '../traces/tau/index.ts';
import { type PreparedScenario, prepareScenario } from './prepare.ts';
import { checkNames } from './scenario-names.ts';
import { keptInOrder, nameOfRun } from './tau-calls.ts';
import type { SeededWorld } from './worlds.ts';

/** Invariants that every task is held to besides, and the file that says them. */
export interface TauRules {
  readonly file: string;
  readonly invariants: ScenarioFile['invariants'];
}

/** Reads `invariants: [...]`, in the form of a scenario's. @throws UsageError with the place of a fault. */
export function readRules(file: string): TauRules {
  const schema = z.strictObject({ invariants: z.array(invariantSchema) });
  return { file, invariants: readYaml(readText(file), file, schema).value.invariants };
}

/** What all tasks of an import have in common. */
export interface TauSetting {
  readonly seeded: SeededWorld;
  readonly layout: TauLayout;
  readonly rules?: TauRules;
}

/** One task of tau-bench as a scenario: as it is written to a bank, and ready to score with. */
export interface TauScenario {
  readonly taskId: number;
  readonly file: ScenarioFile;
  readonly prepared: PreparedScenario;
  /** True when the task asks for no change and no words: an agent that only talks passes. */
  readonly demandsNothing: boolean;
}

export function scenarioIdOf(taskId: number, layout: TauLayout): string {
  return `${layout.domain}-${String(taskId).padStart(2, '0')}`;
}

/**
 * The tasks of recorded runs as scenarios, by number: the reference is the gold actions without those that
 * end a run, the contract what they change.
 * @throws UsageError when two runs of a task do not ask for the same.
 */
export function tauScenarios(runs: readonly TauRun[], setting: TauSetting): readonly TauScenario[] {
  const tasks = new Map<number, TauRun>();
  for (const run of runs) {
    const known = tasks.get(run.taskId);
    if (known) assertSameTask(known, run);
    else tasks.set(run.taskId, run);
  }
  return [...tasks.values()]
    .sort((left, right) => left.taskId - right.taskId)
    .map((run) => scenarioOf(run, setting));
}

function assertSameTask(known: TauRun, run: TauRun): void {
  const [one, other] = [known, run].map(({ actions, outputs }) => ({ actions, outputs }));
  if (jsonEqual(one as unknown as JsonObject, other as unknown as JsonObject)) return;
  throw new UsageError('task-differs', `${nameOfRun(run)} does not ask for what trial ${known.trial} asks`, {
    place: { file: run.file },
    hint: 'runs of one task share its gold actions and outputs: import such files apart',
  });
}

function scenarioOf(run: TauRun, { seeded, layout, rules }: TauSetting): TauScenario {
  const { calls, changes } = referenceOf(run, seeded, layout);
  const demandsNothing = !changes && run.outputs.length === 0;
  const id = scenarioIdOf(run.taskId, layout);
  const file = scenarioSchema.parse({
    id,
    title: `Task ${run.taskId} of tau-bench ${layout.domain}`,
    cluster: id,
    tags: demandsNothing ? ['demands-nothing'] : [],
    world: { services: seeded.services.map(({ name }) => name), seed: 'loaded' },
    task: { text: run.instruction === '' ? `Task ${run.taskId}` : run.instruction },
    reference: { calls, answer: run.outputs.length === 0 ? 'Done.' : run.outputs.join(', ') },
    invariants: rules?.invariants ?? [],
    graders: gradersOf(run, demandsNothing),
  });
  const place = () => ({ file: rules?.file ?? run.file });
  checkConsistency(file, place);
  const named = withFullTableNames(file, { tables: seeded.world.tableNames, place });
  checkNames({ file: named, place }, seeded);
  const scenario = resolveScenario(named, {
    world: seeded.world,
    epochMs: seeded.services[0]?.epochMs ?? 0,
  });
  return { taskId: run.taskId, file, prepared: prepareScenario(scenario, seeded), demandsNothing };
}

/** A list that demands nothing voids its trials; such a task asks at least that somebody is answered. */
function gradersOf({ outputs }: TauRun, demandsNothing: boolean): readonly JsonObject[] {
  const contract = { kind: 'contract' };
  if (outputs.length > 0) {
    return [contract, { kind: 'answer', check: { contains: [...outputs] }, in: 'messages' }];
  }
  return demandsNothing
    ? [contract, { kind: 'answer', check: { matches: ['\\S'] }, in: 'messages' }]
    : [contract];
}

/** The gold actions as reference calls, with the errors that they meet, and whether they change anything. */
function referenceOf(
  run: TauRun,
  { services, world, behaviour }: SeededWorld,
  layout: TauLayout,
): { readonly calls: readonly JsonObject[]; readonly changes: boolean } {
  const session = openSession({
    services,
    world,
    seeds: {},
    streamSeed: 'tau/gold',
    epochMs: services[0]?.epochMs ?? 0,
    behaviour,
  });
  const calls = run.actions
    .filter(({ name }) => !layout.terminating.includes(name))
    .map(({ name, kwargs }) => {
      const input = keptInOrder(kwargs, layout);
      const { step, ok } = session.call({ tool: name, input });
      const error = session.steps()[step]?.error?.code;
      return {
        tool: name,
        arguments: isJsonObject(input) ? input : {},
        ...(!ok && error !== undefined && { fails: error }),
      };
    });
  return { calls, changes: session.steps().some(({ diff }) => diff.length > 0) };
}

/** Writes scenarios as a bank, so that whatever takes a bank takes them. */
export function writeTauBank(directory: string, layout: TauLayout, scenarios: readonly TauScenario[]): void {
  mkdirSync(join(directory, 'scenarios'), { recursive: true });
  writeWhole(join(directory, 'bank.yaml'), stringify(bankFile(layout)));
  for (const { file } of scenarios) {
    writeWhole(join(directory, 'scenarios', `${file.id}.yaml`), stringify(file, { lineWidth: 0 }));
  }
}

export function bankFile(layout: TauLayout): BankFile {
  return {
    name: `tau-${layout.domain}`,
    version: '1.0.0',
    title: `Tasks of tau-bench ${layout.domain}`,
    description: 'Made of recorded runs: the contract of each task is what its gold actions change.',
    license: 'that of the recorded runs',
  };
}
