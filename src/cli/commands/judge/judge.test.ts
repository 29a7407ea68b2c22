import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  failsWith,
  type Scripted,
  type StubLlm,
  type StubRequest,
  says,
  startStubLlm,
} from '../../../../test/stub-llm/index.ts';
import type { JudgeValidation } from '../../../scoring/index.ts';
import { said } from '../../../scoring/judge/judge.test-kit.ts';

const BIN = new URL('../../../../bin/groundhog.js', import.meta.url).pathname;
const SHARED = new URL('../../../../../shared/traces/trajectory-judge', import.meta.url).pathname;

let folder = '';
let stub: StubLlm;
let script: (request: StubRequest) => Scripted = () => says(said('yes'));
const at = (name: string): string => join(folder, name);

interface Ended {
  readonly code: number | null;
  readonly stderr: string;
  readonly stdout: string;
  readonly json: Record<string, unknown>;
}

function groundhog(...words: readonly string[]): Promise<Ended> {
  const child = spawn(process.execPath, [BIN, ...words], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (text) => {
    stdout += String(text);
  });
  child.stderr.on('data', (text) => {
    stderr += String(text);
  });
  return new Promise((resolve) => {
    child.once('close', (code) => {
      const last = stdout.trimEnd().split('\n').at(-1) ?? '';
      const json = words.includes('--json') ? (JSON.parse(last) as Record<string, unknown>) : {};
      resolve({ code, stderr, stdout, json });
    });
  });
}

const judged = (...words: readonly string[]): Promise<Ended> =>
  groundhog('judge', ...words, '--judge', 'chat:openai:tiny', '--base-url', stub.baseUrl, '--json');

const run = 'careful/trajectories/refund-88213.0.traj.jsonl';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'groundhog-judge-'));
  stub = await startStubLlm((request) => script(request));
  for (const agent of ['careful', 'hasty']) {
    await groundhog('run', 'helpdesk/refund-88213', '--agent', agent, '--k', '2', '--out', agent);
  }
}, 60_000);
beforeEach(() => {
  script = () => says(said('yes'));
});
afterAll(async () => {
  await stub.close();
  rmSync(folder, { recursive: true });
});

describe('judge ask', () => {
  it('refuses what is counted before anybody is asked, and names what counts it', async () => {
    const before = stub.requests.length;
    const ended = await judged('ask', run, '--question', 'did it call refund twice?');
    expect(ended).toMatchObject({ code: 2, json: { error: { code: 'counted' } } });
    expect(ended.stderr).toMatch(/counted, not judged: the invariant kind `cardinality`.*`duplicates`/u);
    const other = await judged('ask', run, '--question', 'was it polite?');
    expect(other).toMatchObject({ code: 2, json: { error: { code: 'no-kind' } } });
    expect(stub.requests).toHaveLength(before);
  });

  it('asks a question of one of the kinds, of every step or of one', async () => {
    const plan = await judged('ask', run, '--question', 'Is the plan sensible?');
    expect(plan).toMatchObject({
      code: 0,
      json: {
        judge: 'openai:tiny',
        promptVersion: 'judge-1',
        verdicts: [{ run: 'refund-88213.0', kind: 'plan', step: null, verdict: 'yes', requests: 1 }],
        spent: { questions: 1, requests: 1, cost: null },
      },
    });
    const one = await judged('ask', run, '--kind', 'choice', '--step', '1');
    expect(one.json.verdicts).toMatchObject([{ kind: 'choice', step: 1 }]);
    const every = await judged('ask', run, '--kind', 'choice');
    const steps = (every.json.verdicts as { step: number }[]).map(({ step }) => step);
    expect(steps).toEqual([...steps.keys()]);
    expect(steps.length).toBeGreaterThan(2);
  });

  it('judges whole runs, and writes verdicts that validation takes', async () => {
    script = ({ body }) => says(said(JSON.stringify(body).includes('that of step 1.') ? 'no' : 'yes'));
    const ended = await judged(
      'ask',
      'careful',
      '--view',
      'steps',
      '--verdicts',
      'said.jsonl',
      '--cache',
      'c.jsonl',
    );
    expect(ended).toMatchObject({
      code: 0,
      json: {
        judgements: [
          { run: 'refund-88213.0', faulty: true, step: 1 },
          { run: 'refund-88213.1', faulty: true, step: 1 },
        ],
      },
    });
    const labels = ['refund-88213.0', 'refund-88213.1'].map((id, index) => ({ id, faulty: index === 0 }));
    writeFileSync(at('labels.jsonl'), labels.map((label) => `${JSON.stringify(label)}\n`).join(''));
    const valid = await groundhog(
      ...['judge', 'validate', '--labels', 'labels.jsonl', '--verdicts', 'said.jsonl', '--json'],
    );
    expect(valid).toMatchObject({
      code: 1,
      json: { judges: [{ judge: 'steps:openai:tiny', confusion: { truePositives: 1, falsePositives: 1 } }] },
    });
    const before = stub.requests.length;
    const again = await judged('ask', 'careful', '--view', 'steps', '--cache', 'c.jsonl');
    expect(again.json.judgements).toEqual(ended.json.judgements);
    expect(again.json.spent).toMatchObject({ requests: 0 });
    expect(stub.requests).toHaveLength(before);
  });

  it('ends with 4 without any verdict, with 3 without a reply', async () => {
    script = () => says('Well.');
    expect(await judged('ask', run, '--kind', 'plan')).toMatchObject({
      code: 4,
      json: { verdicts: [{ verdict: null, requests: 2 }], spent: { withoutVerdict: 1 } },
    });
    script = () => failsWith(402, { message: 'quota', type: 'insufficient_quota' });
    const ended = await judged('ask', run, '--kind', 'plan');
    expect(ended.code).toBe(3);
    expect(ended.stderr.trim().split('\n')).toHaveLength(1);
  });

  it.each([
    [['--kind', 'plan', '--view', 'steps'], 'one thing'],
    [[], 'one thing'],
    [['--kind', 'plan', '--step', '1'], '--step goes with'],
    [['--kind', 'choice', '--step', '99'], 'no step 99'],
    [['--kind', 'plan', '--verdicts', 'x.jsonl'], '--verdicts goes with'],
    [['--kind', 'plan', '--few-shot', '7'], 'worked examples'],
    [['--kind', 'plan', '--retention', 'some'], '--retention takes'],
  ])('misuse: %j', async (words, told) => {
    const before = stub.requests.length;
    const ended = await judged('ask', run, ...words);
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining(told) });
    expect(stub.requests).toHaveLength(before);
  });

  it('needs a judge that is one', async () => {
    const none = await groundhog('judge', 'ask', run, '--kind', 'plan');
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('--judge chat:MODEL') });
    const other = await groundhog('judge', 'ask', run, '--kind', 'plan', '--judge', 'gpt-4');
    expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining('is no judge') });
  });
});

describe('judge compare', () => {
  it('asks both orders of each pair; a judge that takes the first gets nothing but ties', async () => {
    script = () => says(said('first'));
    const before = stub.requests.length;
    const ended = await judged('compare', 'careful', 'hasty', '--kind', 'support');
    expect(ended).toMatchObject({
      code: 0,
      json: {
        wins: { first: 0, second: 0, tie: 2 },
        habits: { pairs: 2, consistency: { value: 0 }, firstSlot: { value: 1 }, longer: { value: null } },
        leftOut: [],
      },
    });
    expect((ended.json.pairs as object[])[0]).toMatchObject({ winner: 'tie', consistent: false });
    // Trials of a scripted agent may be alike: what is asked twice is asked once.
    expect(stub.requests.length - before).toBeLessThanOrEqual(4);
  });

  it('of runs that have no pair is misuse', async () => {
    expect(await judged('compare', run, 'hasty/trajectories/refund-88213.1.traj.jsonl')).toMatchObject({
      code: 2,
      json: { error: { code: 'no-pair' } },
    });
  });
});

interface SharedRun {
  readonly trajectory_id: string;
  readonly label: { readonly faulty: boolean; readonly outcome_correct: boolean };
}
interface SharedVerdict {
  readonly trajectory_id: string;
  readonly judge_id: string;
  readonly faulty: boolean;
}

/** The recorded verdicts are in `../shared`: where that is not at hand, nothing can be recomputed. */
describe.skipIf(!existsSync(SHARED))('judge validate on recorded verdicts (needs ../shared)', () => {
  const linesOf = <T>(name: string): T[] =>
    readFileSync(join(SHARED, name), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as T);

  it('gives the table that is recomputed here, and lets no judge gate that knows nothing', async () => {
    const runs = new Map(
      linesOf<SharedRun>('trajectories.jsonl').map((one) => [one.trajectory_id, one.label]),
    );
    const byJudge = Map.groupBy(linesOf<SharedVerdict>('verdicts.jsonl'), ({ judge_id }) => judge_id);
    const [labels, verdicts] = ['trajectories.jsonl', 'verdicts.jsonl'].map((name) => join(SHARED, name));
    const ended = await groundhog(
      ...['judge', 'validate', '--labels', labels ?? '', '--verdicts', verdicts ?? '', '--json'],
    );
    expect(ended.code).toBe(1);
    const judges = ended.json.judges as readonly JudgeValidation[];
    expect(judges.map(({ judge }) => judge)).toEqual([...byJudge.keys()]);
    for (const validation of judges) {
      const own = byJudge.get(validation.judge) ?? [];
      const count = (holds: (label: SharedRun['label'], flagged: boolean) => boolean): number =>
        own.filter(({ trajectory_id, faulty }) => {
          const label = runs.get(trajectory_id);
          return label !== undefined && holds(label, faulty);
        }).length;
      const [tp, fp] = [true, false].map((faulty) =>
        count((label, flagged) => flagged && label.faulty === faulty),
      );
      const [fn, tn] = [true, false].map((faulty) =>
        count((label, flagged) => !flagged && label.faulty === faulty),
      );
      const [truePositives = 0, falsePositives = 0, falseNegatives = 0, trueNegatives = 0] = [tp, fp, fn, tn];
      expect(validation.confusion).toEqual({ truePositives, falsePositives, trueNegatives, falseNegatives });
      const n = own.length;
      const observed = (truePositives + trueNegatives) / n;
      const said = truePositives + falsePositives;
      const faulty = truePositives + falseNegatives;
      const chance = (said * faulty + (n - said) * (n - faulty)) / n ** 2;
      expect(validation.accuracy).toBeCloseTo(observed, 6);
      expect(validation.kappa.value).toBeCloseTo((observed - chance) / (1 - chance), 6);
      const rates = [truePositives / faulty, trueNegatives / (n - faulty)] as const;
      expect(validation.truePositiveRate.value).toBeCloseTo(rates[0], 6);
      expect(validation.trueNegativeRate.value).toBeCloseTo(rates[1], 6);
      expect(validation.information.value).toBeCloseTo(rates[0] + rates[1] - 1, 6);
      const silent = count((label) => label.faulty && label.outcome_correct);
      const caught = count((label, flagged) => flagged && label.faulty && label.outcome_correct);
      expect(validation.silentRecall.value).toBeCloseTo(caught / silent, 6);
    }
    const llama = judges.find(({ judge }) => judge === 'step:llama3.1:8b');
    expect(llama?.confusion).toMatchObject({ trueNegatives: 0 });
    expect(llama?.gating).toEqual({
      allowed: false,
      reason: expect.stringMatching(/lower bound of TPR \+ TNR − 1 is -0\.\d+, below 0\.5/u),
    });
    expect(llama?.corrected).toMatchObject({ value: null });
    expect(judges.filter(({ gating }) => gating.allowed).map(({ judge }) => judge)).toContain(
      'step:qwen2.5:14b',
    );
  });
});
