import { ISSUES, read, write } from './beacon.ts';

/** The reference of the scenario `share-the-work`. */
export function reference() {
  const calls = ISSUES.flatMap((issue) => [
    read(issue),
    write(issue, { assignees: [issue % 2 === 1 ? 'hubert' : 'ada-jansen'] }),
  ]);
  return { calls, answer: '17 went to hubert, 16 to ada-jansen.' };
}
