/** Recorded runs of tau-bench, version 1: files, state hash, layout of the domains. */
export { readTauFolder, type TauFolder } from './folder.ts';
export { AIRLINE_LAYOUT, type TauLayout } from './layout.ts';
export { parseTauFile } from './read.ts';
export { TauStateHasher } from './state-hash.ts';
export type { TauAction, TauRun } from './types.ts';
