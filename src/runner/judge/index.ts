/** Judges at work: what they are asked, labels and verdicts read from files, and exams held on them. */
export { detectorVerdicts, type ExamRun } from './detector.ts';
export {
  examRunsIn,
  examRunsOf,
  holdExam,
  modelVerdicts,
  verdictsWithoutModel,
} from './exam.ts';
export type { Judge } from './judge.ts';
export { judgeNamed } from './judge-named.ts';
export { readJudgedRuns, type SourcedRun } from './judged-runs.ts';
export { readJudgeLabels, readJudgeVerdicts } from './label-files.ts';
export { RETENTIONS, SealedGuard } from './sealed-guard.ts';
