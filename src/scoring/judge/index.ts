/** Judges: what they may be asked, and how far they can be trusted. */
export {
  type Confusion,
  GATING_LEAST,
  type JudgeLabel,
  type JudgeValidation,
  type JudgeVerdict,
  validateJudges,
} from './validate.ts';
