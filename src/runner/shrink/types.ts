import type { Json } from '../../base/json.ts';
import type { Trajectory } from '../../trajectory/index.ts';

/** What a run breaks first. A shrunk run breaks the same, whatever the message says of it. */
export interface Breach {
  /** The check that failed first: `contract`, `answer`, `invariant ID` and so on. */
  readonly check: string;
  /** Of a contract: the table, and what was or should have been done in it. */
  readonly table?: string;
  readonly op?: 'insert' | 'update' | 'delete';
  readonly message: string;
  /** The step that broke it; null where something was left out. */
  readonly step: number | null;
}

/** A call that a shrunk run keeps. */
export interface KeptCall {
  /** Its step in the run that was shrunk. */
  readonly step: number;
  readonly tool: string;
  /** As it is made in the shrunk run: ids that earlier calls drew are those that they draw there. */
  readonly arguments: Json;
}

/** The shortest run found that fails as the whole one does. */
export interface ShrunkRun {
  /** Calls of the whole run, and of the shrunk one. */
  readonly from: number;
  readonly to: number;
  readonly calls: readonly KeptCall[];
  readonly check: Breach;
  /** Lists of calls that were played. */
  readonly played: number;
  readonly trajectory: Trajectory;
  /** The trajectory as a file. */
  readonly text: string;
}
