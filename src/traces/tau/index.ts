/** Recorded runs of tau-bench, version 1: files, state hash, layout of the domains. */
export { readTauFolder, type TauFolder } from './folder.ts';
export { AIRLINE_LAYOUT, type TauLayout } from './layout.ts';
export { parseTauFile, type TauFile } from './read.ts';
export { hashDatabase, TauStateHasher, tupleText } from './state-hash.ts';
export type { TauAction, TauCall, TauReplayFile, TauRun } from './types.ts';
