import type { SeededRandom } from '../../base/random.ts';
import type { FaultRule } from '../../faults/index.ts';
import type { RiskName, RiskPlace, TrialScore } from '../../scoring/index.ts';
import type { Trajectory } from '../../trajectory/index.ts';
import type { CleanRun, Edit } from '../testbed/index.ts';
import type { OfferedTool } from '../types.ts';

/** One way to put a risk into a clean run. */
export interface RiskEdit {
  readonly place: RiskPlace;
  /** The step at which the risk takes hold, from 0. */
  readonly step: number;
  readonly tool: string;
  readonly argument?: string;
  /** What was put in: the planted words, the invented value, the name that does not exist. */
  readonly evidence: string;
  /** Rules of a fault plan that hold from the start. */
  readonly rules?: readonly FaultRule[];
  /** What the agent does otherwise; it does what it did where left out. */
  readonly edit?: Edit;
  /** The task as it is put then. */
  readonly task?: string;
  /** The task as the twin has it, where that is not the scenario's either. */
  readonly twinTask?: string;
}

/** Every way in which one risk could be put into a clean run, in a drawn order. */
export type RiskMutator = (clean: CleanRun, random: SeededRandom) => Iterable<RiskEdit>;

/** A run with a risk in it, or a benign one. */
export interface PlayedRisk {
  readonly trajectory: Trajectory;
  /** The trajectory's file, byte for byte. */
  readonly text: string;
  readonly score: TrialScore;
  /** What the agent was offered, as it was shown to it. */
  readonly tools: readonly OfferedTool[];
}

export type RiskMutators = Readonly<Record<RiskName, RiskMutator>>;
