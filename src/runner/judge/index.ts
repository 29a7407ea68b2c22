/** Judges at work: labels and verdicts read from files, and exams held on them. */
export { detectorVerdicts, type ExamRun, type JudgeView } from './detector.ts';
export { examRunsIn, examRunsOf, type HeldExam, holdExam } from './exam.ts';
export { readJudgeLabels, readJudgeVerdicts } from './label-files.ts';
