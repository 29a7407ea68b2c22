import { closeSync, fdatasync, fdatasyncSync, fstatSync, ftruncateSync, mkdirSync, writeSync } from 'node:fs';
import { invariant, UsageError } from '../base/errors.ts';
import { lockFolder, unlockFolder } from './run-lock.ts';
import { compactLog, type KnownRecord, worthCompacting } from './session-log-compact.ts';
import { type LogRecord, parsedRecord, recordLine } from './session-log-format.ts';
import {
  type FoundRecord,
  generationPath,
  newestGeneration,
  openSegment,
  openSegments,
  readRecord,
  type Segment,
  syncFolder,
  visitSegments,
} from './session-log-segments.ts';

export type { LogRecord } from './session-log-format.ts';

/**
 * `batch`: in the system's hands at once, or, where others came just before, within 10 ms: a killed process
 * loses no more than that. `strict`: on the disk before the answer is given.
 */
export type LogDurability = 'batch' | 'strict';

export interface SessionLogOptions {
  readonly durability: LogDurability;
  /** A segment that has so many bytes gets no more records. */
  readonly segmentBytes?: number;
  /** A log with more bytes of closed sessions than this, and than of open ones, is compacted as it opens. */
  readonly compactBytes?: number;
  /** Takes every record as the log opens. */
  readonly visit: (record: FoundRecord) => void;
  /** Called when the log was compacted as it opened: every record will come again, at its new position. */
  readonly revisit: () => void;
  /** Takes what a person should know: a torn end that was dropped. */
  readonly note: (text: string) => void;
  /**
   * Called when records could not be made safe and are gone: for each session where its last safe record
   * stands, null when it has none. Nobody was told that they are safe.
   */
  readonly lost: (sessions: ReadonlyMap<string, number | null>) => void;
}

const SEGMENT_BYTES = 64 * 1024 * 1024;
const COMPACT_BYTES = 1024 * 1024;
const FLUSH_BYTES = 64 * 1024;
const FLUSH_MS = 10;
const RETRY_MS = 1000;

interface PendingRecord {
  readonly position: number;
  readonly line: string;
}

interface UnsafeRecord {
  readonly position: number;
  readonly session: string;
  /** The last safe record if this one is lost; null for the first of a session. */
  readonly back: number | null;
}

interface Waiter {
  readonly upTo: number;
  readonly resolve: () => void;
  readonly reject: (error: UsageError) => void;
}

/**
 * One append-only log for all sessions of a server. Every record names the one before it, so a session is
 * read backwards, and a fork points into its parent. A position is a byte of the whole log.
 */
export class SessionLog {
  readonly #directory: string;
  readonly #folder: string;
  readonly #options: SessionLogOptions;
  readonly #segments: Segment[];
  /** Positions: behind the last record; of what the system has; of what is safe. */
  #end: number;
  #written: number;
  #safeEnd: number;
  #pending: PendingRecord[] = [];
  #pendingBytes = 0;
  #unsafe: UnsafeRecord[] = [];
  #waiters: Waiter[] = [];
  #timer: NodeJS.Timeout | null = null;
  #syncing = false;
  #failure: UsageError | null = null;
  #failures = 0;
  #stopping = false;
  #stopped = false;
  #syncs = 0;

  private constructor(directory: string, options: SessionLogOptions) {
    this.#directory = directory;
    this.#options = options;
    const found = openGeneration(directory, options);
    this.#folder = found.folder;
    this.#segments = found.segments;
    this.#end = found.end;
    this.#written = this.#end;
    this.#safeEnd = this.#end;
    if (this.#segments.length === 0) this.#addSegment(0);
    // What an earlier process left to the system is made safe before anything is said to be.
    else fdatasyncSync(this.#last.file);
  }

  /**
   * Opens the log of a state folder and takes the folder for this process.
   * @throws UsageError when another process has it, it is no folder to write in, or the log is damaged.
   */
  static open(directory: string, options: SessionLogOptions): SessionLog {
    try {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      lockFolder(directory);
    } catch (error) {
      throw cannotHave(directory, error);
    }
    try {
      return new SessionLog(directory, options);
    } catch (error) {
      unlockFolder(directory);
      throw error;
    }
  }

  /** Bytes in the log. */
  get bytes(): number {
    return this.#end;
  }

  /** How often the disk was waited for. */
  get syncs(): number {
    return this.#syncs;
  }

  /** Tries to work again where writing failed before. @throws UsageError while it does not. */
  assertWritable(): void {
    if (this.#stopping) throw new UsageError('log-unavailable', 'the server is stopping');
    if (this.#failure) this.#retry();
    if (this.#failure) throw this.#failure;
  }

  /**
   * Appends a record and gives its position. It is safe once `safe()` says so.
   * @throws UsageError while the log cannot be written; then nothing was appended.
   */
  append(record: Omit<LogRecord, 'body'>, data: unknown): number {
    this.assertWritable();
    const line = recordLine(record, JSON.stringify(data));
    const { segmentBytes = SEGMENT_BYTES } = this.#options;
    if (this.#end - this.#last.start >= segmentBytes) this.#roll();
    const position = this.#end;
    const length = Buffer.byteLength(line);
    this.#pending.push({ position, line });
    this.#pendingBytes += length;
    this.#end += length;
    const { kind, session, previous } = record;
    if (this.#options.durability === 'strict') {
      this.#unsafe.push({ position, session, back: kind === 'o' ? null : previous });
    } else if (!this.#timer) this.#openWindow();
    else if (this.#pendingBytes >= FLUSH_BYTES) this.#flushQuietly();
    return position;
  }

  /** Says when everything appended so far is as safe as promised: nothing to wait for, or a promise. */
  safe(): Promise<void> | undefined {
    if (this.#options.durability === 'batch' || this.#safeEnd >= this.#end) return undefined;
    return new Promise((resolve, reject) => {
      this.#waiters.push({ upTo: this.#end, resolve, reject });
      if (this.#syncing) return;
      this.#syncing = true;
      // All calls that come in the same turn share one sync.
      setImmediate(() => this.#sync());
    });
  }

  /** Whether the record at a position can no longer be lost as long as the disk is not. */
  isSafe(position: number): boolean {
    return this.#options.durability === 'batch' || position < this.#safeEnd;
  }

  /** The record at a position. @throws UsageError when it is damaged. */
  read(position: number): LogRecord {
    if (position >= this.#written) {
      const pending = this.#pending.findLast((record) => record.position === position);
      const record = pending && parsedRecord(Buffer.from(pending.line.slice(0, -1)));
      invariant(record, 'no record of the log stands there', { position });
      return record;
    }
    const segment = this.#segments.findLast(({ start }) => start <= position);
    invariant(segment, 'no segment of the log has that position', { position });
    return readRecord(segment, position - segment.start);
  }

  /** Records from the one at a position back to the first that it follows. */
  *backwards(position: number): IterableIterator<LogRecord & { readonly position: number }> {
    for (let at: number | null = position; at !== null; ) {
      const record: LogRecord = this.read(at);
      yield { ...record, position: at };
      at = record.previous;
    }
  }

  /** Writes and syncs what is left, and gives the folder back. */
  async stop(): Promise<void> {
    if (this.#stopping) return;
    this.#stopping = true;
    await this.safe()?.catch(() => undefined);
    this.#stopped = true;
    if (this.#timer) clearTimeout(this.#timer);
    try {
      if (this.#failure) this.#repair();
      this.#flush();
      fdatasyncSync(this.#last.file);
    } finally {
      for (const { file } of this.#segments) closeSync(file);
      unlockFolder(this.#directory);
    }
  }

  get #last(): Segment {
    const last = this.#segments.at(-1);
    invariant(last, 'a log has a segment');
    return last;
  }

  #addSegment(start: number): void {
    this.#segments.push(openSegment(this.#folder, start));
    syncFolder(this.#folder);
  }

  /** Begins the next segment; everything before it is made safe first. */
  #roll(): void {
    try {
      this.#flush();
      fdatasyncSync(this.#last.file);
      // First: what follows may fail, and must not take back what is on the disk.
      this.#settle(this.#end);
      this.#addSegment(this.#end);
    } catch (error) {
      throw this.#fail(error);
    }
  }

  /** Hands everything pending to the system. */
  #flush(): void {
    if (this.#pending.length === 0) return;
    const { start, file, path } = this.#last;
    // What goes into a file that was removed is nowhere, and the system does not mind.
    if (fstatSync(file).nlink === 0) throw new Error(`${path} was removed`);
    const bytes = Buffer.from(this.#pending.map(({ line }) => line).join(''));
    for (let done = 0; done < bytes.length; ) {
      done += writeSync(file, bytes, done, bytes.length - done, this.#written - start + done);
    }
    this.#pending = [];
    this.#pendingBytes = 0;
    this.#written += bytes.length;
  }

  /** Writes now, and then at the end of every 10 ms in which something came. */
  #openWindow(): void {
    this.#timer = null;
    if (this.#pending.length === 0) return;
    this.#flushQuietly();
    this.#timer ??= setTimeout(() => this.#openWindow(), FLUSH_MS);
  }

  #flushQuietly(): void {
    try {
      this.#flush();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** One group commit: whatever came in while it ran is the next group. */
  #sync(): void {
    try {
      this.#flush();
    } catch (error) {
      this.#syncing = false;
      this.#fail(error);
      return;
    }
    const upTo = this.#written;
    const failures = this.#failures;
    this.#syncs += 1;
    fdatasync(this.#last.file, (error) => {
      this.#syncing = false;
      if (error) this.#fail(error);
      // What was written before a failure does not count any more, whatever became of it.
      else if (failures === this.#failures) this.#settle(upTo);
      if (this.#waiters.length === 0 || this.#syncing) return;
      this.#syncing = true;
      this.#sync();
    });
  }

  /** Everything up to a position is safe: lets those go on who waited for it. */
  #settle(upTo: number): void {
    if (upTo <= this.#safeEnd) return;
    this.#safeEnd = upTo;
    this.#unsafe = this.#unsafe.filter(({ position }) => position >= upTo);
    const done = this.#waiters.filter((waiter) => waiter.upTo <= upTo);
    this.#waiters = this.#waiters.filter((waiter) => waiter.upTo > upTo);
    for (const { resolve } of done) resolve();
  }

  /**
   * Writing failed. In `batch` what is pending waits for better times. In `strict` nothing after the last
   * sync counts: after a failed sync the system may forget what it could not write, so it is not asked again.
   */
  #fail(cause: unknown): UsageError {
    const failure = unavailable(cause);
    this.#failure = failure;
    this.#failures += 1;
    if (this.#options.durability === 'batch') {
      this.#timer ??= setTimeout(() => this.#retry(), RETRY_MS).unref();
      return failure;
    }
    const lost = new Map<string, number | null>();
    for (const { session, back } of this.#unsafe) if (!lost.has(session)) lost.set(session, back);
    const waiters = this.#waiters;
    this.#pending = [];
    this.#pendingBytes = 0;
    this.#unsafe = [];
    this.#waiters = [];
    this.#end = this.#safeEnd;
    this.#written = this.#safeEnd;
    try {
      this.#options.lost(lost);
    } finally {
      for (const { reject } of waiters) reject(failure);
    }
    return failure;
  }

  #retry(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    if (!this.#failure || this.#stopped) return;
    try {
      this.#repair();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Cuts off what counts no more and goes on in a new segment. */
  #repair(): void {
    const { start, file } = this.#last;
    ftruncateSync(file, this.#written - start);
    if (this.#written > start) this.#addSegment(this.#written);
    if (this.#options.durability === 'batch') this.#flush();
    this.#failure = null;
  }
}

/** The records of the newest generation, which is written anew first where most of it is dead. */
function openGeneration(
  directory: string,
  { segmentBytes = SEGMENT_BYTES, compactBytes = COMPACT_BYTES, visit, revisit, note }: SessionLogOptions,
): { readonly folder: string; readonly segments: Segment[]; readonly end: number } {
  const generation = newestGeneration(directory);
  const folder = generationPath(directory, generation);
  const segments = openSegments(folder);
  const known: KnownRecord[] = [];
  const end = visitSegments(
    segments,
    (record) => {
      const { kind, session, previous, position, length } = record;
      known.push({ kind, session, previous, position, length });
      visit(record);
    },
    note,
  );
  const records = worthCompacting(known, compactBytes);
  if (!records) return { folder, segments, end };
  compactLog(directory, generation, { segments, records, segmentBytes });
  revisit();
  const compacted = generationPath(directory, generation + 1);
  const rewritten = openSegments(compacted);
  return { folder: compacted, segments: rewritten, end: visitSegments(rewritten, visit, note) };
}

/** Why a state folder cannot be had, in words where they are known. */
function cannotHave(directory: string, error: unknown): unknown {
  if (error instanceof UsageError) {
    return new UsageError('busy', error.message, { hint: 'stop the other server, or give another --state' });
  }
  const { code = '' } = error as NodeJS.ErrnoException;
  if (!['EEXIST', 'ENOTDIR', 'ENOENT', 'EACCES', 'EPERM', 'EROFS'].includes(code)) return error;
  return new UsageError('bad-folder', `sessions cannot be kept in ${JSON.stringify(directory)}: ${code}`, {
    hint: 'name a folder that this user may write in, or that may be made',
  });
}

function unavailable(cause: unknown): UsageError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new UsageError('log-unavailable', `the log of the sessions cannot be written: ${reason}`, {
    hint: 'nothing was changed; once there is room again, the same request works',
  });
}
