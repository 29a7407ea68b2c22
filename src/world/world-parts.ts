import type { RandomState } from '../base/random.ts';
import type { CompiledSchema } from './compile.ts';
import type { Slots } from './slots.ts';
import type { TableState } from './table.ts';

/** What a world consists of, apart from what can be computed from it. */
export interface WorldParts {
  readonly schema: CompiledSchema;
  /** By position; each knows how many ids were drawn for it. */
  readonly tables: Slots<TableState>;
  readonly clockMs: number;
  readonly seed: string;
  readonly random: RandomState;
}
