/**
 * Labelled runs of a bank: clean ones and edits of them, made through the world. `generateTestbed` gives them
 * in memory, as `{label, trajectory, text}`; `writeTestbed` writes them into a folder.
 */
export { CALL_EDITS } from './call-edits.ts';
export { type CleanRun, cleanRun, schemaOf } from './clean.ts';
export { FORMATS, type TestbedFormat } from './files.ts';
export { assertFree, type DataManifest, sealed, writeFolder } from './folder.ts';
export { generateTestbed, type Testbed } from './generate.ts';
export { testbedBank } from './instances.ts';
export { firstDifference } from './mutant.ts';
export type { PlannedCall, Template } from './plan.ts';
export { playEdited } from './play.ts';
export type { Edit, TestbedLabel, TestbedRun } from './types.ts';
export { type TestbedManifest, writeTestbed } from './write.ts';
