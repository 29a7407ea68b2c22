import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { UsageError } from '../../base/errors.ts';

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
