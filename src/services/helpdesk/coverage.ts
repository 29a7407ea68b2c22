import type { CoverageEntry } from '../../service/index.ts';
import { operations } from './tools.ts';

/** A domain world has no vendor whose table could be longer than ours: everything it names, it does. */
export const coverage: readonly CoverageEntry[] = operations.map((operation) => ({
  operation: operation.id,
  status: 'supported',
}));
