/**
 * Plays the gate in a throw-away repository, as CI would: a baseline on main, then branches with other
 * agents.
 * `node examples/ci-gate/try.js` prints what each gate says and ends with 0 when all is as expected.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const HERE = import.meta.dirname;
const BIN = join(HERE, '../../bin/groundhog.js');
const repository = mkdtempSync(join(tmpdir(), 'groundhog-ci-gate-'));

/** Runs a program in the repository. */
function sh(program, ...words) {
  // What a CI of its own has set would send annotations of this trial to the wrong place.
  const { GITHUB_ACTIONS: _actions, GITHUB_STEP_SUMMARY: _summary, ...env } = process.env;
  return spawnSync(program, words, { cwd: repository, encoding: 'utf8', env });
}

const groundhog = (...words) => sh(process.execPath, BIN, ...words);

function git(...words) {
  const identity = ['-c', 'user.name=ci', '-c', 'user.email=ci@example.com'];
  const { status, stderr } = sh('git', ...identity, ...words);
  if (status !== 0) throw new Error(`git ${words.join(' ')}: ${stderr}`);
}

function play(agent, seed, out) {
  const { status, stderr } = groundhog(
    ...`run helpdesk --agent ${agent} --k 4 --seed ${seed} --out ${out}`.split(' '),
  );
  if (status === null || status > 1) throw new Error(`run ${agent}: ${stderr}`);
}

const CASES = [
  { branch: 'hasty', baseline: 'main', profile: 'pre-promotion', expected: 'fail' },
  { branch: 'careful', baseline: 'main', profile: 'pre-promotion', expected: 'pass' },
  { branch: 'flaky', baseline: 'flaky-before', profile: 'pre-promotion', expected: 'inconclusive' },
  { branch: 'flaky', baseline: 'flaky-before', profile: 'pre-merge', expected: 'pass' },
];
const CODES = { pass: 0, fail: 1, inconclusive: 4 };

let wrong = 0;

function say(name, right, text) {
  if (!right) wrong += 1;
  console.log(`${right ? 'as expected' : 'UNEXPECTED '}  ${name}: ${text}`);
}

try {
  git('init', '--quiet', '--initial-branch=main');
  mkdirSync(join(repository, '.github/workflows'), { recursive: true });
  copyFileSync(join(HERE, 'gates.yaml'), join(repository, 'gates.yaml'));
  copyFileSync(join(HERE, 'workflow.yml'), join(repository, '.github/workflows/agent-gate.yml'));
  git('add', '.');
  git('commit', '--quiet', '--message', 'Gate the agent');
  play('careful', 1, 'runs/main');
  play('flaky', 1, 'runs/flaky-before');
  for (const [agent, seed] of [
    ['hasty', 2],
    ['careful', 2],
    ['flaky', 2],
  ])
    play(agent, seed, `runs/${agent}`);
  for (const { branch, baseline, profile, expected } of CASES) {
    git('switch', '--quiet', '--force-create', branch, 'main');
    const gate = ['gate', `runs/${branch}`, '--baseline', `runs/${baseline}`, '--profile', profile, '--json'];
    const { status, stdout } = groundhog(...gate);
    const { verdict, reasons } = JSON.parse(stdout.trim().split('\n').at(-1));
    const right = verdict === expected && status === CODES[expected];
    say(
      `${branch}, ${profile}`,
      right,
      `${verdict} (exit ${status})${reasons.length > 0 ? `: ${reasons[0]}` : ''}`,
    );
  }
  for (const profile of ['pre-merge', 'pre-promotion']) {
    const { status, stdout } = groundhog('gate', 'plan', 'runs/flaky', '--profile', profile, '--json');
    const { falseAlarms, stated, pairs } = JSON.parse(stdout.trim().split('\n').at(-1));
    const right = status === 0 && pairs === 1000 && falseAlarms.rate <= stated;
    say(
      `${pairs} pairs of identical agents, ${profile}`,
      right,
      `${falseAlarms.rate} fail, stated ${stated}`,
    );
  }
} finally {
  rmSync(repository, { recursive: true, force: true });
}
process.exit(wrong === 0 ? 0 : 1);
