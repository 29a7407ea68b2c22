/** Scenarios as data: the form of the files, families, the lock. Running them is the runner's. */
export { checkConsistency } from './consistency.ts';
export { withFullTableNames } from './full-names.ts';
export { type BankLock, bankHash, lockDifferences, readLock, writeLock } from './lock.ts';
export { type PlaceOf, placed } from './placed.ts';
export { type Reference, type ResolveOptions, resolveScenario, variantRows } from './resolve.ts';
export {
  type BankFile,
  bankSchema,
  invariantSchema,
  referenceSchema,
  type ScenarioFile,
  scenarioSchema,
} from './schema.ts';
export type { BoundRows } from './template.ts';
export type { Binding, OverlayEntry, ReferenceCall, Scenario } from './types.ts';
export { type FormFault, formFault, type PlacedYaml, readYaml } from './yaml.ts';
