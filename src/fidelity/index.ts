/** Recorded exchanges of real services: reading, replaying, comparing, scoring. */
export { readCorpus, scenariosOf } from './corpus.ts';
export { describedOperations } from './description.ts';
export { type Drift, driftOf, hasDrifted } from './drift.ts';
export type { Floor, Floors } from './floors.ts';
export { recordLive } from './live.ts';
export type { MissGroup } from './misses.ts';
export { fidelityPage, measuredDigest } from './page.ts';
export { publishedOf } from './published.ts';
export { Redaction } from './redaction.ts';
export { type FidelityReport, measure } from './report.ts';
export type { Figures, Score, Split } from './score.ts';
export { Throttle } from './throttle.ts';
export type * from './types.ts';
