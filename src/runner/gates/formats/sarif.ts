import type { GateReport } from '../gate-runs.ts';

/** A gate as SARIF 2.1.0: a result for every check that did not pass, on the gates file. */
export function sarifJson(report: GateReport, gatesFile: string): string {
  const open = report.checks.filter(({ verdict }) => verdict !== 'pass');
  const rules = [...new Set(open.map(({ check }) => ruleOf(check)))];
  return `${JSON.stringify(
    {
      $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
      version: '2.1.0',
      runs: [
        {
          tool: { driver: { name: 'groundhog gate', rules: rules.map((id) => ({ id })) } },
          results: open.map(({ check, verdict, reason, scenario }) => ({
            ruleId: ruleOf(check),
            level: verdict === 'fail' ? 'error' : 'warning',
            message: { text: `${check}: ${reason}` },
            locations: [
              {
                physicalLocation: { artifactLocation: { uri: uriOf(gatesFile) }, region: { startLine: 1 } },
                ...(scenario !== undefined && {
                  logicalLocations: [{ name: scenario, kind: 'scenario' }],
                }),
              },
            ],
          })),
        },
      ],
    },
    null,
    2,
  )}\n`;
}

/** A path as a relative reference: a space or a percent sign in it would end the upload. */
const uriOf = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

/** The kind of a check: `floor refund-88213` is of the rule `floor`. */
const ruleOf = (check: string): string =>
  /^(?:floor|scenario|invariant|budget) /u.test(check)
    ? (check.split(' ')[0] ?? check)
    : check.replace(' ', '-');
