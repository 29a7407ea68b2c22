import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TINY, writeTinyBank } from '../../../../test/tiny-bank.ts';

const BIN = new URL('../../../../bin/groundhog.js', import.meta.url).pathname;
const COUNT = TINY.length;

let folder = '';
const at = (name: string): string => join(folder, name);

interface Ended {
  readonly code: number | null;
  readonly stderr: string;
  readonly json: Record<string, unknown> & { readonly error?: Record<string, unknown> };
}

function command(words: string, key = ''): Ended {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...words.split(' '), '--json'], {
    encoding: 'utf8',
    cwd: folder,
    env: { ...process.env, GROUNDHOG_BANK_KEY: key },
  });
  return { code: status, stderr, json: JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '{}') };
}

const files = (): string[] => readdirSync(at('bank/scenarios')).sort();

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'groundhog-seal-'));
  writeTinyBank(at('bank'), TINY);
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('bank seal', () => {
  it('encrypts, is read with its key alone, and opens to the same bytes', { timeout: 60_000 }, () => {
    const before = files().map((file) => readFileSync(at(`bank/scenarios/${file}`), 'utf8'));
    const sealed = command('bank seal bank --key bank.key');
    expect(sealed.json).toMatchObject({ keyMade: true, key: 'bank.key' });
    expect(statSync(at('bank.key')).mode & 0o777).toBe(0o600);
    const [first = ''] = files();
    expect(files().every((file) => file.endsWith('.sealed.json'))).toBe(true);
    const text = readFileSync(at(`bank/scenarios/${first}`), 'utf8');
    expect(text).toMatch(/"canary": "groundhog-sealed-scenario:[0-9a-f-]{36}"/u);
    expect(text).not.toContain('task');
    expect(command('run bank --agent oracle --out none').code).toBe(2);
    const run = command('run bank --agent oracle --out with', 'bank.key');
    expect(run.json).toMatchObject({ trials: COUNT, success: { value: 1 } });
    expect(readFileSync(at('with/run.json'), 'utf8')).toContain('groundhog-sealed-scenario:');
    const opened = command('bank unseal bank --key bank.key');
    expect((opened.json.opened as string[]).length).toBe(COUNT);
    expect(files().map((file) => readFileSync(at(`bank/scenarios/${file}`), 'utf8'))).toEqual(before);
  });

  it('seals a part, and says of a sealed scenario that it is one', { timeout: 60_000 }, () => {
    const id = TINY[0]?.id ?? '';
    command(`bank seal bank --key bank.key --scenario ${id}`);
    expect(files().filter((file) => file.endsWith('.sealed.json'))).toEqual([`${id}.sealed.json`]);
    expect(command('run bank --agent oracle --out part').json).toMatchObject({ trials: COUNT - 1 });
    expect(command(`run bank/${id} --agent oracle`).json).toMatchObject({ error: { code: 'sealed' } });
  });

  it('refuses what would seal nothing, and changes no file', { timeout: 60_000 }, () => {
    const before = files();
    symlinkSync(at('bank'), at('link'));
    for (const words of [
      'bank seal bank --key bank/bank.key',
      'bank seal bank --key bank/..key',
      'bank seal bank --key link/bank.key',
      'bank seal link --key bank/bank.key',
      'bank seal bank',
      'bank seal bank --key bank.key --scenario nope',
      'bank seal nowhere --key bank.key',
    ]) {
      expect([words, command(words).code]).toEqual([words, 2]);
    }
    expect(files()).toEqual(before);
    expect(existsSync(at('bank.key'))).toBe(false);
  });

  it('that was cut short leaves two whole files, and says what to do', { timeout: 60_000 }, () => {
    const [file = ''] = files();
    const text = readFileSync(at(`bank/scenarios/${file}`), 'utf8');
    command('bank seal bank --key bank.key');
    writeFileSync(at(`bank/scenarios/${file}`), text);
    const { code, stderr } = command('bank unseal bank --key bank.key');
    expect(code).toBe(2);
    expect(stderr).toContain('take one of the two files away');
    rmSync(at(`bank/scenarios/${file}`));
    expect(command('bank unseal bank --key bank.key').code).toBe(0);
  });

  it('has one key: another seals nothing, and none is made', { timeout: 60_000 }, () => {
    const [first, second] = TINY.map(({ id }) => id);
    command(`bank seal bank --key bank.key --scenario ${first}`);
    const more = `--scenario ${second}`;
    expect(command(`bank seal bank --key new.key ${more}`).json).toMatchObject({
      error: { code: 'other-key' },
    });
    expect(existsSync(at('new.key'))).toBe(false);
    writeFileSync(at('other.key'), `${'ab'.repeat(32)}\n`);
    expect(command(`bank seal bank --key other.key ${more}`).code).toBe(2);
    expect(files().filter((file) => file.endsWith('.sealed.json'))).toEqual([`${first}.sealed.json`]);
    expect(command(`bank seal bank --key bank.key ${more}`).code).toBe(0);
  });

  it('does not open under another key, or when id, canary or text were changed', { timeout: 60_000 }, () => {
    command('bank seal bank --key bank.key');
    writeFileSync(at('other.key'), `${'ab'.repeat(32)}\n`);
    writeFileSync(at('bad.key'), 'abc\n');
    expect(command('bank list bank', 'other.key').json).toMatchObject({ error: { code: 'sealed' } });
    expect(command('bank list bank', 'bad.key').json).toMatchObject({ error: { code: 'no-key' } });
    const path = at(`bank/scenarios/${files()[0]}`);
    const text = readFileSync(path, 'utf8');
    for (const changed of [
      text.replace(/scenario:[0-9a-f]{8}/u, 'scenario:00000000'),
      text.replace(/"data": "..../u, '"data": "AAAA'),
      text.replace('groundhog.sealed', 'other'),
      '{',
    ]) {
      writeFileSync(path, changed);
      const { code, stderr } = command('bank list bank', 'bank.key');
      expect(code).toBe(2);
      expect(stderr).toContain(path.slice(folder.length + 1));
    }
  });
});
