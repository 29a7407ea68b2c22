import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

/** The Python examples of the docs, run by a real Python: readers and agents in another language. */

const ROOT = new URL('../..', import.meta.url).pathname;
const BIN = join(ROOT, 'bin/groundhog.js');
const GOLDEN = join(ROOT, 'test/golden');
const folder = mkdtempSync(join(tmpdir(), 'groundhog-python-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function pythonExample(page: string): string {
  const block = /^```python\n([\s\S]*?)^```$/mu.exec(readFileSync(join(ROOT, page), 'utf8'))?.[1];
  if (block === undefined) throw new Error(`${page} has no Python example`);
  const file = join(folder, `${page.replace(/\W/gu, '-')}.py`);
  writeFileSync(file, block);
  return file;
}

describe('docs/trajectory-format.md', () => {
  const verifier = pythonExample('docs/trajectory-format.md');
  const files = readdirSync(GOLDEN).filter((name) => name.endsWith('.traj.jsonl'));

  it('has golden trajectories to verify', () => expect(files.length).toBeGreaterThan(0));

  for (const file of files) {
    it(`verifies ${file}`, () => {
      const printed = execFileSync('python3', [verifier, join(GOLDEN, file)], { encoding: 'utf8' });
      expect(printed).toMatch(/^intact: \d+ steps\n$/u);
    });

    it(`refuses ${file} with one digit changed`, () => {
      const text = readFileSync(join(GOLDEN, file), 'utf8');
      const edited = text.replace(
        /"clock":(\d)/u,
        (_all, digit: string) => `"clock":${(Number(digit) + 1) % 10}`,
      );
      const path = join(folder, 'edited.traj.jsonl');
      writeFileSync(path, edited);
      const result = spawnSync('python3', [verifier, path], { encoding: 'utf8' });
      expect(edited).not.toBe(text);
      expect(result.stderr).toContain('AssertionError');
      expect(result.status).toBe(1);
    });
  }
});

describe('docs/agents.md', () => {
  it('the Python agent solves a scenario through the command protocol', () => {
    const agent = pythonExample('docs/agents.md');
    const out = join(folder, 'run');
    const args = [
      BIN,
      'run',
      'helpdesk/status-lookup',
      '--agent',
      `command:python3 ${agent}`,
      '--out',
      out,
      '--json',
    ];
    const result = spawnSync(process.execPath, args, { encoding: 'utf8' });
    const printed = JSON.parse(result.stdout.trim().split('\n').at(-1) ?? '') as Record<string, never>;
    expect(result.status).toBe(0);
    expect(printed).toMatchObject({ trials: 1, void: { count: 0 }, success: { value: 1 } });
  });
});
