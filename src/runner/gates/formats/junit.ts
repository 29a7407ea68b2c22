import type { GateReport } from '../gate-runs.ts';

/**
 * A gate as JUnit XML: a test case for every check. A failed one is a failure, an inconclusive one an error,
 * since most readers know neither colour between: what is not shown must not look passed.
 */
export function junitXml({ checks, profile, candidate }: GateReport): string {
  const count = (verdict: string): number => checks.filter((check) => check.verdict === verdict).length;
  const cases = checks.map(({ check, verdict, reason }) => {
    const open = `    <testcase classname="${escaped(`gate.${profile}`)}" name="${escaped(check)}"`;
    if (verdict === 'pass') return `${open}/>`;
    const kind = verdict === 'fail' ? 'failure' : 'error';
    return `${open}>\n      <${kind} message="${escaped(reason)}" type="${verdict}"/>\n    </testcase>`;
  });
  const counts = `tests="${checks.length}" failures="${count('fail')}" errors="${count('inconclusive')}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="${escaped(`gate ${profile}: ${candidate.agent}`)}" ${counts} skipped="0">`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text of an attribute; characters that XML 1.0 does not have become a replacement character. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\u{fffd}')
    .replace(/[&<>"]/gu, (character) => ENTITIES[character] ?? character);
}
