import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { peersMarkdown } from './page.ts';

// To write the page anew: UPDATE_DOCS=1 npx vitest run src/scoring/peers
it('docs/peers-metrics.md names every metric and what it misses', () => {
  const file = new URL('../../../docs/peers-metrics.md', import.meta.url);
  const page = readFileSync(file, 'utf8');
  const [before, after] = [page.split('<!-- peers:begin -->\n')[0], page.split('<!-- peers:end -->')[1]];
  const fresh = `${before}<!-- peers:begin -->\n\n${peersMarkdown()}\n\n<!-- peers:end -->${after}`;
  if (process.env.UPDATE_DOCS) writeFileSync(file, fresh);
  else expect(page).toBe(fresh);
});
