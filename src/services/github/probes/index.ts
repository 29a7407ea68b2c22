import type { Probe } from '../../../service/index.ts';

/** One fact per operation at least, each asked of the small seed. */
export const probes: readonly Probe[] = [];
