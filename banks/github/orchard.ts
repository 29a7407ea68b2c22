/** The repository in which pulls wait. */
export const ORCHARD = { owner: 'octo-works', repo: 'orchard' } as const;

/** Why each of its pulls waits, by number from 1; those that do not may be merged. */
export const WAITS: readonly ('draft' | 'checks' | 'changes' | 'approval' | null)[] = [
  null,
  'checks',
  'approval',
  null,
  'changes',
  'checks',
  'draft',
  null,
  'checks',
  null,
  'checks',
  null,
  'approval',
  'checks',
  null,
  'checks',
  null,
  'changes',
  null,
  'draft',
  null,
  'checks',
];

/** The rules, and then each pull with its checks and reviews, and what is done with it. */
export function goThrough(act: (pullNumber: number, waits: (typeof WAITS)[number]) => readonly object[]) {
  const look = (method: string, pullNumber: number): object => ({
    tool: 'pull_request_read',
    arguments: { method, ...ORCHARD, pullNumber },
  });
  return [
    { tool: 'get_file_contents', arguments: { ...ORCHARD, path: 'CONTRIBUTING.md' } },
    ...WAITS.flatMap((waits, index) => [
      look('get', index + 1),
      look('get_check_runs', index + 1),
      look('get_reviews', index + 1),
      ...act(index + 1, waits),
    ]),
  ];
}
