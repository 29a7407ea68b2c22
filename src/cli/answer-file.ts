import { readFileSync, statSync } from 'node:fs';

/**
 * A file that an agent leaves its answer in. Look at it before the episode and read it after: what an earlier
 * run left there is no answer, and gives null.
 */
export class AnswerFile {
  readonly #path: string;
  readonly #beforeMs: number | undefined;

  constructor(path: string) {
    this.#path = path;
    this.#beforeMs = writtenMs(path);
  }

  read(): string | null {
    return writtenMs(this.#path) === this.#beforeMs ? null : readFileSync(this.#path, 'utf8').trim();
  }
}

/** When a file was last written; undefined where there is none. */
function writtenMs(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}
