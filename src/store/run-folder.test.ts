import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { digestText } from '../base/digest.ts';
import { UsageError } from '../base/errors.ts';
import { voidScore } from '../scoring/index.ts';
import { configHash, type RunConfig, RunFolder, removeRunFolder } from './run-folder.ts';

const CONFIG: RunConfig = {
  bank: { name: 'b', version: '1.0.0', hash: 'h' },
  scenarios: [
    { id: 'one', hash: '1', cluster: 'c' },
    { id: 'two', hash: '2', cluster: 'c' },
  ],
  behaviour: { engine: 'e', services: { notes: 'n' } },
  agent: { name: 'a', config: { nested: [1, null] } },
  seed: '1',
  k: 2,
  mode: 'end-to-end',
};

let root = '';
let folder = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'groundhog-run-'));
  folder = join(root, 'run');
});
afterEach(() => rmSync(root, { recursive: true }));

const path = (name: string): string => join(folder, name);
const linesOf = (name: string): string[] => readFileSync(path(name), 'utf8').split('\n').slice(0, -1);

function add(run: RunFolder, scenario: string, trial: number): void {
  const text = `text of ${scenario} ${trial} ü\n`;
  const score = voidScore('infrastructure', 'none');
  run.add({ scenario, trial, text, trajectory: digestText(text), score, wallClockMs: 1.5 });
}

/** A run with trials one#0 and two#0, left as a killed process leaves it. */
function begun(): void {
  const run = RunFolder.open(folder, CONFIG);
  add(run, 'one', 0);
  add(run, 'two', 0);
  run.release();
}

function done(): string[] {
  return RunFolder.read(folder)
    .trials()
    .map(({ scenario, trial }) => `${scenario}#${trial}`);
}

function refusal(run: () => unknown): UsageError {
  try {
    run();
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  throw new Error('expected a UsageError');
}

/** Opens the folder as the next `run` does, and lets it go again. */
function resumed(): string[] {
  const run = RunFolder.open(folder, CONFIG);
  run.release();
  return run.trials().map(({ scenario, trial }) => `${scenario}#${trial}`);
}

describe('a run folder', () => {
  it('keeps what was added, in the order of the configuration', () => {
    const run = RunFolder.open(folder, CONFIG);
    for (const [scenario, trial] of [
      ['two', 1],
      ['one', 1],
      ['two', 0],
    ] as const)
      add(run, scenario, trial);
    expect(run.has('two', 1)).toBe(true);
    expect(run.has('one', 0)).toBe(false);
    run.release();
    const read = RunFolder.read(folder);
    expect(done()).toEqual(['one#1', 'two#0', 'two#1']);
    expect(read.trials()).toEqual(run.trials());
    expect(read.config).toEqual(CONFIG);
    expect(read.wallClockMs('two', 1)).toBe(1.5);
    expect(read.wallClockMs('one', 0)).toBeUndefined();
    expect(read.finished).toBe(false);
  });

  it('takes an unfinished run up, and refuses a finished one and one of another configuration', () => {
    begun();
    expect(resumed()).toEqual(['one#0', 'two#0']);
    expect(refusal(() => RunFolder.open(folder, { ...CONFIG, seed: '2' })).code).toBe('other-run');
    expect(refusal(() => RunFolder.open(folder, { ...CONFIG, k: 3 })).code).toBe('other-run');
    const run = RunFolder.open(folder, CONFIG);
    run.finish({ trials: 4 });
    run.release();
    expect(refusal(() => RunFolder.open(folder, CONFIG)).code).toBe('finished');
    expect(existsSync(path('run.lock'))).toBe(false);
  });

  it('knows that it lost trials after it was finished', () => {
    const run = RunFolder.open(folder, CONFIG);
    for (const trial of [0, 1]) for (const scenario of ['one', 'two']) add(run, scenario, trial);
    expect(refusal(() => run.assertWhole()).code).toBe('not-finished');
    run.finish({ trials: 4 });
    run.release();
    RunFolder.read(folder).assertWhole();
    const [, ...rest] = linesOf('results.jsonl');
    writeFileSync(path('results.jsonl'), rest.map((line) => `${line}\n`).join(''));
    const { message } = refusal(() => RunFolder.read(folder).assertWhole());
    expect(message).toBe('the run had 4 trials when it was finished, and 3 are there');
    writeFileSync(path('summary.json'), '{}');
    expect(refusal(() => RunFolder.read(folder).assertWhole()).code).toBe('run-file');
  });

  it('names a configuration by all of it', () => {
    expect(configHash(CONFIG)).toBe(configHash(structuredClone(CONFIG)));
    expect(configHash({ ...CONFIG, agent: { name: 'a', config: { nested: [1] } } })).not.toBe(
      configHash(CONFIG),
    );
  });
});

describe('what a kill leaves behind', () => {
  it('a torn last line is cut off, wherever it was torn', () => {
    begun();
    const whole = readFileSync(path('results.jsonl'));
    const bytes = Buffer.from('{"scenario":"zwölf","trial":0');
    for (let length = 1; length <= bytes.length; length += 1) {
      appendFileSync(path('results.jsonl'), bytes.subarray(0, length));
      appendFileSync(path('timings.jsonl'), bytes.subarray(0, length));
      expect(done()).toEqual(['one#0', 'two#0']);
      expect(resumed()).toEqual(['one#0', 'two#0']);
      expect(readFileSync(path('results.jsonl'))).toEqual(whole);
    }
  });

  it('half-written files are taken away, and a folder without its first file begins anew', () => {
    mkdirSync(path('trajectories'), { recursive: true });
    writeFileSync(path('run.json.77.tmp'), '{');
    writeFileSync(path('trajectories/one.0.traj.jsonl.77.tmp'), 'x');
    expect(resumed()).toEqual([]);
    expect(readdirSync(folder)).toEqual(['run.json', 'trajectories']);
    expect(readdirSync(path('trajectories'))).toEqual([]);
    rmSync(path('run.json'));
    removeRunFolder(folder);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('a trial whose trajectory is gone or changed is run again, and then stands in the results once', () => {
    for (const damage of [
      (file: string) => rmSync(file),
      (file: string) => appendFileSync(file, ' '),
      (file: string) => writeFileSync(file, Buffer.from([0xff, 0xfe])),
    ]) {
      rmSync(folder, { recursive: true, force: true });
      begun();
      damage(path('trajectories/one.0.traj.jsonl'));
      const run = RunFolder.open(folder, CONFIG);
      expect(run.has('one', 0)).toBe(false);
      expect(run.has('two', 0)).toBe(true);
      add(run, 'one', 0);
      run.release();
      expect(linesOf('results.jsonl')).toHaveLength(2);
      expect(done()).toEqual(['one#0', 'two#0']);
    }
  });
});

describe('a run folder that was tampered with', () => {
  it.each([
    [
      'a changed verdict',
      'results.jsonl',
      (text: string) => text.replace('"success":false', '"success":true'),
      1,
    ],
    ['a line that is not JSON', 'results.jsonl', (text: string) => `${text}nonsense\n`, 3],
    ['a seal taken off', 'results.jsonl', (text: string) => text.replace(/,"seal":"\w+"/u, ''), 1],
    ['an empty line', 'results.jsonl', (text: string) => `\n${text}`, 1],
    ['another seed', 'run.json', (text: string) => text.replace('"seed": "1"', '"seed": "2"'), 1],
    ['a configuration that is none', 'run.json', () => '{"format": "groundhog.run"}', 1],
    ['a configuration that is no JSON', 'run.json', () => '{', 1],
    ['a timing of another form', 'timings.jsonl', (text: string) => text.replace('1.5', '"soon"'), 1],
  ])('%s is refused with file and line', (_what, name, change, line) => {
    begun();
    writeFileSync(path(name), change(readFileSync(path(name), 'utf8')));
    for (const open of [() => RunFolder.read(folder), () => RunFolder.open(folder, CONFIG)]) {
      expect(refusal(open).place).toMatchObject({ file: path(name), line });
    }
    expect(existsSync(path('run.lock'))).toBe(false);
  });

  it('a trial that is no part of the run is refused, also with a seal of its own', () => {
    const bigger = RunFolder.open(folder, { ...CONFIG, k: 5 });
    add(bigger, 'one', 4);
    bigger.release();
    const line = readFileSync(path('results.jsonl'), 'utf8');
    rmSync(folder, { recursive: true });
    begun();
    appendFileSync(path('results.jsonl'), line);
    expect(refusal(() => RunFolder.read(folder)).place?.line).toBe(3);
  });
});

describe('the lock', () => {
  const lock = () => path('run.lock');

  it('keeps a second opener out, in this process and in another one that lives', () => {
    const run = RunFolder.open(folder, CONFIG);
    expect(readFileSync(lock(), 'utf8')).toBe(String(process.pid));
    expect(refusal(() => RunFolder.open(folder, CONFIG)).code).toBe('busy');
    expect(refusal(() => removeRunFolder(folder)).code).toBe('busy');
    run.release();
    writeFileSync(lock(), String(process.ppid));
    expect(refusal(() => RunFolder.open(folder, CONFIG)).message).toContain(String(process.ppid));
    expect(readFileSync(lock(), 'utf8')).toBe(String(process.ppid));
  });

  it.each([
    ['a process that is gone', '999999999'],
    ['nobody', ''],
    ['nonsense', 'x y z'],
    ['a process of an earlier life with the same id', String(process.pid)],
  ])('of %s is taken over', (_who, content) => {
    begun();
    writeFileSync(lock(), content);
    expect(resumed()).toEqual(['one#0', 'two#0']);
    expect(readdirSync(folder).filter((name) => name.includes('lock'))).toEqual([]);
  });

  it('that cannot be taken is an error, not a run without one', () => {
    begun();
    mkdirSync(lock());
    expect(() => RunFolder.open(folder, CONFIG)).toThrow();
    expect(done()).toEqual(['one#0', 'two#0']);
  });
});

describe('a folder that is no run', () => {
  it('is left alone: nothing is written into it, nothing thrown away', () => {
    mkdirSync(folder);
    writeFileSync(path('thesis.txt'), 'mine');
    expect(refusal(() => RunFolder.open(folder, CONFIG)).code).toBe('not-a-run');
    expect(refusal(() => removeRunFolder(folder)).code).toBe('not-a-run');
    expect(readdirSync(folder)).toEqual(['thesis.txt']);
    expect(refusal(() => RunFolder.read(folder)).code).toBe('not-a-run');
    const file = path('thesis.txt');
    expect(refusal(() => RunFolder.open(file, CONFIG)).code).toBe('no-folder');
    expect(refusal(() => RunFolder.open(join(file, 'deeper'), CONFIG)).code).toBe('no-folder');
  });

  it('is no obstacle while it is empty or absent, and a run in it can be thrown away', () => {
    mkdirSync(folder);
    begun();
    removeRunFolder(folder);
    expect(readdirSync(folder)).toEqual([]);
    removeRunFolder(join(root, 'absent'));
    begun();
    expect(done()).toHaveLength(2);
  });
});
