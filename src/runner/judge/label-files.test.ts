import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UsageError } from '../../base/errors.ts';
import { readJudgeLabels, readJudgeVerdicts } from './label-files.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'groundhog-labels-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

let count = 0;
function file(...lines: readonly (object | string)[]): string {
  count += 1;
  const path = join(folder, `${count}.jsonl`);
  const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  writeFileSync(path, `${texts.join('\n')}\n`);
  return path;
}

function misuse(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return (error as UsageError).describe();
  }
  throw new Error('nothing was thrown');
}

const testbedLine = {
  run: 'r1',
  pair: 'r0',
  instance: 'i',
  kind: 'wrong_tool',
  step: 2,
  silent: null,
  outcomeChanged: false,
};

describe('labels', () => {
  it('are read as a testbed writes them, and a fault that changed no outcome is silent', () => {
    const labels = readJudgeLabels(
      file(
        { ...testbedLine, run: 'r0', pair: 'r1', kind: null, step: null, outcomeChanged: null },
        testbedLine,
        { ...testbedLine, run: 'r2', outcomeChanged: true },
      ),
    );
    expect(labels.map(({ id, faulty, silent, twin }) => [id, faulty, silent, twin])).toEqual([
      ['r0', false, null, 'r1'],
      ['r1', true, true, 'r0'],
      ['r2', true, false, 'r0'],
    ]);
  });

  it('are read as a set of risks and as trajectory-judge write them', () => {
    const [risk] = readJudgeLabels(file({ id: 'a', risk: 'x', twin: 'b', instance: 'i', step: 1 }));
    expect(risk).toMatchObject({ id: 'a', faulty: true, twin: 'b', kind: 'x', step: 1, silent: null });
    const run = (id: string, faulty: boolean) => ({
      trajectory_id: id,
      instance_id: 'i',
      final_answer: 'done',
      label: { faulty, failure_step: null, failure_type: null, outcome_correct: true },
    });
    const [clean, wrong] = readJudgeLabels(file(run('c', false), run('f', true)));
    expect(clean).toMatchObject({ faulty: false, silent: null, twin: null, reply: 'done' });
    expect(wrong).toMatchObject({ faulty: true, silent: true, twin: 'c' });
  });

  it('by themselves need no more than id and faulty; a run is then an instance of its own', () => {
    expect(readJudgeLabels(file({ id: 'a', faulty: true }))).toEqual([
      { id: 'a', faulty: true, instance: 'a', twin: null, reply: null, silent: null, step: null, kind: null },
    ]);
  });

  it('that name no twin have the one clean run of their instance, and none where there are two', () => {
    const clean = (id: string) => ({ id, faulty: false, instance: 'i' });
    const faulty = { id: 'f', faulty: true, instance: 'i' };
    const twinOf = (...lines: object[]) => readJudgeLabels(file(...lines)).find(({ id }) => id === 'f')?.twin;
    expect(twinOf(clean('c'), faulty)).toBe('c');
    expect(twinOf(clean('c'), clean('d'), faulty)).toBeNull();
    expect(twinOf(clean('c'), clean('d'), { ...faulty, twin: 'd' })).toBe('d');
  });

  it.each([
    ['no JSON', '{"id": "a", "faulty": tru', ':2:1: '],
    ['an empty line in the middle', '', ':2:1: '],
    ['another form', '{"id": "a"}', ':2:1: '],
    ['a wrong type', '{"id": "a", "faulty": "yes"}', ':2:1: '],
  ])('a line that is %s is refused with its place', (_, line, place) => {
    const path = file({ id: 'x', faulty: false }, line, { id: 'y', faulty: false });
    expect(misuse(() => readJudgeLabels(path))).toContain(`${path}${place}`);
  });

  it('of a run that stands there twice, of an empty and of no file are refused', () => {
    const twice = file({ id: 'a', faulty: true }, { id: 'b', faulty: true }, { id: 'a', faulty: false });
    expect(misuse(() => readJudgeLabels(twice))).toMatch(/:3:1: a stands on line 1 already/u);
    expect(misuse(() => readJudgeLabels(file()))).toContain('is empty');
    expect(misuse(() => readJudgeLabels(join(folder, 'none.jsonl')))).toContain('none.jsonl');
  });
});

describe('verdicts', () => {
  it('name run and judge by any of their names', () => {
    const read = readJudgeVerdicts(
      file(
        { id: 'a', faulty: true, confidence: 0.5, step: 3 },
        { run: 'b', judge: 'j', faulty: false },
        { trajectory_id: 'c', judge_id: 'k', faulty: true, failure_step: 2, failure_type: 'x' },
      ),
    );
    expect(read).toEqual([
      { id: 'a', judge: 'judge', faulty: true, step: 3, kind: null, confidence: 0.5 },
      { id: 'b', judge: 'j', faulty: false, step: null, kind: null, confidence: null },
      { id: 'c', judge: 'k', faulty: true, step: 2, kind: 'x', confidence: null },
    ]);
  });

  it('of two judges on one run stand beside each other; two of one judge do not', () => {
    const both = file({ id: 'a', judge: 'j', faulty: true }, { id: 'a', judge: 'k', faulty: true });
    expect(readJudgeVerdicts(both)).toHaveLength(2);
    const twice = file({ id: 'a', judge: 'j', faulty: true }, { run: 'a', judge_id: 'j', faulty: false });
    expect(misuse(() => readJudgeVerdicts(twice))).toMatch(/:2:1: a by j stands on line 1 already/u);
  });

  it.each([
    [{ faulty: true }, 'names no run'],
    [{ id: 'a' }, 'faulty'],
    [{ id: 'a', faulty: true, confidence: 1.5 }, 'confidence'],
    [{ id: 'a', faulty: null }, 'faulty'],
  ])('%j is none', (line, words) => {
    const told = misuse(() => readJudgeVerdicts(file(line)));
    expect(told).toContain(':1:1: ');
    expect(told).toContain(words);
  });
});
