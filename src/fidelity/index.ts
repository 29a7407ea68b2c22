/** Recorded exchanges of real services: reading, replaying, comparing, scoring. */
export { readCorpus } from './corpus.ts';
export { type Floor, type Floors, floorsOf } from './floors.ts';
export { type MissGroup, missGroups } from './misses.ts';
export { type PublishedMembers, publishedMembers, readDescription } from './published.ts';
export { isWrite, type ReplayOptions, replayCorpus, servedOperations } from './replay.ts';
export { type Figures, type Rates, type Score, type Split, scoreOf } from './score.ts';
export type * from './types.ts';
