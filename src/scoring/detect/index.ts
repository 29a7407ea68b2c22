/** Faulty steps of a run, found from what its agent saw. `docs/detection.md` says how well. */
export { type DetectModel, detector, learn } from './detect.ts';
export {
  crossValidated,
  type DetectionFigures,
  type DetectLabel,
  type DetectOutcome,
  detectionFigures,
  type KindFigures,
} from './evaluate.ts';
export {
  DETECT_KINDS,
  type DetectCall,
  type DetectKind,
  type DetectMessage,
  type DetectRun,
  type DetectTool,
  type Finding,
} from './types.ts';
