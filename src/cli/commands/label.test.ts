import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TINY, writeTinyBank } from '../../../test/tiny-bank.ts';

/** Labelling as a person meets it: a real terminal, the file beside the run, and no terminal at all. */

const BIN = new URL('../../../bin/groundhog.js', import.meta.url).pathname;

/** Gives a program a terminal and types each line of keys once the screen has been quiet for a while. */
const TERMINAL = `
import fcntl, json, os, pty, select, struct, sys, termios
argv, keys = json.loads(sys.argv[1]), json.loads(sys.argv[2])
pid, fd = pty.fork()
if pid == 0:
    os.execvp(argv[0], argv)
fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack('HHHH', 30, 100, 0, 0))
shown, started = b'', False
while True:
    ready, _, _ = select.select([fd], [], [], 0.3 if started and keys else 20)
    if not ready:
        if not keys:
            break
        os.write(fd, keys.pop(0).encode())
        continue
    try:
        part = os.read(fd, 65536)
    except OSError:
        break
    if not part:
        break
    started = True
    shown += part
code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
print(json.dumps({'code': code, 'shown': shown.decode('utf-8', 'replace')}))
`;

let folder = '';
const labels = (): string => join(folder, 'bad', 'labels.jsonl');

function command(words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...words], {
    encoding: 'utf8',
    cwd: folder,
  });
  return { code: status, stdout, stderr };
}

function typed(words: readonly string[], keys: readonly string[]): { code: number; shown: string } {
  const argv = JSON.stringify([process.execPath, BIN, ...words]);
  const { stdout, stderr } = spawnSync('python3', ['-c', TERMINAL, argv, JSON.stringify(keys)], {
    encoding: 'utf8',
    cwd: folder,
    timeout: 50_000,
  });
  if (stdout === '') throw new Error(`no terminal: ${stderr}`);
  return JSON.parse(stdout);
}

const kept = () =>
  readFileSync(labels(), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'groundhog-label-'));
  writeTinyBank(join(folder, 'bank'), TINY);
  writeFileSync(join(folder, 'idle.js'), "export const next = () => ({type: 'answer', text: 'nothing'});\n");
  command(['run', 'bank', '--agent', 'script:idle.js', '--out', 'bad']);
  command(['run', 'bank', '--agent', 'oracle', '--out', 'good']);
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true }));

describe('without a terminal', () => {
  it('refuses in one sentence, and says what to do', () => {
    const { code, stderr } = command(['label', 'bad']);
    expect(code).toBe(2);
    expect(stderr).toContain('labels are taken from the keyboard of a terminal, and this is none');
    expect(stderr).toContain('--list');
  });

  it('prints where a run stands', () => {
    const { code, stdout } = command(['label', 'bad', '--labels', 'none.jsonl', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ failures: 4, labelled: 0, codes: [] });
    expect(command(['label', 'good', '--list']).stdout).toBe('0 of 0 failures labelled.\n');
  });

  it('says where a line is no label', () => {
    writeFileSync(join(folder, 'wrong.jsonl'), '{"scenario":"look-0"}\n');
    const { code, stderr } = command(['label', 'bad', '--labels', 'wrong.jsonl', '--list']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('wrong.jsonl:1:1')]);
    expect(command(['label', 'agree', 'wrong.jsonl', 'nowhere.jsonl']).code).toBe(2);
  });
});

const python = spawnSync('python3', ['-c', 'import pty']).status === 0;
describe.skipIf(!python)(`on a terminal${python ? '' : ': left out, there is no python3'}`, () => {
  it('takes a label, keeps it at once, and goes on where it was left', { timeout: 60_000 }, () => {
    const first = typed(['label', 'bad'], ['+said nothing\r', 'nAnswered at once.\r', '\r', 'q']);
    expect(first.code).toBe(0);
    expect(first.shown).toContain('1 of 4: look-0, trial 0   (0 labelled)');
    expect(first.shown).toContain('2 of 4: look-1, trial 0   (1 labelled)');
    expect(first.shown).toContain('1 of 4 failures labelled.');
    expect(kept()).toEqual([
      { scenario: 'look-0', trial: 0, at: null, code: 'said-nothing', note: 'Answered at once.' },
    ]);
    const second = typed(['label', 'bad'], ['a\r', 'a\r', '\u0003']);
    expect(second.shown).toContain('2 of 4: look-1, trial 0   (1 labelled)');
    expect(second.shown).toContain('3 of 4 failures labelled.');
    expect(kept().map(({ scenario }) => scenario)).toEqual(['look-0', 'look-1', 'look-2']);
  });

  it('is compared with another labeller, and exported', () => {
    const { code, stdout } = command(['label', 'agree', 'bad/labels.jsonl', 'bad/labels.jsonl', '--json']);
    expect(code).toBe(0);
    // One code throughout: agreement by chance is certain.
    expect(JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
      both: 3,
      code: { kappa: null, observed: { numerator: 3 } },
      differences: [],
    });
    expect(command(['label', 'bad', '--export', 'out.csv']).code).toBe(0);
    expect(readFileSync(join(folder, 'out.csv'), 'utf8').split('\r\n')).toHaveLength(5);
  });
});
