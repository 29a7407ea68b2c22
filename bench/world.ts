import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeWorldFile } from '../src/store/world-file.ts';
import type { Row, World } from '../src/world/index.ts';
import { type Figure, microsPerOperation, report } from './measure.ts';
import { baselineFigures } from './world-baseline.ts';
import { buildWorld, ROW_IDS, ROWS, TABLE_NAMES, updateSteps } from './world-fixture.ts';

/**
 * The costs of the world engine, CPU time, on ten tables of 500 rows of about 550 bytes (design, "Targets").
 * Memory and opening are measured in processes of their own: a heap that has done other work lies.
 */
const MEMORY = fileURLToPath(new URL('./world-memory.ts', import.meta.url));
const OPENING = fileURLToPath(new URL('./world-opening.ts', import.meta.url));
const LARGE_ROWS_PER_TABLE = 40_000;
const STANDARD_ROWS_PER_TABLE = 200;
const READS = 50_000;
const WRITES = 5_000;
const FEW = 200;
const STEPS = 400;

const world = buildWorld(ROWS);
const figures: Record<string, Figure> = {
  ...readFigures(),
  ...writeFigures(),
  ...valueFigures(),
  ...childFigures(MEMORY, []),
  ...openingFigures(),
  ...baselineFigures(),
};
report('world', figures);

function readFigures(): Record<string, Figure> {
  const read = microsPerOperation(
    (from: World) => {
      let found = 0;
      for (let index = 0; index < READS; index += 1) {
        const table = from.table(TABLE_NAMES[index % 10] as string);
        if (table.get(ROW_IDS[(index * 7919) % ROWS] as string) !== undefined) found += 1;
      }
      if (found !== READS) throw new Error('rows are missing');
    },
    { count: READS, prepare: () => world },
  );
  const list = microsPerOperation(
    (from: World) => {
      for (let index = 0; index < WRITES; index += 1) {
        const rows = [...from.table(TABLE_NAMES[index % 10] as string).by('state', ['open'], { limit: 30 })];
        if (rows.length !== 30) throw new Error('rows are missing');
      }
    },
    { count: WRITES, prepare: () => world },
  );
  return { read: { value: read, unit: 'us', target: 1 }, list_30_by_index: { value: list, unit: 'us' } };
}

function writeFigures(): Record<string, Figure> {
  const repeated = { count: WRITES, prepare: () => world };
  const update = microsPerOperation((from: World) => oneWriteEach(from, WRITES), repeated);
  const digest = microsPerOperation(
    (written: readonly World[]) => {
      for (const each of written) each.contentDigest();
    },
    // Few at a time: what is timed is the digest, not the collector moving thousands of kept worlds.
    { count: FEW, prepare: () => writtenWorlds(world), repetitions: 60, warmUps: 60 },
  );
  const chained = microsPerOperation((from: World) => updateSteps(from, WRITES, { digest: true }), repeated);
  const insert = microsPerOperation((from: World) => insertAndDelete(from, WRITES), repeated);
  const empty = microsPerOperation(
    (from: World) => {
      for (let index = 0; index < WRITES; index += 1) from.transact((tx) => tx.clockMs);
    },
    { ...repeated },
  );
  return {
    update_one_index_moving: { value: update, unit: 'us', target: 10 },
    step_digest_on_top: { value: digest, unit: 'us', target: 15 },
    update_and_digest_in_a_chain: { value: chained, unit: 'us', target: 25 },
    insert_and_delete: { value: insert, unit: 'us' },
    empty_transaction: { value: empty, unit: 'us' },
  };
}

/** So many forks of one world, each with one update that moves a row in one index; no digest is computed. */
function oneWriteEach(from: World, count: number): void {
  for (let index = 0; index < count; index += 1) updateSteps(from, 1, { digest: false, first: index });
}

function writtenWorlds(from: World): World[] {
  return Array.from({ length: FEW }, (_, index) => updateSteps(from, 1, { digest: false, first: index }));
}

function insertAndDelete(from: World, count: number): void {
  const row = from.table(TABLE_NAMES[0] as string).get(ROW_IDS[0] as string) as Row;
  let changed = from;
  for (let index = 0; index < count; index += 1) {
    const name = TABLE_NAMES[index % 10] as string;
    const id = `TKT-new-${index}`;
    changed = changed.transact((tx) => tx.table(name).insert({ ...row, id })).world;
    changed = changed.transact((tx) => tx.table(name).delete(id)).world;
  }
}

function valueFigures(): Record<string, Figure> {
  const chain = [world];
  for (let step = 0; step < STEPS; step += 1)
    chain.push(updateSteps(chain.at(-1) as World, 1, { digest: true, first: step }));
  const last = chain.at(-1) as World;
  const cursor = { world: last };
  const rollback = microsPerOperation(
    (worlds: readonly World[]) => {
      for (let index = 0; index < READS; index += 1) {
        cursor.world = worlds[0] as World;
        if (cursor.world.contentDigest() !== world.contentDigest()) throw new Error('rollback is not exact');
        cursor.world = worlds[STEPS] as World;
      }
    },
    { count: READS, prepare: () => chain },
  );
  const diff = microsPerOperation(
    (from: World) => {
      for (let index = 0; index < WRITES; index += 1) from.diff(chain[10] as World);
    },
    { count: WRITES, prepare: () => world },
  );
  return {
    rollback_400_steps: { value: rollback, unit: 'us', target: 2 },
    diff_10_writes: { value: diff, unit: 'us' },
  };
}

/** Runs another part in its own process with a collector to call; it prints its figures as JSON. */
function childFigures(script: string, args: readonly string[]): Record<string, Figure> {
  const run = spawnSync(process.execPath, ['--expose-gc', script, ...args], { encoding: 'utf8' });
  if (run.status !== 0) throw new Error(`${script} failed: ${run.stderr}`);
  return JSON.parse(run.stdout) as Record<string, Figure>;
}

function openingFigures(): Record<string, Figure> {
  const folder = mkdtempSync(join(tmpdir(), 'world-bench-'));
  try {
    const standard = join(folder, 'standard.world');
    const large = join(folder, 'large.world');
    writeWorldFile(standard, buildWorld(STANDARD_ROWS_PER_TABLE));
    const start = performance.now();
    writeWorldFile(large, buildWorld(LARGE_ROWS_PER_TABLE));
    const building = (performance.now() - start) / 1000;
    return {
      ...childFigures(OPENING, ['open_standard', standard, '50']),
      ...childFigures(OPENING, ['open_large', large, '150']),
      large_build_and_pack_wall: { value: building, unit: 's', target: 60 },
      large_file: { value: statSync(large).size / 1e6, unit: 'MB' },
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
