import {
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../base/errors.ts';

/** Says which process works on a run folder. */
export const RUN_LOCK_FILE = 'run.lock';

/** A lock may be gone, or be another one, by the time that it is looked at: so often it is tried again. */
const ATTEMPTS_MOST = 20;

/**
 * The folders that this very process works on: its own id in a lock file tells nothing, ids are used again.
 */
const held = new Set<string>();

/**
 * Takes a run folder for this process. A lock of a process that is gone is taken over. The file appears with
 * its content at once (a link), so that nobody takes a lock that is being written for a stale one.
 * @throws UsageError when a living process has it.
 */
export function lockFolder(directory: string): void {
  const path = join(directory, RUN_LOCK_FILE);
  const key = realpathSync(directory);
  if (held.has(key) && existsSync(path)) throw busy(directory, process.pid);
  const own = `${path}.${process.pid}.tmp`;
  writeFileSync(own, String(process.pid));
  try {
    for (let attempt = 0; attempt < ATTEMPTS_MOST; attempt += 1) {
      if (tryLink(own, path)) {
        held.add(key);
        return;
      }
      const owner = ownerOf(path);
      if (owner === null) continue;
      if (owner !== process.pid && isAlive(owner)) throw busy(directory, owner);
      removeStale(path, owner);
    }
  } finally {
    rmSync(own, { force: true });
  }
  throw new UsageError(
    'busy',
    `the lock of ${directory} could not be taken: other processes are after it too`,
    {
      hint: 'try again, or give another --out',
    },
  );
}

export function unlockFolder(directory: string): void {
  held.delete(realpathSync(directory));
  rmSync(join(directory, RUN_LOCK_FILE), { force: true });
}

function busy(directory: string, owner: number): UsageError {
  return new UsageError('busy', `another process (${owner}) is working on ${directory}`, {
    hint: `wait for it, or give another --out; if ${owner} is no groundhog, remove ${RUN_LOCK_FILE}`,
  });
}

function tryLink(own: string, path: string): boolean {
  try {
    linkSync(own, path);
    return true;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (!WITHOUT_LINKS.includes(code)) throw error;
    return tryCopy(own, path);
  }
}

/** What file systems without hard links answer. */
const WITHOUT_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

function tryCopy(own: string, path: string): boolean {
  try {
    copyFileSync(own, path, constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}

/** The process that a lock names, 0 for one that names none; null when there is no lock any more. */
function ownerOf(path: string): number | null {
  try {
    const owner = Number(readFileSync(path, 'utf8'));
    return Number.isSafeInteger(owner) && owner > 0 ? owner : 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Moves a stale lock away. If another process took it over in the meantime, its lock is put back. */
function removeStale(path: string, owner: number): void {
  const aside = `${path}.${process.pid}.stale.tmp`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  if (ownerOf(aside) !== owner) tryLink(aside, path);
  rmSync(aside, { force: true });
}

function isAlive(pid: number): boolean {
  if (pid === 0) return false;
  try {
    process.kill(pid, 0);
    return !isDefunct(pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** True for a killed process that nobody has waited for yet, as it may stay for long in a container. */
function isDefunct(pid: number): boolean {
  if (process.platform !== 'linux') return false;
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The state follows the name, which stands in brackets and may hold any.
    return /^\) [ZX] /u.test(status.slice(status.lastIndexOf(')')));
  } catch {
    return false;
  }
}
