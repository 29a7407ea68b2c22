import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeTinyBank } from '../../../test/tiny-bank.ts';
import { type JudgeQuestion, judgePrompt, pairPrompt } from '../../scoring/index.ts';
import { loadBank } from '../bank.ts';
import { runBank } from '../run.ts';
import { WorldCache } from '../worlds.ts';
import { readJudgedRuns } from './judged-runs.ts';
import { SealedGuard } from './sealed-guard.ts';

const FAULTS = `faults:
  rules:
    - { id: rule-zq, label: label-zq, match: { tool: lookup_order }, effect: { kind: response-lost } }
`;

let folder = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'groundhog-judged-'));
  const bank = writeTinyBank(join(folder, 'bank'), [{ id: 'scenario-zq', order: '10034', extra: FAULTS }]);
  const loaded = await loadBank([bank], new WorldCache());
  const out = join(folder, 'run');
  await runBank({ bank: loaded, agent: 'oracle', seed: 's', k: 1, engine: 'inline', out });
});
afterAll(() => rmSync(folder, { recursive: true }));

it('no prompt holds intent, faults, the true answer behind a lost one, or a name of scenario or agent', () => {
  const file = join(folder, 'run/trajectories/scenario-zq.0.traj.jsonl');
  const guard = new SealedGuard('none');
  const [run] = readJudgedRuns({ paths: [file], guard, policy: 'Be kind.' });
  if (!run) throw new Error('no run');
  // All of it stands in the trajectory, so it could have come along.
  const recorded = readFileSync(file, 'utf8');
  const hidden = ['rule-zq', 'label-zq', 'response-lost', 'scenario-zq', '"lookup"', 'oracle', 'greta.elder'];
  for (const word of hidden) expect(recorded).toContain(word);
  const questions: JudgeQuestion[] = [
    { kind: 'plan', run, step: null },
    ...run.calls.map((_, step) => ({ kind: 'choice' as const, run, step })),
    { kind: 'support', run, step: null },
    { kind: 'support', run, step: null, view: 'outcome' },
  ];
  const prompts = [
    ...questions.map((question) => judgePrompt(question, { fewShot: 2 })),
    pairPrompt({ kind: 'support', first: run, second: run }),
  ].map(({ request }) => JSON.stringify(request));
  expect(prompts.length).toBeGreaterThanOrEqual(5);
  for (const prompt of prompts) {
    expect(prompt).toContain('What is the status of order 10034?');
    for (const word of hidden) expect(prompt).not.toContain(word);
  }
});
