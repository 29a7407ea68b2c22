/** Scorers of others on runs of ours, and our scores for others. `docs/scorers.md` describes the protocol. */
export { SCORER_LIMITS, type ScorerLimits, scorerNamed, scoreWith } from './score-runs.ts';
export { type ScoreServer, serveScores } from './serve.ts';
export {
  SCORER_PROTOCOL,
  type ScoredRun,
  type Scorer,
  ScorerFailure,
  type ScorerReply,
  type ScorerReport,
  type ScorerRequest,
} from './types.ts';
