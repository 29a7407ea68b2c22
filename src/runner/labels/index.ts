/** Labels of failed trials: their file, the screen that takes them, agreement of two labellers. */
export { type LabelAgreement, labelAgreement } from './agreement.ts';
export { type FailedTrial, failedTrials } from './failures.ts';
export { appendLabel, exportLabels, readLabels } from './label-file.ts';
export { type Key, type LabelState, press, startLabelling } from './machine.ts';
export { screenOf } from './screen.ts';
export { type FailureLabel, labelKey, placeText } from './types.ts';
