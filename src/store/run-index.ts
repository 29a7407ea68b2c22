import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { RunFolder } from './run-folder.ts';

/** One trial as the index lists it. */
export interface IndexedTrial {
  readonly scenario: string;
  readonly trial: number;
  readonly verdict: 'pass' | 'fail' | 'void';
  readonly steps: number;
  readonly cost: number | null;
  readonly wallClockMs: number | null;
  readonly firstFailure: string | null;
  readonly firstFailureStep: number | null;
}

const FILE = 'index.sqlite';
const SCHEMA_VERSION = 1;

const CREATE = `
create table trials (
  scenario text not null, trial integer not null, verdict text not null, steps integer not null, cost real,
  wallClockMs real, firstFailure text, firstFailureStep integer, position integer not null,
  primary key (scenario, trial));
create table invariants (scenario text not null, trial integer not null, id text not null, kind text not null,
  verdict text not null);
create table built (stamp text not null);
pragma user_version = ${SCHEMA_VERSION};`;

/**
 * A SQLite file beside a run for people and tools that want to query it. It holds nothing that the run folder
 * does not: it is thrown away and built again whenever the folder has moved on, or the file is missing or
 * broken.
 */
export class RunIndex {
  readonly #database: DatabaseSync;

  private constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Opens the index of a run, building it where it is missing or stale. */
  static open(folder: RunFolder): RunIndex {
    const path = join(folder.directory, FILE);
    const database = openDatabase(path);
    const index = new RunIndex(database);
    const stamp = stampOf(folder);
    if (index.#stamp() !== stamp) index.#build(folder, stamp);
    return index;
  }

  /** Trials in the run's own order. */
  trials(options: { readonly failedOnly?: boolean } = {}): IndexedTrial[] {
    const where = options.failedOnly ? "where verdict <> 'pass'" : '';
    const columns = 'scenario, trial, verdict, steps, cost, wallClockMs, firstFailure, firstFailureStep';
    const rows = this.#database.prepare(`select ${columns} from trials ${where} order by position`).all();
    return rows.map((row) => ({ ...row })) as unknown as IndexedTrial[];
  }

  close(): void {
    this.#database.close();
  }

  #stamp(): string | null {
    try {
      const version = this.#database.prepare('pragma user_version').get() as {
        readonly user_version: number;
      };
      if (version.user_version !== SCHEMA_VERSION) return null;
      const row = this.#database.prepare('select stamp from built').get() as
        | { readonly stamp: string }
        | undefined;
      return row?.stamp ?? null;
    } catch {
      // Whatever is wrong with an index, building it again is the answer.
      return null;
    }
  }

  #build(folder: RunFolder, stamp: string): void {
    const database = this.#database;
    database.exec('begin immediate');
    database.exec(
      'drop table if exists trials; drop table if exists invariants; drop table if exists built;',
    );
    database.exec(CREATE);
    const insertTrial = database.prepare('insert into trials values (?, ?, ?, ?, ?, ?, ?, ?, ?)');
    const insertInvariant = database.prepare('insert into invariants values (?, ?, ?, ?, ?)');
    for (const [position, { scenario, trial, score }] of folder.trials().entries()) {
      const verdict = score.void ? 'void' : score.success ? 'pass' : 'fail';
      const { steps, cost, firstFailure } = score;
      const failure = score.void?.detail ?? firstFailure?.message ?? null;
      const wallClockMs = folder.wallClockMs(scenario, trial) ?? null;
      const step = firstFailure?.step ?? null;
      insertTrial.run(scenario, trial, verdict, steps, cost, wallClockMs, failure, step, position);
      for (const { id, kind, verdict: held } of score.invariants)
        insertInvariant.run(scenario, trial, id, kind, held);
    }
    database.prepare('insert into built values (?)').run(stamp);
    database.exec('commit');
  }
}

function openDatabase(path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  try {
    database.prepare('pragma schema_version').get();
    return database;
  } catch {
    database.close();
    return new DatabaseSync(':memory:');
  }
}

/** Changes whenever a trial was added: the results file only grows. */
function stampOf(folder: RunFolder): string {
  try {
    const { size, mtimeMs } = statSync(join(folder.directory, 'results.jsonl'));
    return `${size}/${mtimeMs}/${folder.trials().length}`;
  } catch {
    return 'empty';
  }
}
