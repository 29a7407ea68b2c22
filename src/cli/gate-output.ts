import { appendFileSync, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { UsageError } from '../base/errors.ts';
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
import { counted } from './render/counted.ts';
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
  const texts: Readonly<Record<FileOption, string>> = {
    junit: junitXml(report),
    sarif: sarifJson(report, gatesFile),
    markdown: gateMarkdown(report),
  };
  // Files first: a verdict that is printed is the last word, and the exit code says the same.
  for (const { option, file } of gateFiles(options)) writeWhole(file, texts[option]);
  summarise(texts.markdown, output);
  const shown = report.checks.map(({ check, verdict, reason }) =>
    [`  ${verdict}`, check, reason].map(oneLine),
  );
  for (const line of layOut(shown)) output.line(line);
  for (const sentence of report.shown ?? []) output.line(`  shown: ${oneLine(sentence)}`);
  if (report.leftOut.length > 0) {
    output.line(`  ${counted(report.leftOut.length, 'scenario')} left out: not the same world`);
  }
  if (process.env.GITHUB_ACTIONS === 'true') {
    for (const line of gateAnnotations(report, gatesFile)) output.line(line);
  }
  output.line(`Gate ${oneLine(report.profile)}: ${verdictText(report)}`);
  return exitOf(report);
}

const FILE_OPTIONS = ['junit', 'sarif', 'markdown'] as const;
type FileOption = (typeof FILE_OPTIONS)[number];

/**
 * The files that a gate was asked to write.
 * @throws UsageError for one whose folder is not there: better before a long run than after it
 */
export function gateFiles(
  options: Invocation['options'],
): readonly { readonly option: FileOption; readonly file: string }[] {
  return FILE_OPTIONS.flatMap((option) => {
    const file = textOption(options, option);
    if (file === undefined) return [];
    if (file !== '' && existsSync(dirname(file))) return [{ option, file }];
    throw new UsageError('unwritable', `--${option} cannot be written: there is no folder ${dirname(file)}`, {
      place: { file },
      hint: 'make the folder first',
    });
  });
}

/** Adds to the step summary of GitHub Actions; that it cannot changes nothing of the verdict. */
function summarise(markdown: string, output: Invocation['output']): void {
  const summary = process.env.GITHUB_STEP_SUMMARY;
  if (summary === undefined || summary === '') return;
  try {
    appendFileSync(summary, markdown);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    output.note(`the step summary ${summary} was not written (${code})`);
  }
}

/** Names come from files: nothing in them may begin a line, which a CI could take for a command. */
const oneLine = (text: string): string => text.replace(/\p{Cc}+/gu, ' ');

/** The keys that every gate's JSON has. */
export function gateJson(report: GateReport): { readonly [key: string]: Json } {
  const open = report.checks.filter(({ verdict }) => verdict !== 'pass');
  return {
    profile: report.profile,
    verdict: report.nothingRan ? 'infrastructure' : report.verdict,
    reasons: open.map(({ check, reason }) => `${check}: ${reason}`),
    checks: report.checks as unknown as Json,
    ...(report.shown && { shown: report.shown }),
  };
}

const verdictText = (report: GateReport): string =>
  report.nothingRan ? 'infrastructure, nothing was measured' : report.verdict;

function exitOf({ verdict, nothingRan }: GateReport): ExitCode {
  if (nothingRan) return 3;
  return verdict === 'pass' ? 0 : verdict === 'fail' ? 1 : 4;
}
