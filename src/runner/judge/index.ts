/** Judges at work: labels and verdicts read from files. */
export { readJudgeLabels, readJudgeVerdicts } from './label-files.ts';
