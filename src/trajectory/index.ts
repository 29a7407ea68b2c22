/** Trajectory records: types, writer, reader. Runs in a browser too. */
export { compareTrajectories, type TrajectoryComparison, type TrajectoryDifference } from './compare.ts';
export { type ReadOptions, readTrajectory } from './reader.ts';
export type {
  BehaviourRecord,
  ChangeRecord,
  EndReason,
  EndRecord,
  HeaderRecord,
  MessageRecord,
  StepOutcome,
  StepRecord,
  Trajectory,
  TrajectoryRecord,
  UsageRecord,
  WorldRecord,
} from './types.ts';
export { type WrittenLine, writeEnd, writeLine, writeRecord } from './writer.ts';
