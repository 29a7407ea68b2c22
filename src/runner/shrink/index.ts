export { shortestFailing } from './delta-debug.ts';
export { shrinkRun } from './shrink.ts';
export type { KeptCall, ShrunkRun } from './types.ts';
