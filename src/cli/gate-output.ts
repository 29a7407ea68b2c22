import { appendFileSync } from 'node:fs';
import type { Json } from '../base/json.ts';
import {
  type GateReport,
  gateAnnotations,
  gateMarkdown,
  junitXml,
  sarifJson,
} from '../runner/gates/index.ts';
import { writeWhole } from '../store/run-folder.ts';
import type { ExitCode, Invocation, OptionSpec } from './command.ts';
import { textOption } from './options.ts';
import { layOut } from './render/table.ts';

/** The options of every command that ends in a gate's verdict. */
export const GATE_OPTIONS: readonly OptionSpec[] = [
  { name: 'profile', value: 'name', description: 'which profile of the gates file', default: 'pre-merge' },
  { name: 'junit', value: 'file', description: 'write the checks as JUnit XML' },
  { name: 'sarif', value: 'file', description: 'write what did not pass as SARIF' },
  { name: 'markdown', value: 'file', description: 'write the checks as Markdown' },
];

/** What the exit codes of a gate mean. */
export const GATE_EXITS = '0 pass · 1 fail · 2 misuse · 3 nothing but infrastructure voids · 4 inconclusive';

/**
 * Prints a gate's verdict and writes the files that were asked for. In GitHub Actions the checks also become
 * annotations and a part of the step summary.
 * @returns the exit code, which always says what the verdict says
 */
export function sayGate(report: GateReport, gatesFile: string, { options, output }: Invocation): ExitCode {
  const code = exitOf(report);
  const shown = report.checks.map(({ check, verdict, reason }) => [`  ${verdict}`, check, reason]);
  for (const line of layOut(shown)) output.line(line);
  if (report.leftOut.length > 0) {
    output.line(`  ${report.leftOut.length} scenarios left out: not the same world`);
  }
  output.line(`Gate ${report.profile}: ${verdictText(report)}`);
  const files = {
    junit: junitXml(report),
    sarif: sarifJson(report, gatesFile),
    markdown: gateMarkdown(report),
  };
  for (const [name, text] of Object.entries(files)) {
    const file = textOption(options, name);
    if (file !== undefined) writeWhole(file, text);
  }
  if (process.env.GITHUB_ACTIONS === 'true') {
    for (const line of gateAnnotations(report, gatesFile)) output.line(line);
  }
  const summary = process.env.GITHUB_STEP_SUMMARY;
  if (summary !== undefined && summary !== '') appendFileSync(summary, files.markdown);
  return code;
}

/** The keys that every gate's JSON has. */
export function gateJson(report: GateReport): { readonly [key: string]: Json } {
  const open = report.checks.filter(({ verdict }) => verdict !== 'pass');
  return {
    profile: report.profile,
    verdict: report.nothingRan ? 'infrastructure' : report.verdict,
    reasons: open.map(({ check, reason }) => `${check}: ${reason}`),
    checks: report.checks as unknown as Json,
  };
}

const verdictText = (report: GateReport): string =>
  report.nothingRan ? 'infrastructure, nothing was measured' : report.verdict;

function exitOf({ verdict, nothingRan }: GateReport): ExitCode {
  if (nothingRan) return 3;
  return verdict === 'pass' ? 0 : verdict === 'fail' ? 1 : 4;
}
