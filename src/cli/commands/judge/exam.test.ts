import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StubLlm, says, startStubLlm } from '../../../../test/stub-llm/index.ts';
import type { JudgeExam } from '../../../scoring/index.ts';
import { said } from '../../../scoring/judge/judge.test-kit.ts';

const BIN = new URL('../../../../bin/groundhog.js', import.meta.url).pathname;
let folder = '';
let testbed = '';
let stub: StubLlm;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'groundhog-exam-'));
  testbed = join(folder, 'testbed');
  const words = ['testbed', 'helpdesk', '--clean', '4', '--faulty', '8', '--out', testbed];
  execFileSync(process.execPath, [BIN, ...words], { stdio: 'ignore' });
  stub = await startStubLlm(() => says(said('no')));
}, 60_000);
afterAll(async () => {
  await stub.close();
  rmSync(folder, { recursive: true });
});

interface Exam {
  readonly labels: number;
  readonly judges: readonly JudgeExam[];
}

/** The exam as a process of its own, which leaves this one free to be the judge's server. */
function exam(...words: readonly string[]): Promise<{ readonly code: number | null; readonly json: Exam }> {
  const args = [BIN, 'judge', 'exam', '--testbed', testbed, ...words, '--json'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  return new Promise((resolve) => {
    child.once('close', (code) => {
      resolve({ code, json: JSON.parse(text.trim().split('\n').at(-1) ?? '') as Exam });
    });
  });
}

describe('judge exam', () => {
  it('sees through a model that calls everything faulty, by the reply and by every step', async () => {
    const { code, json } = await exam('--judge', 'chat:openai:tiny', '--base-url', stub.baseUrl);
    expect([code, json.labels]).toEqual([0, 12]);
    expect(json.judges.map(({ judge }) => judge).sort()).toEqual([
      'outcome:openai:tiny',
      'steps:openai:tiny',
    ]);
    for (const { confusion, information, discrimination, gating } of json.judges) {
      expect(confusion).toEqual({ truePositives: 8, falsePositives: 4, trueNegatives: 0, falseNegatives: 0 });
      expect([information.value, gating.allowed]).toEqual([0, false]);
      for (const { difference } of Object.values(discrimination)) expect(difference.value ?? 0).toBe(0);
    }
  });

  it('gives a judge that knows the labels full marks', async () => {
    const lines = readFileSync(join(testbed, 'labels.jsonl'), 'utf8').trim().split('\n');
    const file = join(folder, 'verdicts.jsonl');
    const verdicts = lines.map((line) => {
      const { run, kind, step } = JSON.parse(line) as {
        run: string;
        kind: string | null;
        step: number | null;
      };
      return `${JSON.stringify({ id: run, judge: 'oracle', faulty: kind !== null, kind, step, confidence: 1 })}\n`;
    });
    writeFileSync(file, verdicts.join(''));
    const [oracle] = (await exam('--judge', `verdicts:${file}`)).json.judges;
    expect(oracle?.located.value).toBe(1);
    expect(oracle?.typed.value).toBe(1);
    expect(oracle?.information.value).toBe(1);
    expect(oracle?.calibration).toMatchObject({ expectedError: 0, brier: 0 });
  });

  it('has no use for a judge that it does not know', () => {
    const words = ['judge', 'exam', '--testbed', testbed, '--judge', 'detectr'];
    const { status, stderr } = spawnSync(process.execPath, [BIN, ...words], { encoding: 'utf8' });
    expect(status).toBe(2);
    expect(stderr).toMatch(/no judge/u);
  });
});
