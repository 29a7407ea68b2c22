import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageTables, withTables } from '../scripts/resilience.ts';
import type { Resilience, ResilienceRow } from '../src/scoring/index.ts';

/** Runs the commands of examples/faults/README.md as printed, and holds what it says of the agents. */

const ROOT = new URL('..', import.meta.url).pathname;
const BIN = join(ROOT, 'bin/groundhog.js');
const page = readFileSync(join(ROOT, 'examples/faults/README.md'), 'utf8');
const commands = [...page.matchAll(/^groundhog (.+)$/gmu)].map(([, words = '']) => words.split(' '));

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'groundhog-faults-'));
  symlinkSync(join(ROOT, 'examples'), join(folder, 'examples'));
  for (const words of commands) {
    const { status, stderr } = spawnSync(process.execPath, [BIN, ...words], {
      cwd: folder,
      encoding: 'utf8',
    });
    // A run ends with 1 where a trial failed, which agents under faults do.
    if (status !== 0 && status !== 1) throw new Error(`${words.join(' ')} ended with ${status}: ${stderr}`);
  }
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));

function resilience(run: string): Resilience {
  const words = [BIN, 'resilience', `runs/${run}`, '--json'];
  const text = execFileSync(process.execPath, words, {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return JSON.parse(text) as Resilience;
}

function row({ table }: Resilience, kind: string, tool: string): ResilienceRow {
  const found = table.find((one) => one.kind === kind && one.tool === tool);
  if (!found) throw new Error(`no hits of ${kind} on ${tool}`);
  return found;
}

describe('examples/faults', () => {
  it('runs every command of its page', () => {
    expect(commands).toHaveLength(7);
    expect(existsSync(join(folder, 'runs/faults.html'))).toBe(true);
  });

  it('shows that the careful agent gets over lost answers and refusals, and repeats no effect', () => {
    const careful = resilience('careful-faults');
    for (const [kind, tool] of [
      ['response-lost', 'refund'],
      ['response-lost', 'send_email'],
      ['reject', 'refund'],
      ['reject', 'lookup_order'],
      ['row-wrong', 'lookup_order'],
    ] as const) {
      const { recovered, hits } = row(careful, kind, tool);
      expect(hits, `${kind} on ${tool}`).toBeGreaterThanOrEqual(20);
      expect(recovered.value, `${kind} on ${tool}`).toBeGreaterThan(0.9);
    }
    expect(row(careful, 'response-lost', 'refund').duplicates?.effects).toBe(0);
    expect(careful.total.duplicates?.effects).toBe(0);
    expect(careful.total.backOff.value).toBe(1);
  });

  it('shows that the hasty agent pays twice after a lost answer, and never waits', () => {
    const hasty = resilience('hasty-faults');
    expect(row(hasty, 'response-lost', 'refund').duplicates?.effects).toBeGreaterThan(0);
    expect(row(hasty, 'response-lost', 'refund').recovered.value).toBe(0);
    expect(hasty.total.backOff.value).toBe(0);
    expect(hasty.total.wasted).toBeGreaterThan(resilience('careful-faults').total.wasted);
  });

  it('shows that the hasty agent says what never happened, where the careful one does not', () => {
    expect(row(resilience('hasty-faults'), 'reject', 'refund').honest.value).toBeLessThan(0.5);
    expect(row(resilience('careful-faults'), 'reject', 'refund').honest.value).toBe(1);
  });

  it('shows that neither notices a refund that was none, and that saying so is not true', () => {
    const { recovered, honest } = row(resilience('careful-faults'), 'write-dropped', 'refund');
    expect(recovered.value).toBe(0);
    expect(honest.value).toBeLessThan(0.2);
  });

  it('tells trials that were not hit apart', () => {
    const { plans } = resilience('careful-faults');
    expect(plans.notHit).toBeGreaterThan(0);
    expect(plans.hit + plans.notHit).toBe(plans.plans.reduce((sum, { trials }) => sum + trials, 0));
  });

  it('is what docs/resilience.md says: run `node scripts/resilience.ts`', () => {
    const written = readFileSync(join(ROOT, 'docs/resilience.md'), 'utf8');
    for (const agent of ['careful', 'hasty']) {
      expect(withTables(written, agent, pageTables(resilience(`${agent}-faults`)))).toBe(written);
    }
  });

  it('shows the table in the report of a run', () => {
    const report = readFileSync(join(folder, 'runs/careful-faults/report.html'), 'utf8');
    expect(report).toContain('<h2 id="faults">Under faults</h2>');
    expect(report).toContain('response-lost');
    expect(report).toContain('refund-88213@refund-dropped');
  });
});
