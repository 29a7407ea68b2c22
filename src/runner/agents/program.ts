import { createHash } from 'node:crypto';
import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { basename, delimiter, extname, join } from 'node:path';
import { UsageError } from '../../base/errors.ts';

/** Larger files are interpreters and data, not what a person edits between two runs. */
const HASHED_BYTES_MAX = 5 * 1024 * 1024;

/**
 * SHA-256 of the files that a command names, by the word that names each: a run is not resumed with a program
 * that was edited since. A bare first word is looked up in PATH, and is none of them.
 */
export function programFiles(argv: readonly string[]): Readonly<Record<string, string>> {
  const small = filesNamed(argv).filter((word) => statSync(word).size <= HASHED_BYTES_MAX);
  return Object.fromEntries(
    small.map((word) => [word, createHash('sha256').update(readFileSync(word)).digest('hex')]),
  );
}

/** What a command is called: the stem of its first file, the program itself last (`python my_agent.py`). */
export function nameOfCommand(argv: readonly string[]): string {
  const [program = '', ...rest] = argv;
  const [file] = [...filesNamed(['', ...rest]), ...filesNamed([program])];
  return file === undefined ? 'command' : basename(file, extname(file));
}

function filesNamed([program = '', ...rest]: readonly string[]): string[] {
  return [...(program.includes('/') ? [program] : []), ...rest].filter(isFile);
}

/**
 * Looks for a program as a spawn will: a path as it is given, a bare name in the folders of PATH. Said before
 * the first trial, since a mistyped name is no fault of the agent's.
 * @throws UsageError when there is no such program, or it may not be executed
 */
export function assertProgram(program: string): void {
  const candidates = program.includes('/')
    ? [program]
    : (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder || '.', program));
  const found = candidates.filter(isFile);
  if (found.some(isExecutable)) return;
  const [refused] = found;
  if (refused !== undefined) {
    throw new UsageError('command', `the program ${refused} is not executable`, {
      hint: `chmod +x ${refused}, or name its interpreter before it`,
    });
  }
  throw new UsageError('command', `there is no program ${JSON.stringify(program).slice(1, -1)}`, {
    hint: program.includes('/') ? 'paths start from the working folder' : 'it is in no folder of PATH',
  });
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
