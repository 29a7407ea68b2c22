/** The repository that people write about. */
export const BEACON = { owner: 'octo-works', repo: 'beacon' } as const;

/** Its open issues by number. */
export const ISSUES: readonly number[] = Array.from({ length: 33 }, (_, index) => index + 1);

export function read(issue_number: number) {
  return { tool: 'issue_read', arguments: { method: 'get', ...BEACON, issue_number } };
}

export function write(issue_number: number, changes: Readonly<Record<string, unknown>>) {
  return { tool: 'issue_write', arguments: { method: 'update', ...BEACON, issue_number, ...changes } };
}
