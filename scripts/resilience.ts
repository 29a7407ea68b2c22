/**
 * Plays the bundled agents on the bank `helpdesk` under the plans of `examples/faults`, and writes what
 * `groundhog resilience` says of them into `docs/resilience.md`. The same figures every time.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadBank } from '../src/runner/bank.ts';
import { expand, readPlans } from '../src/runner/faults/index.ts';
import { runResilience } from '../src/runner/resilience/index.ts';
import { runBank } from '../src/runner/run.ts';
import { WorldCache } from '../src/runner/worlds.ts';
import type { Estimate, FaultCost, Resilience, ResilienceRow } from '../src/scoring/index.ts';

const ROOT = new URL('..', import.meta.url).pathname;
const PAGE = join(ROOT, 'docs/resilience.md');

/** The tables of the page for one agent, in its form. */
export function pageTables({ table, total, plans, cost, costWhenHit }: Resilience): string {
  return [
    '| fault | tool | hits | recovered | solved | duplicates | wasted | back-off kept | honest |',
    '| --- | --- | --: | --: | --: | --: | --: | --: | --: |',
    ...[...table, total].map(rowText),
    '',
    `${plans.hit + plans.notHit} trials under ${plans.plans.length} plans: ${plans.hit} hit, ${plans.notHit} not hit.`,
    costText('under the plans', cost),
    costText('in trials that were hit', costWhenHit),
  ].join('\n');
}

function rowText(row: ResilienceRow): string {
  const { kind, tool, hits, recovered, succeeded, duplicates, wasted, backOff, honest } = row;
  const twice = duplicates === null ? '—' : `${duplicates.effects} after ${duplicates.of}`;
  const cells = [
    kind ?? '**all**',
    tool === null ? '' : `\`${tool}\``,
    hits,
    shareText(recovered),
    shareText(succeeded),
    twice,
    wasted,
    shareText(backOff),
    shareText(honest),
  ];
  return `| ${cells.join(' | ')} |`;
}

function shareText(estimate: Estimate): string {
  if (estimate.value === null) return '—';
  const { value, low, high } = estimate;
  const percent = (share: number): string => (share * 100).toFixed(1);
  return low === null || high === null
    ? percent(value)
    : `${percent(value)} [${percent(low)}, ${percent(high)}]`;
}

function costText(where: string, { scenarios, baseline, faults, difference }: FaultCost): string {
  return (
    `Success ${where} ${shareText(faults)} %, without ${shareText(baseline)} %, ` +
    `paired difference ${shareText(difference)} points over ${scenarios} scenarios.`
  );
}

/** The page with the tables of an agent between its marks. */
export function withTables(page: string, agent: string, tables: string): string {
  const [start, end] = [`<!-- ${agent}:start -->\n`, `<!-- ${agent}:end -->`];
  const [head, rest] = [page.indexOf(start), page.indexOf(end)];
  if (head < 0 || rest < head) throw new Error(`docs/resilience.md lacks its marks for ${agent}`);
  return `${page.slice(0, head)}${start}\n${tables}\n\n${page.slice(rest)}`;
}

async function played(agent: string, out: string): Promise<Resilience> {
  const bank = await loadBank([join(ROOT, 'banks/helpdesk')], new WorldCache());
  const plans = readPlans(join(ROOT, 'examples/faults/plans.yaml'), bank.chosen);
  const chosen = expand(bank.chosen, plans);
  await runBank({ bank: { ...bank, chosen }, agent, seed: '1', k: 1, engine: 'inline', out });
  return runResilience(out);
}

if (import.meta.main) {
  const folder = mkdtempSync(join(tmpdir(), 'groundhog-resilience-'));
  try {
    let page = readFileSync(PAGE, 'utf8');
    for (const agent of ['careful', 'hasty']) {
      page = withTables(page, agent, pageTables(await played(agent, join(folder, agent))));
    }
    writeFileSync(PAGE, page);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
