import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { judgePages, pageWith } from '../scripts/views.ts';

/** Recordings are in `../shared`: where that is not at hand, tables made of them are left as they stand. */
it('docs/views.md and docs/judges.md show what is measured here', { timeout: 240_000 }, async () => {
  const pages = await judgePages();
  for (const [file, tables] of Object.entries(pages)) {
    const page = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
    expect(pageWith(page, tables)).toBe(page);
  }
  const { recorded = null, own = null } = pages['docs/views.md'] ?? {};
  const outcomeOnly = recorded?.split('\n').find((line) => line.startsWith('| outcome:'));
  if (recorded !== null) expect(outcomeOnly).toMatch(/\*\*\.000\*\*/u);
  const replies = own?.split('\n').filter((line) => line.includes('detector, outcome')) ?? [];
  expect(replies.length).toBeGreaterThan(0);
  // By construction: who sees the same must say the same.
  for (const line of replies) expect(line).toMatch(/^\| [^|]+ \| \.(\d{3}) − \.\1 = \*\*\.000\*\*/u);
  const gates = pages['docs/judges.md']?.recorded?.split('\n') ?? [];
  const alwaysYes = gates.find((line) => line.startsWith('| step:llama3.1'));
  if (gates.length > 0) expect(alwaysYes).toMatch(/\| no \|$/u);
});
