import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { parsed, parseTauFile } from './read.ts';
import type { TauReplayFile, TauRun } from './types.ts';

/** Everything of a data folder that a replay needs. */
export interface TauFolder {
  /** The database's files, parsed, by file name. */
  readonly documents: Readonly<Record<string, Json>>;
  readonly runs: readonly TauRun[];
  readonly replays: readonly TauReplayFile[];
}

const LAYOUT_HINT = 'the folder holds recorded/*.json (runs) and tau-bench/airline/*.json (the database)';

/**
 * Reads a folder laid out as `recorded/` and `tau-bench/airline/`. Every file under `recorded/` is looked
 * at; one that neither looks like JSON nor is named so (a note) is passed over.
 * @throws UsageError for a missing folder, a file that is no tau-bench file, and a run that is there twice.
 */
export function readTauFolder(directory: string): TauFolder {
  const documents: Record<string, Json> = {};
  const database = join(directory, 'tau-bench', 'airline');
  for (const name of filesUnder(database).filter((file) => file.endsWith('.json'))) {
    documents[name] = parsed(join(database, name), readFileSync(join(database, name), 'utf8'));
  }
  const recorded = join(directory, 'recorded');
  const runs: TauRun[] = [];
  const replays: TauReplayFile[] = [];
  for (const name of filesUnder(recorded)) {
    const file = join(recorded, name);
    const text = readFileSync(file, 'utf8');
    if (!name.endsWith('.json') && !/^\s*[[{]/u.test(text)) continue;
    const content = parseTauFile(file, text);
    if (content.kind === 'runs') runs.push(...content.runs);
    else replays.push(content.replay);
  }
  if (runs.length === 0) {
    throw new UsageError('no-runs', `no recorded runs under ${recorded}`, { hint: LAYOUT_HINT });
  }
  assertOnce(runs);
  return { documents, runs, replays };
}

/** File names relative to a folder, folders in it included, sorted. */
function filesUnder(folder: string): string[] {
  let names: string[];
  try {
    names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  } catch {
    throw new UsageError('no-folder', `there is no folder ${folder}`, { hint: LAYOUT_HINT });
  }
  return names.filter((name) => statSync(join(folder, name)).isFile()).sort();
}

function assertOnce(runs: readonly TauRun[]): void {
  const files = new Map<string, string>();
  for (const { file, taskId, trial } of runs) {
    const name = `task ${taskId}, trial ${trial}`;
    const other = files.get(name);
    if (other !== undefined) {
      throw new UsageError('run-twice', `${name} is in ${other} and again here`, {
        place: { file },
        hint: 'a run that counts twice would distort every figure: keep one of them',
      });
    }
    files.set(name, file);
  }
}
