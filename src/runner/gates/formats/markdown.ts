import type { GateVerdict } from '../../../scoring/index.ts';
import type { GateReport } from '../gate-runs.ts';

const MARKS: Readonly<Record<GateVerdict, string>> = { pass: '✅', fail: '❌', inconclusive: '❔' };

/** A gate as Markdown, for a step summary or a comment. */
export function gateMarkdown(report: GateReport): string {
  const { candidate, baseline, comparison, checks, shown, verdict, profile, leftOut } = report;
  const against = baseline === null ? '' : ` against \`${code(baseline.agent)}\``;
  return [
    `### ${MARKS[verdict]} Gate \`${code(profile)}\`: ${verdict}`,
    '',
    `\`${code(candidate.agent)}\`${against}${comparison === null ? '' : `, ${comparison.n} scenarios`}`,
    '',
    '| check | verdict | figures |',
    '| --- | --- | --- |',
    ...checks.map(
      (one) => `| ${cell(one.check)} | ${MARKS[one.verdict]} ${one.verdict} | ${cell(one.reason)} |`,
    ),
    ...(shown ?? []).flatMap((sentence) => ['', `Shown, not decided on: ${cell(sentence)}`]),
    ...(leftOut.length === 0
      ? []
      : ['', `Left out: ${leftOut.length} scenarios that are not the same world.`]),
    '',
  ].join('\n');
}

const code = (text: string): string => text.replace(/[`\n]/gu, ' ');

/** Text in a table: nothing in it may end the cell or become markup. */
const cell = (text: string): string =>
  text.replace(/[\\`*_[\]<>|]/gu, (mark) => `\\${mark}`).replace(/\s+/gu, ' ');
