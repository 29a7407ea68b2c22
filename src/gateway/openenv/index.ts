/** The environment protocol of OpenEnv. */
export { type CollectRecord, collectRecord } from './collect.ts';
export { openEnvDoor } from './door.ts';
export type { Shaping } from './options.ts';
export { shimSource, toolsOfSource } from './shim.ts';
