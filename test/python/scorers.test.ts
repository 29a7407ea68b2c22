import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, expect, it } from 'vitest';

/** Scorers in Python on runs of ours, and our scores asked for from Python, by a real Python. */

const ROOT = new URL('../..', import.meta.url).pathname;
const BIN = join(ROOT, 'bin/groundhog.js');
const folder = mkdtempSync(join(tmpdir(), 'groundhog-scorers-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Scored {
  readonly scorers: Readonly<
    Record<
      string,
      { readonly versions: readonly string[]; readonly runs: readonly { readonly explanation: string }[] }
    >
  >;
}

it('examples/scorers/support.py scores the runs of a trace', () => {
  const trace = join(ROOT, 'examples/traces/chat.jsonl');
  const scorer = `support=command:python3 ${join(ROOT, 'examples/scorers/support.py')}`;
  const result = spawnSync(process.execPath, [BIN, 'score', trace, '--scorer', scorer, '--json'], {
    encoding: 'utf8',
  });
  expect(result.status).toBe(0);
  const { scorers } = JSON.parse(result.stdout.trim().split('\n').at(-1) ?? '') as Scored;
  expect(scorers.support?.versions).toEqual(['support 1']);
  expect(scorers.support?.runs[0]?.explanation).toMatch(
    /^\d+ of \d+ numbers stand in the task or a result$/u,
  );
});

it('the Python example of docs/scorers.md is answered by score --serve', async () => {
  const rules = join(folder, 'rules.yaml');
  writeFileSync(
    rules,
    'invariants:\n  - { id: policy-first, kind: ordering, first: { tool: check_policy }, then: { tool: refund } }\n',
  );
  const server = spawn(process.execPath, [
    BIN,
    'score',
    '--serve',
    '--rules',
    rules,
    '--port',
    '0',
    '--json',
  ]);
  try {
    const url = await new Promise<string>((resolve) => {
      createInterface({ input: server.stdout }).once('line', (line) =>
        resolve((JSON.parse(line) as { readonly url: string }).url),
      );
    });
    const page = readFileSync(join(ROOT, 'docs/scorers.md'), 'utf8');
    const block = /^```python\n([\s\S]*?)^```$/mu.exec(page)?.[1] ?? '';
    const file = join(folder, 'ask.py');
    writeFileSync(file, block.replace('http://127.0.0.1:8080/score', url));
    const printed = execFileSync('python3', [file], { encoding: 'utf8' });
    expect(printed).toMatch(/^broken policy-first: /u);
  } finally {
    const ended = new Promise((resolve) => server.once('close', resolve));
    server.kill('SIGTERM');
    expect(await ended).toBe(0);
  }
});
