import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { pageWith, viewTables } from '../scripts/views.ts';

const PAGE = readFileSync(new URL('../docs/views.md', import.meta.url), 'utf8');

/** The recorded verdicts are in `../shared`: where that is not at hand, their table is left as it stands. */
it('docs/views.md shows what is measured here', { timeout: 240_000 }, async () => {
  const tables = await viewTables();
  expect(pageWith(PAGE, tables)).toBe(PAGE);
  const outcomeOnly = tables.recorded?.split('\n').find((line) => line.startsWith('| outcome:'));
  if (tables.recorded !== null) expect(outcomeOnly).toMatch(/\*\*\.000\*\*/u);
  const replies = tables.own.split('\n').filter((line) => line.includes('detector on the reply'));
  // By construction: who sees the same must say the same.
  for (const line of replies) expect(line).toMatch(/^\| [^|]+ \| \.(\d{3}) − \.\1 = \*\*\.000\*\*/u);
});
