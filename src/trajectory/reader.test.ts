import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { everything, openNotes } from '../../test/episodes.ts';
import { UsageError } from '../base/errors.ts';
import { loadTrajectory } from '../runner/recorded.ts';
import { readTrajectory } from './reader.ts';
import { writeEnd, writeRecord } from './writer.ts';

const { text, trajectory } = everything();
const lines = text.split('\n').slice(0, -1);

/** The error of reading a text; the test fails when it is read, or fails in another way. */
function refusal(changed: string, options: { readonly allowPartial?: boolean } = {}): UsageError {
  try {
    readTrajectory(changed, { file: 'x.traj.jsonl', ...options });
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  throw new Error('the changed file was read as if nothing were wrong with it');
}

/** File and line of a refusal, and its code. */
function verdict(changed: string): { code: string; line: number | undefined } {
  const { code, place } = refusal(changed);
  expect(place?.file).toBe('x.traj.jsonl');
  return { code, line: place?.line };
}

const joined = (parts: readonly (string | undefined)[]): string => `${parts.join('\n')}\n`;

describe('a trajectory file', () => {
  it('reads back as what was written, and writes back as what was read', () => {
    const read = readTrajectory(text);
    expect(read).toEqual(trajectory);
    const { header, steps, messages, end } = read;
    const { seal: _seal, ...open } = end ?? trajectory.end ?? ({} as never);
    const again = [header, ...steps, ...messages].map((record) => writeRecord(record).line);
    expect(new Set([...again, writeEnd(open).line])).toEqual(new Set(lines));
  });

  it('reads an episode without steps and messages', () => {
    const session = openNotes();
    const finished = session.finish({ reason: 'agent-stopped', detail: 'it left' });
    expect(readTrajectory(session.text())).toEqual(finished);
  });

  it('takes a cut file where that is asked for, up to its last whole line', () => {
    for (const count of [1, 2, 7]) {
      const part = joined(lines.slice(0, count));
      const read = readTrajectory(part, { allowPartial: true });
      expect(read.end).toBeNull();
      expect(read.steps.length + read.messages.length).toBe(count - 1);
      const torn = readTrajectory(part + (lines[count] ?? '').slice(0, 40), { allowPartial: true });
      expect(torn).toEqual(read);
    }
  });
});

describe('a damaged trajectory file', () => {
  it('is refused at every line it can be cut after, with the line', () => {
    for (let count = 1; count < lines.length; count += 1) {
      expect(verdict(joined(lines.slice(0, count)))).toEqual({ code: 'trajectory-truncated', line: count });
    }
  });

  it('is refused wherever it is cut within a line, the very last byte included', () => {
    const bytes = Buffer.from(text);
    for (let length = bytes.length - 1; length > 0; length -= 7) {
      // A cut inside a character leaves text that no longer decodes; the file test below goes through bytes.
      const cut = new TextDecoder().decode(bytes.subarray(0, length));
      expect(verdict(cut).line).toBe(Math.max(1, cut.split('\n').length - (cut.endsWith('\n') ? 1 : 0)));
    }
  });

  it('is refused when two neighbouring lines are swapped', () => {
    for (let index = 0; index + 1 < lines.length; index += 1) {
      const [first, second] = [lines[index], lines[index + 1]];
      const { line } = verdict(joined(lines.toSpliced(index, 2, second ?? '', first ?? '')));
      expect(line).toBeGreaterThanOrEqual(index + 1);
      expect(line).toBeLessThanOrEqual(index + 2);
    }
  });

  it('is refused when a line is dropped or stands twice', () => {
    for (let index = 0; index < lines.length; index += 1) {
      const dropped = verdict(joined(lines.toSpliced(index, 1)));
      expect(dropped.line).toBeGreaterThanOrEqual(1);
      const twice = verdict(joined(lines.toSpliced(index, 0, lines[index] ?? '')));
      expect(twice.line).toBe(index + 2);
    }
  });

  it.each([
    ['an empty file', '', 'trajectory-empty', 1],
    ['a line break alone', '\n', 'trajectory-foreign', 1],
    ['another format of JSONL', '{"role":"user","content":"hi"}\n', 'trajectory-foreign', 1],
    ['no JSON', 'hello\nworld\n', 'trajectory-foreign', 1],
    ['a JSON list', '[1,2]\n', 'trajectory-foreign', 1],
    ['a byte order mark', `\ufeff${text}`, 'trajectory-foreign', 1],
    ['another version', text.replace('"version":1', '"version":2'), 'trajectory-version', 1],
    ['two files in one', text + text, 'trajectory-extra', lines.length + 1],
    ['a second header', joined([lines[0], lines[0]]), 'trajectory-foreign', 2],
    ['a record of unknown type', joined([lines[0], '{"type":"stp"}']), 'trajectory-foreign', 2],
    ['an empty line in between', joined([lines[0], '', ...lines.slice(1)]), 'trajectory-truncated', 2],
    ['an unknown member', text.replace('"type":"header"', '"type":"header","x":1'), 'trajectory-form', 1],
    ['line breaks of another system', text.replaceAll('\n', '\r\n'), 'trajectory-edited', 1],
    ['no line break at the end', text.slice(0, -1), 'trajectory-truncated', lines.length],
  ])('%s is named as such', (_what, changed, code, line) => {
    expect(verdict(changed)).toEqual({ code, line });
  });

  it('names the nearest type, and the version that is read', () => {
    expect(refusal(joined([lines[0], '{"type":"stp"}'])).hint).toBe('did you mean step?');
    expect(refusal(text.replace('"version":1', '"version":2')).message).toContain('version 2');
  });
});

describe('one changed byte', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'groundhog-bytes-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** The smallest episode that has every kind of record and a character of several bytes. */
  const small = (() => {
    const session = openNotes();
    session.say({ role: 'user', text: 'ü' });
    session.call({ tool: 'get_note', input: { id: 'note_seed0001' } });
    session.call({ tool: 'list_notebooks' });
    session.finish({ reason: 'answer', answer: 'ok' });
    return Buffer.from(session.text());
  })();

  function check(bytes: Uint8Array, what: string): void {
    const file = join(folder, 'one.traj.jsonl');
    writeFileSync(file, bytes);
    let message: string | undefined;
    try {
      loadTrajectory(file);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      message = error.describe();
    }
    if (!message?.startsWith(`${file}:`) || !/^:\d+: /u.test(message.slice(file.length))) {
      throw new Error(`${what}: ${message ?? 'was read as if nothing were wrong'}`);
    }
  }

  const REPLACEMENTS = [0x00, 0x0a, 0x20, 0x22, 0x30, 0x7d, 0x80, 0xff];

  it('at any position is refused with its line, whatever it is changed to', () => {
    for (let at = 0; at < small.length; at += 1) {
      const was = small[at] ?? 0;
      // One replacement of each kind would be slow at every position: they take turns, the neighbours always.
      const others = [was ^ 0x01, was ^ 0x20, REPLACEMENTS[at % REPLACEMENTS.length] ?? 0];
      for (const byte of others) {
        if (byte === was) continue;
        const changed = Uint8Array.from(small);
        changed[at] = byte;
        check(changed, `byte ${at} from ${was} to ${byte}`);
      }
    }
  });

  it('that is taken out or put in is refused with its line', () => {
    for (let at = 0; at < small.length; at += 1) {
      check(Buffer.concat([small.subarray(0, at), small.subarray(at + 1)]), `byte ${at} taken out`);
    }
    for (let at = 0; at <= small.length; at += 1) {
      const byte = REPLACEMENTS[at % REPLACEMENTS.length] ?? 0;
      check(
        Buffer.concat([small.subarray(0, at), Uint8Array.of(byte), small.subarray(at)]),
        `byte ${byte} put in before ${at}`,
      );
    }
    check(Buffer.concat([small, Buffer.from('\n')]), 'a line break at the end');
  });
});
