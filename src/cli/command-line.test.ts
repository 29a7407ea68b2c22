import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { commandLine, type Start, typeable } from './command-line.ts';

const ROOT = new URL('../..', import.meta.url).pathname.replace(/\/$/u, '');
const BIN = `${ROOT}/bin/groundhog.js`;

const CHECKOUT: Start = { script: '/code/bin/groundhog.js', folder: '/code', checkout: '/code' };

describe('a command that is printed can be typed', () => {
  it.each<[string, Partial<Start>, string]>([
    ['in a checkout', {}, 'npm run -s groundhog -- show runs/a'],
    ['in another folder', { folder: '/home' }, 'node /code/bin/groundhog.js show runs/a'],
    ['by a link on the PATH', { script: '/bin/groundhog' }, 'groundhog show runs/a'],
    ['from the built package', { checkout: null }, 'groundhog show runs/a'],
  ])('%s', (_where, start, line) => {
    expect(commandLine('show runs/a', { ...CHECKOUT, ...start })).toBe(line);
  });

  it('wherever a sentence mentions it, and nowhere else', () => {
    expect(typeable('see `groundhog replay`; again: groundhog fork T, groundhog --help', CHECKOUT)).toBe(
      'see `npm run -s groundhog -- replay`; again: npm run -s groundhog -- fork T, ' +
        'npm run -s groundhog -- --help',
    );
    for (const other of ['npm:groundhog-run', 'a groundhog shows up', 'the groundhog says no']) {
      expect(typeable(other, CHECKOUT)).toBe(other);
    }
  });

  it('in hints of errors, as text and as JSON', () => {
    const { stderr, stdout } = spawnSync(process.execPath, [BIN, '--json'], { cwd: ROOT, encoding: 'utf8' });
    expect(stderr).toContain('npm run -s groundhog -- --help');
    expect(stdout).toContain('npm run -s groundhog -- --help');
  });
});

describe('the version', () => {
  it('is the one of the package', () => {
    const { status, stdout } = spawnSync(process.execPath, [BIN, '--version'], { encoding: 'utf8' });
    expect([status, stdout]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+\n$/u)]);
  });
});
