/** The environment protocol of OpenEnv. */
export { type Collected, type CollectRecord, collectRecord } from './collect.ts';
export { openEnvDoor } from './door.ts';
export type { OpenEnvOptions, Shaping } from './options.ts';
export { type ShimRequest, shimSource, toolsOfSource } from './shim.ts';
