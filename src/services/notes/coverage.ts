import type { CoverageEntry } from '../../service/index.ts';

/**
 * The whole operation table: what is not in it does not exist, what is `absent` exists and is not modelled.
 */
export const coverage: readonly CoverageEntry[] = [
  { operation: 'notebooks.create', status: 'supported' },
  { operation: 'notebooks.list', status: 'supported', note: 'not paged: a person has few' },
  { operation: 'notes.create', status: 'supported' },
  { operation: 'notes.get', status: 'supported' },
  { operation: 'notes.list', status: 'supported' },
  { operation: 'notes.update', status: 'supported' },
  { operation: 'notes.delete', status: 'supported' },
  { operation: 'notes.tag', status: 'supported' },
  { operation: 'notes.open', status: 'supported' },
  { operation: 'notes.share', status: 'partial', note: 'codes are given, never taken back' },
  { operation: 'tokens.create', status: 'partial', note: 'tokens do not expire' },
  { operation: 'tokens.revoke', status: 'supported' },
  {
    operation: 'notes.export',
    status: 'absent',
    note: 'files are not modelled',
    http: { method: 'GET', path: '/notes/{id}/export' },
  },
];
