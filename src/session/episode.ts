import type { Digest } from '../base/digest.ts';
import type { Actor } from '../service/types.ts';
import type { WorldValue } from '../world/types.ts';
import type { Toolbox } from './toolbox.ts';
import type { SessionOptions } from './types.ts';

/** Everything about an episode that never changes, shared by all its forks. */
export interface Episode {
  readonly options: SessionOptions;
  readonly toolbox: Toolbox;
  readonly offered: ReadonlySet<string>;
  /** Whether nothing is held back: then operations that are no tool can be called too. */
  readonly offersAll: boolean;
  readonly actors: readonly Actor[];
  readonly headerHash: Digest;
  readonly start: WorldValue;
  /** Seeds the latency draws. */
  readonly latencySeed: number;
}
