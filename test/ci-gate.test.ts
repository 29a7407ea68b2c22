import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

const SCRIPT = new URL('../examples/ci-gate/try.js', import.meta.url).pathname;

/** examples/ci-gate in a throw-away repository: every gate says what its page promises. */
it('the gates of the example pass, fail and stay open as they should', { timeout: 240_000 }, () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT], { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(stdout.trimEnd().split('\n')).toEqual([
    expect.stringMatching(/^as expected {2}hasty, pre-promotion: fail \(exit 1\)/u),
    expect.stringMatching(/^as expected {2}careful, pre-promotion: pass \(exit 0\)/u),
    expect.stringMatching(/^as expected {2}flaky, pre-promotion: inconclusive \(exit 4\)/u),
    expect.stringMatching(/^as expected {2}flaky, pre-merge: pass \(exit 0\)/u),
    expect.stringMatching(
      /^as expected {2}1000 pairs of identical agents, pre-merge: 0\.0\d+ fail, stated 0\.05$/u,
    ),
    expect.stringMatching(
      /^as expected {2}1000 pairs of identical agents, pre-promotion: 0(\.0\d+)? fail, stated/u,
    ),
  ]);
  expect(status).toBe(0);
});
