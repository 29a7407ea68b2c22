import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { UsageError } from '../base/errors.ts';
import { openPacked, type PageSource, packInto, type Schema, type World } from '../world/index.ts';

const BUFFER_BYTES = 1 << 20;

/** A world read from a packed file, page by page. */
export interface OpenWorldFile {
  readonly world: World;
  /** Closes the file; after that, rows and pages that were never read can't be read any more. */
  close(): void;
}

/**
 * Writes a packed world. The file appears whole or not at all: it is written beside its place and then
 * renamed. Missing folders are made.
 */
export function writeWorldFile(path: string, world: World): void {
  atomically(path, (temporary) => {
    const file = openSync(temporary, 'wx');
    try {
      const writer = new BufferedWriter(file);
      packInto(world, (bytes) => writer.write(bytes));
      writer.flush();
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  });
}

/**
 * Opens a packed world and reads its pages from the file when they are needed: the way for large worlds.
 * @throws UsageError when there is no such file, or it is no packed world of these services.
 */
export function openWorldFile(path: string, services: Readonly<Record<string, Schema>>): OpenWorldFile {
  const source = new FileSource(path);
  try {
    return { world: openPacked(source, services), close: () => source.close() };
  } catch (error) {
    source.close();
    throw error;
  }
}

/**
 * The bytes of a packed world in shared memory. Give `bytes.buffer` to worker threads and open it there with
 * `openPacked(new Uint8Array(buffer), services)`: all threads read the one copy.
 * @throws UsageError when there is no such file.
 */
export function readWorldBytes(path: string): Uint8Array<SharedArrayBuffer> {
  const file = openExisting(path);
  try {
    const bytes = new Uint8Array(new SharedArrayBuffer(fstatSync(file).size));
    readFully(file, bytes, 0);
    return bytes;
  } finally {
    closeSync(file);
  }
}

/** Lets `write` make a file under another name in the same folder, and gives it its name when it is done. */
export function atomically(path: string, write: (temporary: string) => void): void {
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${randomUUID()}.part`;
  try {
    write(temporary);
    renameSync(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** @throws UsageError when there is no file at this path. */
export function assertFile(path: string): void {
  if (!existsSync(path))
    throw new UsageError('no-such-file', `there is no file ${path}`, { place: { file: path } });
}

function openExisting(path: string): number {
  assertFile(path);
  return openSync(path, 'r');
}

/** Pages of an open file. */
class FileSource implements PageSource {
  readonly length: number;
  readonly #path: string;
  #file: number | undefined;

  constructor(path: string) {
    this.#path = path;
    this.#file = openExisting(path);
    this.length = fstatSync(this.#file).size;
  }

  read(offset: number, length: number): Uint8Array {
    if (this.#file === undefined) throw this.#error('world-file-closed', 'the packed world is closed');
    const bytes = new Uint8Array(length);
    if (readFully(this.#file, bytes, offset) === length) return bytes;
    throw this.#error('world-file-damaged', 'the packed world ends too early');
  }

  /** Forgets the file: its number may soon stand for another one. */
  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #error(code: string, message: string): UsageError {
    return new UsageError(code, message, { place: { file: this.#path } });
  }
}

function readFully(file: number, bytes: Uint8Array, offset: number): number {
  let done = 0;
  while (done < bytes.length) {
    const count = readSync(file, bytes, done, bytes.length - done, offset + done);
    if (count === 0) break;
    done += count;
  }
  return done;
}

/** Gathers small pieces, as a system call costs more than most of them. */
class BufferedWriter {
  readonly #file: number;
  readonly #buffer = new Uint8Array(BUFFER_BYTES);
  #used = 0;

  constructor(file: number) {
    this.#file = file;
  }

  write(bytes: Uint8Array): void {
    if (this.#used + bytes.length > BUFFER_BYTES) this.flush();
    if (bytes.length > BUFFER_BYTES) {
      this.#writeOut(bytes);
    } else {
      this.#buffer.set(bytes, this.#used);
      this.#used += bytes.length;
    }
  }

  flush(): void {
    this.#writeOut(this.#buffer.subarray(0, this.#used));
    this.#used = 0;
  }

  #writeOut(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#file, bytes, done, bytes.length - done);
  }
}
