import type { FaultRule } from '../../faults/index.ts';
import type { Trajectory } from '../../trajectory/index.ts';
import type { ToolCall } from '../types.ts';

/** On which side of the door a run was edited. */
export type EditSide = 'call' | 'response' | 'reply';

/** What is known of one run of a testbed: a line of `labels.jsonl`. */
export interface TestbedLabel {
  /** The run's id; it says nothing about the label. */
  readonly run: string;
  /** The clean run that this one is an edit of; of a clean run itself. */
  readonly pair: string;
  readonly bank: string;
  /** The scenario, or the family that the instance is of. */
  readonly scenario: string;
  /** What was asked for: a scenario, or a variant of a family. Runs of one instance count as one cluster. */
  readonly instance: string;
  readonly trial: number;
  readonly seed: string;
  /** What was done to the run; null for a clean one. */
  readonly kind: string | null;
  readonly side: EditSide | null;
  /**
   * The step at fault, from 0; null for a clean run. Of an edit of the reply it is the number of steps: the
   * place behind the last call. Of a premature stop it is the last call that was made.
   */
  readonly step: number | null;
  /** True when the answer is that of the clean twin, letter for letter; null for a clean run. */
  readonly silent: boolean | null;
  /** True when the graders find otherwise than for the twin; null for a clean run. */
  readonly outcomeChanged: boolean | null;
  /** What the graders say of this run. */
  readonly success: boolean;
}

/** One run of a testbed: the finished trajectory, its file byte for byte, and its label. */
export interface TestbedRun {
  readonly label: TestbedLabel;
  readonly trajectory: Trajectory;
  readonly text: string;
}

/** A call to make in place of planned ones. */
export interface EditedCall {
  readonly call: ToolCall;
  /** The planned call whose answer this one stands for; null when it stands for none. */
  readonly stands: number | null;
}

/** How a run that was cut ends. */
export type CutEnd = 'answer' | 'silence';

/** One edit of a clean run. */
export interface Edit {
  readonly kind: string;
  readonly side: EditSide;
  /** The planned call from which on the run differs from its twin. */
  readonly at: number;
  /** The step that the label names. */
  readonly step: number;
  /** In place of the planned calls from `at` on, so many of them. */
  readonly calls?: readonly EditedCall[];
  readonly replaced?: number;
  /** What strikes the planned call `at`. */
  readonly rule?: FaultRule;
  /** The edit is none unless an answer to one of so many further calls differs from the clean one. */
  readonly showsWithin?: number;
  /** The run ends before the planned call `at`. */
  readonly cut?: CutEnd;
  /** What is said behind the reply. */
  readonly claim?: string;
  /** The planned call that is never made: what only its answer would tell is taken from elsewhere. */
  readonly skipped?: number;
  /** True when the edit is none unless the edited call succeeds. */
  readonly mustSucceed?: boolean;
}
