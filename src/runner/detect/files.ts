import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { UsageError } from '../../base/errors.ts';

/** Files that hold runs: what `score` reads, and our own trajectories. */
const TRACE_FILE = /\.(?:json|jsonl|ndjson)$/;
/** Run folders keep these beside the trajectories; they are no traces. */
const BESIDE = /^(?:timings|trials|labels|summary|run|config|report|index|bank\.lock)\b/;

/**
 * The trace files of paths: files as they are, folders by what they hold. A run folder gives its
 * trajectories; in other folders those named `*.traj.jsonl` count, or all JSON files where none is.
 * @throws UsageError for a path that is not there, a folder without a trace, and a file that is named twice
 */
export function traceFiles(paths: readonly string[]): string[] {
  const files = paths.flatMap((path) => {
    if (!existsSync(path))
      throw new UsageError('no-file', 'there is no such file', { place: { file: path } });
    if (!statSync(path).isDirectory()) return [path];
    const inside = existsSync(join(path, 'trajectories')) ? join(path, 'trajectories') : path;
    const names = readdirSync(inside)
      .filter((name) => TRACE_FILE.test(name) && !BESIDE.test(name))
      .sort();
    const own = names.filter((name) => name.endsWith('.traj.jsonl'));
    const found = own.length > 0 ? own : names;
    if (found.length === 0) {
      throw new UsageError('no-trace', 'the folder holds no trajectory and no trace', {
        place: { file: path },
        hint: 'trajectories are named *.traj.jsonl; other traces end in .json or .jsonl',
      });
    }
    return found.map((name) => join(inside, name));
  });
  const seen = new Set<string>();
  for (const file of files) {
    if (seen.has(resolve(file))) {
      throw new UsageError('file-twice', 'the file is named twice, and its runs would count twice', {
        place: { file },
      });
    }
    seen.add(resolve(file));
  }
  return files;
}
