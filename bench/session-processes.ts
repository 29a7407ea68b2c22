import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Figure, median } from './measure.ts';

/** The parts of the session bench that need processes of their own. */
const CLI = pathOf('../bin/groundhog.js');
const USAGE = pathOf('./process-usage.ts');
const MEMORY = pathOf('./session-memory.ts');
const TAU = pathOf('../../shared/tau');
const RUNS = 5;

function pathOf(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url));
}

/** What open sessions and forks keep on the heap. */
export function memoryFigures(): Record<string, Figure> {
  const run = spawnSync(process.execPath, ['--expose-gc', MEMORY], { encoding: 'utf8' });
  if (run.status !== 0) throw new Error(`${MEMORY} failed: ${run.stderr}`);
  return JSON.parse(run.stdout) as Record<string, Figure>;
}

/** `tau replay` of the recorded runs as a whole process; null where the folder is not there. */
export function tauFigures(): Record<string, Figure> {
  const cpu = { unit: 's', target: 3 };
  const memory = { unit: 'MB', target: 250 };
  if (!existsSync(TAU)) {
    const absent = { value: null, reason: 'there is no folder of recorded runs beside the checkout' };
    return { tau_replay_100_runs: { ...cpu, ...absent }, tau_replay_memory: { ...memory, ...absent } };
  }
  const usage = usageOf(['tau', 'replay', TAU, '--json']);
  return {
    tau_replay_100_runs: { ...cpu, value: usage.cpuMs / 1000 },
    tau_replay_memory: { ...memory, value: usage.peakMb },
  };
}

/** `replay` of a small trajectory as a whole process: what a command costs at the least. */
export function startFigure(trajectory: string): Record<string, Figure> {
  const folder = mkdtempSync(join(tmpdir(), 'session-bench-'));
  try {
    const file = join(folder, 'small.traj.jsonl');
    writeFileSync(file, trajectory);
    return { replay_command: { value: usageOf(['replay', file, '--json']).cpuMs, unit: 'ms' } };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface Usage {
  readonly cpuMs: number;
  readonly peakMb: number;
}

/**
 * CPU time and peak memory of a command, medians; the first run, which fills the compile cache, is left out.
 */
function usageOf(command: readonly string[]): Usage {
  const runs = Array.from({ length: RUNS + 1 }, () => {
    const args = ['--import', USAGE, CLI, ...command];
    const run = spawnSync(process.execPath, args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    });
    if (run.status !== 0) throw new Error(`groundhog ${command.join(' ')} failed: ${run.stderr}`);
    return JSON.parse(String(run.output[3])) as Usage;
  }).slice(1);
  return { cpuMs: median(runs.map(({ cpuMs }) => cpuMs)), peakMb: median(runs.map(({ peakMb }) => peakMb)) };
}
