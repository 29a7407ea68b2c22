import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { DEFINITIONS } from './definitions.ts';

it('the table of docs/scoring.md has these figures, in these words, and no others', () => {
  const page = readFileSync(new URL('../../docs/scoring.md', import.meta.url), 'utf8');
  const [, section = ''] = page.split('## Every figure in a sentence');
  const [table = ''] = section.split('\n## ');
  const rows = [...table.matchAll(/^\| `([^`]+)` \| (.+) \|$/gmu)].map(([, name, text]) => ({ name, text }));
  expect(rows).toEqual(Object.values(DEFINITIONS));
});
