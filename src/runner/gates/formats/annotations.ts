import type { GateReport } from '../gate-runs.ts';

/** A gate as workflow commands of GitHub Actions: an error or a warning for each check that did not pass. */
export function gateAnnotations(report: GateReport, gatesFile: string): string[] {
  return report.checks
    .filter(({ verdict }) => verdict !== 'pass')
    .map(({ check, verdict, reason }) => {
      const kind = verdict === 'fail' ? 'error' : 'warning';
      const title = property(`Gate ${report.profile}: ${check}`);
      return `::${kind} file=${property(gatesFile)},title=${title}::${data(reason)}`;
    });
}

const data = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
