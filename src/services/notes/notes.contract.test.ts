import { describe, it } from 'vitest';
import { describeConformance } from '../../testing/index.ts';
import { notes, probes } from './index.ts';

describeConformance(
  notes,
  {
    probes,
    listings: [
      {
        operation: 'notes.list',
        input: {},
        items: 'notes',
        limit: 'limit',
        cursor: 'after',
        next: 'next_after',
      },
    ],
  },
  { describe, it },
);
