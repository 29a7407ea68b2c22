/** Scorers of others on runs of ours, and our scores for others. `docs/scorers.md` describes the protocol. */
export { assertScorers, scoreWith } from './score-runs.ts';
export { serveScores } from './serve.ts';
export type { ScorerReport } from './types.ts';
