/** Judges: what they may be asked, how they are asked, and how far they can be trusted. */

export { type Asking, askJudge, promptKey, sumUsage } from './ask.ts';
export { type Calibration, examineJudges, type JudgeExam } from './exam.ts';
export { MOST_EXAMPLES } from './examples.ts';
export {
  askPair,
  familyOf,
  judgePair,
  type PairHabits,
  type PairJudgement,
  type PairQuestion,
  pairHabits,
  pairPrompt,
  type WeighedPair,
} from './pairs.ts';
export { type JudgePrompt, judgePrompt, PROMPT_VERSION } from './prompts.ts';
export { type AskableQuestion, type RefusedQuestion, readQuestion } from './question.ts';
export { shownLength } from './transcript.ts';
export {
  type FewShotPrice,
  JUDGE_KINDS,
  type JudgedRun,
  type JudgeKind,
  type JudgeQuestion,
  type JudgeRecord,
  type JudgeSettings,
  type PairRecord,
} from './types.ts';
export {
  type Confusion,
  GATING_LEAST,
  type JudgeLabel,
  type JudgeValidation,
  type JudgeVerdict,
  validateJudges,
} from './validate.ts';
export { type Ask, outcomeView, type RunJudgement, stepView, verdictOf } from './views.ts';
