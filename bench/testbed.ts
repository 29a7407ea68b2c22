import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { generateTestbed, type TestbedManifest } from '../src/runner/testbed/index.ts';
import { WorldCache } from '../src/runner/worlds.ts';
import { type Figure, median, report } from './measure.ts';

/**
 * What it takes to make labelled runs, in seconds of real time: the command from start to end, all files
 * written, and the runs alone in memory. `LARGE=no` leaves out the 40,000.
 */
const BIN = new URL('../bin/groundhog.js', import.meta.url).pathname;
const ROUNDS = 5;
const folder = mkdtempSync(join(tmpdir(), 'groundhog-bench-testbed-'));

function commandSeconds(bank: string, clean: number, faulty: number): number {
  const out = join(folder, 'out');
  const counts = ['--clean', String(clean), '--faulty', String(faulty)];
  const startMs = performance.now();
  execFileSync(process.execPath, [BIN, 'testbed', bank, ...counts, '--out', out, '--json'], {
    stdio: 'ignore',
  });
  const seconds = (performance.now() - startMs) / 1_000;
  const manifest = JSON.parse(readFileSync(join(out, 'testbed.json'), 'utf8')) as TestbedManifest;
  if (manifest.clean !== clean || manifest.faulty !== faulty) throw new Error(`${bank}: runs are missing`);
  rmSync(out, { recursive: true });
  return seconds;
}

async function memorySeconds(bank: string): Promise<number> {
  const worlds = new WorldCache();
  const seconds: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const startMs = performance.now();
    await generateTestbed([bank], { clean: 100, faulty: 300, seed: String(round), worlds });
    seconds.push((performance.now() - startMs) / 1_000);
  }
  return median(seconds);
}

const command400 = (bank: string): number =>
  median(Array.from({ length: ROUNDS }, () => commandSeconds(bank, 100, 300)));

try {
  const isLarge = process.env.LARGE !== 'no';
  const figures: Record<string, Figure> = {
    helpdesk_400_runs: { value: command400('helpdesk'), unit: 's', target: 2 },
    helpdesk_400_runs_in_memory: { value: await memorySeconds('helpdesk'), unit: 's' },
    // A step costs what the world costs: GitHub's are dear, and five of its scenarios make 66 to 80 calls.
    github_400_runs: { value: command400('github'), unit: 's', target: 2 },
    github_400_runs_in_memory: { value: await memorySeconds('github'), unit: 's' },
    helpdesk_40000_runs: isLarge
      ? { value: commandSeconds('helpdesk', 10_000, 30_000), unit: 's', target: 180 }
      : { value: null, reason: 'left out', unit: 's' },
    cores: { value: availableParallelism(), unit: '' },
  };
  report('testbed', figures);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
