import type { RandomState } from '../base/random.ts';
import type { CompiledSchema } from './compile.ts';
import type { TableState } from './table.ts';

/** What a world consists of, apart from what can be computed from it. */
export interface WorldParts {
  readonly schema: CompiledSchema;
  readonly tables: readonly TableState[];
  readonly clockMs: number;
  readonly seed: string;
  /** Ids drawn so far, by position of the table. */
  readonly draws: readonly number[];
  readonly random: RandomState;
}
