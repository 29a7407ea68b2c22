import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { digestText } from '../../base/digest.ts';
import { UsageError } from '../../base/errors.ts';
import type { LeftOut } from './instances.ts';

/** A folder of data that is written as a whole: it is there when all of it is. */
export interface DataFolder {
  readonly out: string;
  /** What it is, with its article, such as `a testbed`. */
  readonly what: string;
  /** The file by which such a folder is known. */
  readonly manifest: string;
  /** Throws one in that place away. */
  readonly fresh: boolean;
}

/** What the manifest of such data says, whatever it is. */
export interface DataManifest {
  readonly bank: { readonly name: string; readonly version: string; readonly hash: string };
  readonly behaviour: { readonly engine: string; readonly services: Readonly<Record<string, string>> };
  readonly seed: string;
  /** Distinct instances among the runs. */
  readonly instances: number;
  /** How many fewer runs of a kind the bank gives than its share. */
  readonly short: Readonly<Record<string, number>>;
  readonly leftOut: readonly LeftOut[];
  /** SHA-256 of each file; of the trajectories, of the list of theirs in the order of the labels. */
  readonly files: Readonly<Record<string, string>>;
  /** SHA-256 of all the rest. */
  readonly digest: string;
}

/** A manifest with the digest over all that it says. */
export function sealed<M extends object>(manifest: M): M & Pick<DataManifest, 'digest'> {
  return { ...manifest, digest: digestText(JSON.stringify(manifest)) };
}

/** @throws UsageError for a folder without a name, or one that holds something else than data that may go */
export function assertFree({ out, what, manifest, fresh }: DataFolder): void {
  if (out.trim() === '') {
    throw new UsageError('no-out', 'the folder has no name', { hint: 'give another --out' });
  }
  if (!existsSync(out)) return;
  const names = namesIn(out);
  if (names.length === 0) return;
  if (!names.includes(manifest)) {
    throw new UsageError('not-free', `${out} is not ${what}: it holds ${names.slice(0, 3).join(', ')}`, {
      hint: 'give another --out',
    });
  }
  if (fresh) return;
  throw new UsageError('finished', `${out} holds ${what}`, {
    hint: 'give another --out, or --fresh to throw that one away',
  });
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    throw new UsageError('not-a-folder', `${directory} is no folder`, { hint: 'give another --out' });
  }
}

/**
 * Writes a folder beside its place and puts it there at the end; nothing is left of one that failed.
 * @throws UsageError where no folder can be made
 */
export async function writeFolder<T>(out: string, write: (directory: string) => Promise<T> | T): Promise<T> {
  const place = resolve(out);
  const directory = `${place}.partial`;
  makeEmpty(directory);
  try {
    const written = await write(directory);
    rmSync(place, { recursive: true, force: true });
    renameSync(directory, place);
    return written;
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    throw error;
  }
}

function makeEmpty(directory: string): void {
  try {
    rmSync(directory, { recursive: true, force: true });
    mkdirSync(directory, { recursive: true });
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new UsageError('not-writable', `${directory} cannot be made (${code})`, {
      hint: 'give another --out',
    });
  }
}
