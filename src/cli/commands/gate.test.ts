import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TINY, writeTinyBank } from '../../../test/tiny-bank.ts';

/** Gates as a person meets them: files, exit codes, formats. */

const BIN = new URL('../../../bin/groundhog.js', import.meta.url).pathname;

let folder = '';
const at = (name: string): string => join(folder, name);

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly json: Record<string, unknown> & { readonly error?: Record<string, unknown> };
}

function command(words: readonly string[], env: Readonly<Record<string, string>> = {}): Ended {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...words, '--json'], {
    encoding: 'utf8',
    cwd: folder,
    env: { ...process.env, GITHUB_ACTIONS: '', GITHUB_STEP_SUMMARY: '', ...env },
  });
  const last = stdout.trimEnd().split('\n').at(-1) ?? '';
  return { code: status, stdout, stderr, json: last.startsWith('{') ? JSON.parse(last) : {} };
}

const GATES = `version: 1
profiles:
  pre-merge:
    harm: {confidence: 0.95}
    invariants: {newlyBroken: all}
  promote:
    noninferiority: {margin: 0.9}
  strict:
    noninferiority: {margin: 0.01}
  steps:
    stepwise: {harm: {confidence: 0.95}}
  idle:
    falseAlarms: 0.1
  hollow:
    budgets: {steps: {}}
`;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'groundhog-gate-'));
  writeFileSync(at('gates.yaml'), GATES);
  writeTinyBank(at('bank'), TINY);
  for (const [agent, name] of [
    ['oracle', 'good'],
    ['script:idle.js', 'bad'],
  ] as const) {
    writeFileSync(at('idle.js'), "export const next = () => ({type: 'answer', text: 'nothing'});\n");
    command(['run', 'bank', '--agent', agent, '--k', '2', '--out', name]);
    command(['run', 'bank', '--agent', agent, '--mode', 'stepwise', '--out', `${name}-steps`]);
  }
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true }));

describe('gate', () => {
  it('ends as its verdict says', () => {
    const gate = (run: string, profile: string): unknown[] => {
      const { code, json } = command(['gate', run, '--baseline', 'good', '--profile', profile]);
      return [code, json.verdict];
    };
    expect(gate('good', 'pre-merge')).toEqual([0, 'pass']);
    expect(gate('good', 'promote')).toEqual([0, 'pass']);
    expect(gate('good', 'strict')).toEqual([4, 'inconclusive']);
    expect(gate('bad', 'strict')[0]).not.toBe(0);
  });

  it('writes JUnit, SARIF and Markdown, and annotates under GitHub Actions', () => {
    const words = ['gate', 'good', '--baseline', 'good', '--profile', 'strict'];
    const files = ['--junit', 'g.xml', '--sarif', 'g.sarif', '--markdown', 'g.md'];
    const { stderr } = command([...words, ...files], {
      GITHUB_ACTIONS: 'true',
      GITHUB_STEP_SUMMARY: at('summary.md'),
    });
    expect(stderr).toMatch(/^::warning file=gates\.yaml,title=Gate strict%3A noninferiority::/mu);
    const xml = readFileSync(at('g.xml'), 'utf8');
    expect(xml).toMatch(/<testsuites tests="1" failures="0" errors="1">/u);
    const sarif = JSON.parse(readFileSync(at('g.sarif'), 'utf8'));
    expect(sarif).toMatchObject({
      version: '2.1.0',
      runs: [{ results: [{ ruleId: 'noninferiority', level: 'warning' }] }],
    });
    const markdown = readFileSync(at('g.md'), 'utf8');
    expect(markdown).toContain('Gate `strict`: inconclusive');
    expect(readFileSync(at('summary.md'), 'utf8')).toBe(markdown);
  });

  it('takes step-wise runs, and asks for them', () => {
    const words = ['gate', 'good', '--baseline', 'good', '--profile', 'steps'];
    expect(command(words).json).toMatchObject({ error: { code: 'no-stepwise' } });
    const runs = ['--stepwise', 'good-steps', '--stepwise-baseline', 'good-steps'];
    expect(command([...words, ...runs]).json).toMatchObject({
      verdict: 'pass',
      checks: [{ check: 'step-wise harm' }],
    });
    expect(command([...words, '--stepwise', 'good-steps']).code).toBe(2);
    expect(command([...words, '--stepwise', 'good', '--stepwise-baseline', 'good-steps']).json).toMatchObject(
      {
        error: { code: 'not-stepwise' },
      },
    );
  });

  it('writes its files before it prints a verdict, and names in one line', () => {
    const odd = 'version: 1\nprofiles:\n  p: {floors: [{scenario: "x\\n::error::\\e[31m", rate: 0.5}]}\n';
    writeFileSync(at('odd.yaml'), odd);
    const words = ['gate', 'good', '--gates', 'odd.yaml', '--profile', 'p'];
    const { code, stderr } = command(words, { GITHUB_STEP_SUMMARY: at('none/summary.md') });
    expect(code).toBe(4);
    expect(stderr).toContain('summary.md was not written (ENOENT)');
    expect(stderr).not.toMatch(/^::error|\p{Cc}(?<!\n)/mu);
    const refused = command([...words, '--junit', 'none/gate.xml']);
    expect([refused.code, refused.json.error?.code]).toEqual([2, 'unwritable']);
    expect(refused.stderr).not.toContain('Gate p');
  });

  it.each([
    ['an unknown profile', 'pre-merg', 'did you mean pre-merge?'],
    ['a profile that asks nothing', 'idle', 'would pass whatever runs'],
    ['rules without a value', 'hollow', 'would pass whatever runs'],
  ])('refuses %s with its place', (_, profile, said) => {
    const { code, stderr } = command(['gate', 'good', '--profile', profile]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/gates\.yaml:\d+:\d+/u);
    expect(stderr).toContain(said);
  });

  it.each([
    ['a confidence of 95', 'harm: {confidence: 95}'],
    ['a margin of 0', 'noninferiority: {margin: 0}'],
    ['a rule that is not there', 'harmm: {}'],
    ['no number', 'budgets: {voidShare: .nan}'],
  ])('refuses %s', (_, rule) => {
    writeFileSync(at('wrong.yaml'), `version: 1\nprofiles:\n  p:\n    ${rule}\n`);
    const { code, stderr } = command(['gate', 'good', '--gates', 'wrong.yaml', '--profile', 'p']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/wrong\.yaml:\d+:\d+/u);
  });
});

describe('run --gate', () => {
  it('ends with the verdict, and has it in its JSON', () => {
    const words = ['run', 'bank', '--agent', 'oracle', '--k', '2', '--seed', '2', '--gate', 'gates.yaml'];
    const passed = command([...words, '--baseline', 'good', '--out', 'gated']);
    expect(passed.code).toBe(0);
    expect(passed.json.gate).toMatchObject({ verdict: 'pass', reasons: [], looks: 1 });
    expect(readFileSync(at('gated/report.html'), 'utf8')).toContain('<h2 id="gate">Gate</h2>');
    expect(command([...words, '--profile', 'strict', '--out', 'open']).code).toBe(4);
  });

  it('looks until it is decided', () => {
    const words = ['run', 'bank', '--agent', 'oracle', '--gate', 'gates.yaml', '--baseline', 'good'];
    const decided = command([...words, '--profile', 'promote', '--until-decided', '6', '--out', 'early']);
    expect(decided.json.gate).toMatchObject({ verdict: 'pass', looks: 2 });
    expect(decided.json).toMatchObject({ k: 2, trials: 2 * TINY.length });
    // No harm found by an early look, which has little error to spend, decides nothing.
    const unharmed = command([...words, '--until-decided', '3', '--out', 'unharmed']);
    expect(unharmed.json.gate).toMatchObject({ verdict: 'pass', looks: 3 });
    const never = command([...words, '--profile', 'strict', '--until-decided', '3', '--out', 'late']);
    expect([never.code, never.json.k]).toEqual([4, 3]);
    expect(never.json.gate).toMatchObject({ looks: 3 });
  });

  it('refuses what no run of it could answer before anything runs', () => {
    const words = ['run', 'bank', '--agent', 'oracle', '--gate', 'gates.yaml', '--baseline', 'good'];
    for (const more of [
      ['--k', '5', '--until-decided', '3'],
      ['--profile', 'steps'],
      ['--junit', 'none/gate.xml'],
    ]) {
      expect(command([...words, ...more, '--out', 'not-begun']).code).toBe(2);
    }
    expect(existsSync(at('not-begun'))).toBe(false);
  });

  it.each([
    ['--baseline', 'good'],
    ['--until-decided', '4'],
  ])('refuses %s without a gate before anything runs', (...words) => {
    expect(command(['run', 'bank', '--agent', 'oracle', ...words]).json).toMatchObject({
      error: { code: 'bad-option' },
    });
  });
});

describe('a judge in the gates file', () => {
  const line = (value: object): string => `${JSON.stringify(value)}\n`;
  const known = Array.from({ length: 120 }, (_, index) => ({ id: `l${index}`, faulty: index % 2 === 0 }));
  const judged = (name: string, faulty: (label: { readonly faulty: boolean }) => boolean): string => {
    const verdicts = known.map((label) => line({ id: label.id, judge: 'j', faulty: faulty(label) }));
    writeFileSync(at(`${name}-known.jsonl`), verdicts.join(''));
    const rule = `{on: nightly, labels: known.jsonl, verdicts: ${name}-known.jsonl, most: 0.9}`;
    writeFileSync(at(`${name}.yaml`), `version: 1\njudge: ${rule}\nprofiles:\n  nightly: {}\n${PRE_MERGE}`);
    return `${name}.yaml`;
  };
  const PRE_MERGE = '  pre-merge: {invariants: {never: all}}\n';
  const gate = (file: string, profile: string): Ended =>
    command(['gate', 'good', '--gates', file, '--profile', profile]);
  const say = (faulty: boolean): void => {
    const ids = TINY.flatMap(({ id }) => [`${id}.0`, `${id}.1`]);
    writeFileSync(at('good/verdicts.jsonl'), ids.map((id) => line({ id, judge: 'j', faulty })).join(''));
  };
  beforeAll(() => writeFileSync(at('known.jsonl'), known.map(line).join('')));

  it('decides on its own profile alone, and only once it saw the run', () => {
    const file = judged('right', ({ faulty }) => faulty);
    expect(gate(file, 'nightly')).toMatchObject({
      code: 4,
      json: { checks: [{ check: 'judge', verdict: 'inconclusive' }] },
    });
    say(true);
    expect(gate(file, 'nightly').json.checks).toMatchObject([
      { check: 'judge j', reason: expect.stringContaining('8 of 8 runs called faulty') },
    ]);
    say(false);
    expect(gate(file, 'nightly')).toMatchObject({ code: 0, json: { verdict: 'pass' } });
    expect(gate(file, 'pre-merge').json.checks).toMatchObject([{ check: 'invariant ends-by-answer' }]);
  });

  it('that knows nothing is shown with the reason, and decides nothing', () => {
    say(true);
    const ended = gate(
      judged('always', () => true),
      'nightly',
    );
    expect(ended).toMatchObject({
      code: 4,
      json: {
        checks: [],
        shown: [expect.stringMatching(/^judge j: 8 of 8 .*; not decided on: TPR \+ TNR − 1/u)],
      },
    });
    expect(ended.stderr).toContain('shown: judge j');
    const words = ['gate', 'good', '--gates', 'always.yaml', '--profile', 'nightly'];
    command([...words, '--markdown', 'judge.md']);
    expect(readFileSync(at('judge.md'), 'utf8')).toContain('Shown, not decided on: judge j: 8 of 8');
  });

  it('is misuse where its profile or a file is not there, and at the end of a run that it never saw', () => {
    const file = judged('right', ({ faulty }) => faulty);
    writeFileSync(at('lost.yaml'), readFileSync(at(file), 'utf8').replace('on: nightly', 'on: weekly'));
    expect(gate('lost.yaml', 'nightly').json).toMatchObject({ error: { code: 'unknown-profile' } });
    writeFileSync(at('none.yaml'), readFileSync(at(file), 'utf8').replace('labels: known', 'labels: gone'));
    expect(gate('none.yaml', 'nightly').code).toBe(2);
    const run = [
      'run',
      'bank',
      '--agent',
      'oracle',
      '--gate',
      file,
      '--profile',
      'nightly',
      '--out',
      'unseen',
    ];
    expect(command(run).json).toMatchObject({ error: { code: 'bad-option' } });
    expect(existsSync(at('unseen'))).toBe(false);
  });
});

describe('gate plan', () => {
  it('does not pass a profile of step-wise rules off as planned', () => {
    expect(command(['gate', 'plan', 'good', '--profile', 'steps']).json).toMatchObject({
      error: { code: 'only-stepwise' },
    });
  });

  it('simulates, and refuses a gate by its rate', () => {
    const { code, json } = command(['gate', 'plan', 'good', '--pairs', '100']);
    expect(code).toBe(0);
    expect(json).toMatchObject({ pairs: 100, refused: false, falseAlarms: { rate: 0 } });
  });
});
