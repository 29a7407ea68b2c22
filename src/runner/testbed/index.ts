/**
 * Labelled runs of a bank: clean ones and edits of them, made through the world. `generateTestbed` gives them
 * in memory, as `{label, trajectory, text}`; `writeTestbed` writes them into a folder.
 */
export { FORMATS, type TestbedFormat } from './files.ts';
export { generateTestbed, type Testbed, type TestbedOptions } from './generate.ts';
export type { TestbedLabel, TestbedRun } from './types.ts';
export { type TestbedManifest, writeTestbed } from './write.ts';
