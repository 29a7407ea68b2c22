/**
 * Runs all benches, or those that are named, and writes their figures into `docs/performance.md`, with date,
 * machine and Node.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, platform } from 'node:os';
import { join } from 'node:path';

const ROOT = new URL('..', import.meta.url).pathname;
const PAGE = join(ROOT, 'docs/performance.md');

const BENCHES = [
  'world',
  'session',
  'rest',
  'mcp',
  'openenv',
  'sessions-cold',
  'github',
  'scoring',
  'blame',
  'faults',
  'testbed',
  'chat',
];

interface PrintedFigure {
  readonly value: number | null;
  readonly unit: string;
  readonly target?: number;
  readonly met?: boolean;
}

type Figures = Readonly<Record<string, PrintedFigure>>;

function figuresOf(bench: string): Figures {
  const file = join(ROOT, `bench/${bench}.ts`);
  const run = spawnSync(process.execPath, ['--expose-gc', file], { encoding: 'utf8' });
  const last = run.stdout.trim().split('\n').at(-1) ?? '';
  return (JSON.parse(last) as { readonly figures: Figures }).figures;
}

function table(figures: Figures): string {
  const rows = Object.entries(figures).map(([name, { value, unit, target, met }]) => {
    const measured = value === null ? '—' : `${value} ${unit}`;
    const held = target === undefined ? '' : `${target} ${unit}${met ? '' : ', missed'}`;
    return `| ${name.replaceAll('_', ' ')} | ${measured.replace('us', 'µs')} | ${held.replace('us', 'µs')} |`;
  });
  return ['| figure | measured | at most |', '| --- | --- | --- |', ...rows].join('\n');
}

function fill(page: string, marker: string, text: string): string {
  const pattern = new RegExp(`(<!-- ${marker}:start -->\n)[\\s\\S]*?(<!-- ${marker}:end -->)`, 'u');
  return page.replace(pattern, (_all, start: string, end: string) => `${start}${text}\n${end}`);
}

const today = new Date().toISOString().slice(0, 10);
const machine = `${availableParallelism()} cores of an ${process.arch} ${platform()} machine`;
let page = readFileSync(PAGE, 'utf8');
page = fill(page, 'machine', `Measured on ${today}: ${machine}, Node ${process.versions.node}.`);
const asked = process.argv.slice(2);
for (const bench of asked.length > 0 ? asked : BENCHES) page = fill(page, bench, table(figuresOf(bench)));
writeFileSync(PAGE, page);
console.log('docs/performance.md written');
