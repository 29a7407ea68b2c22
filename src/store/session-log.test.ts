import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { UsageError } from '../base/errors.ts';
import { type LogDurability, SessionLog } from './session-log.ts';

const root = mkdtempSync(join(tmpdir(), 'groundhog-log-'));
afterAll(() => rmSync(root, { recursive: true }));

let folders = 0;
function newFolder(): string {
  folders += 1;
  return join(root, `log-${folders}`);
}

interface Seen {
  readonly kind: string;
  readonly session: string;
  readonly previous: number | null;
  readonly position: number;
  readonly data: unknown;
}

interface Opened {
  readonly log: SessionLog;
  readonly seen: Seen[];
  readonly notes: string[];
  readonly lost: ReadonlyMap<string, number | null>[];
}

function open(
  directory: string,
  options: { durability?: LogDurability; segmentBytes?: number; compactBytes?: number } = {},
): Opened {
  const seen: Seen[] = [];
  const notes: string[] = [];
  const lost: ReadonlyMap<string, number | null>[] = [];
  const log = SessionLog.open(directory, {
    durability: 'batch',
    ...options,
    visit: ({ kind, session, previous, position, body }) =>
      seen.push({ kind, session, previous, position, data: JSON.parse(body.toString()) }),
    revisit: () => seen.splice(0),
    note: (text) => notes.push(text),
    lost: (sessions) => lost.push(sessions),
  });
  return { log, seen, notes, lost };
}

/** Appends chains to a log: so many records for each session, in turns. */
function fill(log: SessionLog, sessions: readonly string[], count: number): Map<string, number> {
  const last = new Map<string, number>();
  for (let index = 0; index < count; index += 1) {
    for (const session of sessions) {
      const previous = last.get(session) ?? null;
      const kind = previous === null ? 'o' : 'i';
      last.set(session, log.append({ kind, session, previous }, { index, text: 'ü"\\\n\ud800' }));
    }
  }
  return last;
}

function segmentsOf(directory: string): string[] {
  const generation = readdirSync(directory).filter((name) => name.startsWith('sessions-'));
  expect(generation).toHaveLength(1);
  const folder = join(directory, generation[0] ?? '');
  return readdirSync(folder).map((name) => join(folder, name));
}

function thrown(run: () => unknown): UsageError {
  try {
    run();
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('a log', () => {
  it('gives back every record in order, over many segments, and each session backwards', async () => {
    const directory = newFolder();
    const first = open(directory, { segmentBytes: 700 });
    const last = fill(first.log, ['sa', 'sb', 'sc'], 20);
    const chain = (log: SessionLog, session: string): unknown[] =>
      [...log.backwards(last.get(session) ?? 0)].map(({ body }) => JSON.parse(body.toString()) as unknown);
    // Also while they wait in this process for their turn.
    const unwritten = chain(first.log, 'sb');
    await first.log.stop();
    expect(segmentsOf(directory).length).toBeGreaterThan(4);
    const second = open(directory, { segmentBytes: 700 });
    expect(second.notes).toEqual([]);
    expect(second.seen).toHaveLength(60);
    expect(chain(second.log, 'sb')).toEqual(unwritten);
    expect(unwritten).toEqual(
      Array.from({ length: 20 }, (_, index) => ({ index: 19 - index, text: 'ü"\\\n\ud800' })),
    );
    const end = second.log.bytes;
    expect(second.log.append({ kind: 'i', session: 'sa', previous: 0 }, {})).toBe(end);
    await second.log.stop();
  });

  it('is for its owner alone, and for one process at a time', async () => {
    const directory = newFolder();
    const { log } = open(directory);
    fill(log, ['sa'], 1);
    expect(thrown(() => open(directory))).toMatchObject({ code: 'busy' });
    await log.stop();
    for (const path of segmentsOf(directory)) expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    await open(directory).log.stop();
  });

  it('drops a last record that is torn at any byte, says so, and goes on behind the one before', async () => {
    const directory = newFolder();
    const { log } = open(directory);
    const last = fill(log, ['sa'], 3).get('sa') ?? 0;
    await log.stop();
    const [path = ''] = segmentsOf(directory);
    const whole = readFileSync(path);
    for (let length = last + 1; length < whole.length; length += 1) {
      writeFileSync(path, whole.subarray(0, length));
      const { log: torn, seen, notes } = open(directory);
      expect(seen).toHaveLength(2);
      expect(notes).toHaveLength(1);
      expect(torn.bytes).toBe(last);
      torn.append({ kind: 'i', session: 'sa', previous: seen[1]?.position ?? null }, { again: true });
      await torn.stop();
      const healed = open(directory);
      expect(healed.notes).toEqual([]);
      expect(healed.seen.at(-1)).toMatchObject({ position: last, data: { again: true } });
      await healed.log.stop();
    }
    truncateSync(path, last);
    const exact = open(directory);
    expect(exact.notes).toEqual([]);
    await exact.log.stop();
  });

  it('names file and byte when any byte in the middle was changed', async () => {
    const directory = newFolder();
    const { log } = open(directory);
    fill(log, ['sa'], 3);
    await log.stop();
    const [path = ''] = segmentsOf(directory);
    const whole = readFileSync(path);
    const starts = [0, whole.indexOf('\n') + 1];
    for (let at = 0; at < (starts[1] ?? 0) + 30; at += 1) {
      const changed = Buffer.from(whole);
      changed[at] = (whole[at] ?? 0) ^ 1;
      writeFileSync(path, changed);
      const error = thrown(() => open(directory));
      expect(error.code).toBe('log-damaged');
      expect(error.message).toContain(`${path}: byte ${starts.findLast((start) => start <= at)} `);
      expect(readFileSync(path).equals(changed)).toBe(true);
    }
    writeFileSync(path, whole);
    await open(directory).log.stop();
  });

  it('refuses to go on without a segment in the middle', async () => {
    const directory = newFolder();
    const { log } = open(directory, { segmentBytes: 300 });
    fill(log, ['sa'], 20);
    await log.stop();
    const segments = segmentsOf(directory);
    rmSync(segments[1] ?? '');
    expect(thrown(() => open(directory))).toMatchObject({ code: 'log-damaged' });
  });
});

/** Starts a child, tells its id, and then does nothing else: a shell may well look after its children. */
const NEVER_WAITS = `
  console.log(require('node:child_process').spawn('true').pid);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000);
`;

describe('strict', () => {
  it.runIf(process.platform === 'linux')('is had again at once after a process that was killed', async () => {
    // A child that ended and that its parent never waits for.
    const parent = spawn(process.execPath, ['-e', NEVER_WAITS]);
    const [printed] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = printed.toString().trim();
    await vi.waitFor(() => expect(readFileSync(`/proc/${pid}/stat`, 'utf8')).toContain(') Z '));
    const directory = newFolder();
    mkdirSync(directory);
    writeFileSync(join(directory, 'run.lock'), pid);
    await open(directory).log.stop();
    parent.kill();
  });

  it('is not written once its folder was removed: nothing is said to be safe that is nowhere', async () => {
    for (const durability of ['strict', 'batch'] as const) {
      const directory = newFolder();
      const { log } = open(directory, { durability });
      fill(log, ['a'], 1);
      await log.safe();
      rmSync(directory, { recursive: true });
      const refused = async (): Promise<void> => {
        log.append({ kind: 'i', session: 'a', previous: 0 }, {});
        await log.safe();
      };
      await vi.waitFor(() => expect(refused()).rejects.toMatchObject({ code: 'log-unavailable' }));
      await expect(log.stop()).rejects.toThrow();
    }
  });

  it('is kept in a folder alone, and one that can be had', () => {
    const file = newFolder();
    writeFileSync(file, '');
    for (const directory of [file, join(file, 'below'), '']) {
      expect(() => open(directory)).toThrow(expect.objectContaining({ code: 'bad-folder' }));
    }
  });

  it('takes no empty folder for what came after a log', async () => {
    const directory = newFolder();
    const { log } = open(directory);
    fill(log, ['a'], 3);
    await log.stop();
    const stray = join(directory, 'sessions-7');
    mkdirSync(stray);
    expect(() => open(directory)).toThrow(expect.objectContaining({ code: 'log-damaged' }));
    rmSync(stray, { recursive: true });
    const again = open(directory);
    expect(again.seen).toHaveLength(3);
    await again.log.stop();
  });

  it('says that a record is safe once it is on the disk, and shares a sync among all who wait', async () => {
    const directory = newFolder();
    const { log } = open(directory, { durability: 'strict' });
    const last = fill(
      log,
      Array.from({ length: 50 }, (_, index) => `s${index}`),
      1,
    );
    const position = last.get('s49') ?? 0;
    expect(log.isSafe(position)).toBe(false);
    const waits = Array.from({ length: 50 }, () => log.safe());
    const [path = ''] = segmentsOf(directory);
    expect(statSync(path).size).toBe(0);
    await waits[0];
    expect(log.isSafe(position)).toBe(true);
    expect(statSync(path).size).toBe(log.bytes);
    await Promise.all(waits);
    expect(log.syncs).toBe(1);
    expect(log.safe()).toBeUndefined();
    await log.stop();
    expect(thrown(() => log.append({ kind: 'o', session: 'sx', previous: null }, {})).code).toBe(
      'log-unavailable',
    );
  });

  it('takes back what cannot be written, refuses it, and works again when there is room', () => {
    const directory = newFolder();
    const script = new URL('../../test/crash/full-disk.ts', import.meta.url).pathname;
    // No file of the process may grow beyond 8 blocks of 512 bytes: the next segment is another file.
    const command = `ulimit -f 8; exec "${process.execPath}" "${script}" "${directory}"`;
    const { stdout, stderr } = spawnSync('sh', ['-c', command], { encoding: 'utf8' });
    expect(stderr).toBe('');
    const said = JSON.parse(stdout) as { kept: number; refused: string; lost: unknown; after: number };
    expect(said.refused).toMatch(/cannot be written: EFBIG/u);
    expect(said.lost).toEqual([
      ['sa', expect.any(Number)],
      ['sb', null],
    ]);
    const { seen, notes } = open(directory);
    expect(notes).toEqual([]);
    expect(seen.filter(({ session }) => session === 'sa')).toHaveLength(said.kept + said.after);
    expect(seen.filter(({ session }) => session === 'sb')).toHaveLength(0);
  });
});

describe('batch', () => {
  it('writes a lone record at once, and those that follow on its heels together', async () => {
    const directory = newFolder();
    const { log } = open(directory);
    log.append({ kind: 'o', session: 'sa', previous: null }, {});
    const [path = ''] = segmentsOf(directory);
    const { size } = statSync(path);
    expect(size).toBe(log.bytes);
    log.append({ kind: 'i', session: 'sa', previous: 0 }, {});
    expect(statSync(path).size).toBe(size);
    await vi.waitFor(() => expect(statSync(path).size).toBe(log.bytes));
    log.append({ kind: 'i', session: 'sa', previous: 0 }, { text: 'x'.repeat(70_000) });
    expect(statSync(path).size).toBe(log.bytes);
    await log.stop();
  });

  it('keeps what it cannot write until it can: nothing that was said is lost while the process lives', async () => {
    const directory = newFolder();
    const script = new URL('../../test/crash/full-disk.ts', import.meta.url).pathname;
    const command = `ulimit -f 8; exec "${process.execPath}" "${script}" "${directory}" batch`;
    const { stdout, stderr } = spawnSync('sh', ['-c', command], { encoding: 'utf8' });
    expect(stderr).toBe('');
    const said = JSON.parse(stdout) as { kept: number; refused: string; lost: unknown; after: number };
    expect(said).toMatchObject({ kept: 40, refused: '', lost: null });
    const { log, seen, notes } = open(directory);
    expect(notes).toEqual([]);
    expect(seen.filter(({ session }) => session === 'sa')).toHaveLength(40 + said.after);
    expect(segmentsOf(directory).length).toBeGreaterThan(1);
    await log.stop();
  });
});

describe('compaction', () => {
  it('leaves out closed sessions, keeps what forks share, and counts from its rename on', async () => {
    const directory = newFolder();
    const { log } = open(directory);
    const last = fill(log, ['dead', 'parent', 'kept'], 30);
    const parent = last.get('parent') ?? 0;
    const child = log.append({ kind: 'o', session: 'child', previous: parent }, { child: true });
    log.append({ kind: 'i', session: 'parent', previous: parent }, { unneeded: true });
    fill(log, ['dead2', 'dead3'], 60);
    for (const session of ['dead', 'parent', 'dead2', 'dead3'])
      log.append({ kind: 'c', session, previous: 0 }, {});
    const before = [...log.backwards(child)].map(({ body }) => body.toString());
    const bytes = log.bytes;
    await log.stop();
    const large = open(directory, { compactBytes: 1e9 });
    expect(large.log.bytes).toBe(bytes);
    await large.log.stop();
    // A compaction that was cut short counts for nothing.
    const unfinished = join(directory, 'sessions-2.tmp');
    spawnSync('mkdir', [unfinished]);
    writeFileSync(join(unfinished, '0000000000000000.log'), 'half of it');
    const small = open(directory, { compactBytes: 0, segmentBytes: 1_000 });
    expect(readdirSync(directory).filter((name) => name.startsWith('sessions-'))).toEqual(['sessions-2']);
    expect(small.log.bytes).toBeLessThan(bytes / 2);
    const sessions = new Set(small.seen.map(({ session }) => session));
    expect(sessions).toEqual(new Set(['parent', 'kept', 'child']));
    expect(small.seen.filter(({ kind }) => kind === 'c').map(({ session }) => session)).toEqual(['parent']);
    const moved = small.seen.findLast(({ session }) => session === 'child')?.position ?? 0;
    expect([...small.log.backwards(moved)].map(({ body }) => body.toString())).toEqual(before);
    await small.log.stop();
    const again = open(directory, { compactBytes: 0 });
    expect(again.seen).toEqual(small.seen);
    await again.log.stop();
  });
});
