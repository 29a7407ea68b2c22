/**
 * Labelled runs of a bank: clean ones and edits of them, made through the world. `generateTestbed` gives them
 * in memory, as `{label, trajectory, text}`.
 */
export { generateTestbed, type Testbed, type TestbedOptions } from './generate.ts';
export type { TestbedLabel, TestbedRun } from './types.ts';
