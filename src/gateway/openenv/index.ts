/** The environment protocol of OpenEnv. */
export { openEnvDoor } from './door.ts';
export type { OpenEnvOptions, Shaping } from './options.ts';
