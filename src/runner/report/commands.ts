import type { ReportRun } from './read-run.ts';

/** The command that prints a trial. */
export function showCommand(
  run: ReportRun,
  { scenario, trial }: { readonly scenario: string; readonly trial: number },
): string {
  return `groundhog show ${shellWord(run.directory)} ${shellWord(scenario)} --trial ${trial}`;
}

/** The command that lists what did not succeed. */
export function failedCommand(run: ReportRun): string {
  return `groundhog show ${shellWord(run.directory)} --failed`;
}

/** A word that a shell takes as it stands. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./~-]+$/u.test(text) && !text.startsWith('~')
    ? text
    : `'${text.replaceAll("'", `'\\''`)}'`;
}
