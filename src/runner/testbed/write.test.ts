import {
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
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { digestText } from '../../base/digest.ts';
import type { JsonObject } from '../../base/json.ts';
import { readTraces } from '../../traces/index.ts';
import { readTrajectory } from '../../trajectory/index.ts';
import { BLOCK_RUNS } from './generate.ts';
import { generateTestbed, type TestbedLabel, type TestbedManifest, writeTestbed } from './index.ts';

let folder = '';
let manifest: TestbedManifest;
const out = (name: string): string => join(folder, name);
const linesOf = (name: string, file: string): readonly JsonObject[] =>
  readFileSync(join(out(name), file), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as JsonObject);

const SMALL = { targets: ['helpdesk'], clean: 12, faulty: 36, seed: 'small' };

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'groundhog-testbed-'));
  manifest = await writeTestbed({ ...SMALL, out: out('one') });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('writeTestbed', () => {
  it('writes one line a run into each file, in one order, and a trajectory for each', () => {
    const ids = linesOf('one', 'labels.jsonl').map(({ run }) => run);
    expect(ids.length).toBe(48);
    expect(linesOf('one', 'openai.jsonl').map(({ id }) => id)).toEqual(ids);
    expect(linesOf('one', 'atif.jsonl').map(({ trajectory_id }) => trajectory_id)).toEqual(ids);
    const files = readdirSync(join(out('one'), 'trajectories')).sort();
    expect(files).toEqual(ids.map((id) => `${String(id)}.traj.jsonl`));
  });

  it('writes what is made in memory', async () => {
    const { runs } = await generateTestbed(SMALL.targets, SMALL);
    expect(linesOf('one', 'labels.jsonl')).toEqual(runs.map(({ label }) => label));
    for (const { label, text } of runs) {
      const file = join(out('one'), 'trajectories', `${label.run}.traj.jsonl`);
      expect(readFileSync(file, 'utf8')).toBe(text);
    }
  });

  it('writes messages that read back as the calls of the trajectory', () => {
    const runs = readTraces('openai.jsonl', readFileSync(join(out('one'), 'openai.jsonl'), 'utf8'));
    for (const [index, { run }] of linesOf('one', 'labels.jsonl').entries()) {
      const file = join(out('one'), 'trajectories', `${String(run)}.traj.jsonl`);
      const { steps } = readTrajectory(readFileSync(file, 'utf8'), { file });
      const read = runs[index]?.calls.map(({ tool, arguments: given }) => [tool, given]);
      expect(read).toEqual(steps.map(({ tool, input }) => [tool, { kind: 'json', value: input }]));
    }
  });

  it('says nothing of the label in what a judge is to see', () => {
    for (const file of ['openai.jsonl', 'atif.jsonl']) {
      const text = readFileSync(join(out('one'), file), 'utf8');
      for (const kind of Object.keys(manifest.kinds)) expect(text).not.toContain(`"${kind}"`);
      expect(text).not.toContain('"fault"');
      expect(text).not.toContain('injected');
    }
  });

  it('counts in its manifest what the labels say, and seals it', () => {
    const written = JSON.parse(readFileSync(join(out('one'), 'testbed.json'), 'utf8')) as TestbedManifest;
    expect(written).toEqual(manifest);
    const labels = linesOf('one', 'labels.jsonl') as unknown as readonly TestbedLabel[];
    for (const [kind, counts] of Object.entries(manifest.kinds)) {
      const own = labels.filter((label) => label.kind === kind);
      expect(counts).toEqual({
        runs: own.length,
        silent: own.filter(({ silent }) => silent).length,
        outcomeChanged: own.filter(({ outcomeChanged }) => outcomeChanged).length,
      });
    }
    const { digest, ...rest } = manifest;
    expect(digest).toBe(digestText(JSON.stringify(rest)));
    for (const file of ['labels.jsonl', 'openai.jsonl', 'atif.jsonl']) {
      expect(manifest.files[file]).toBe(digestText(readFileSync(join(out('one'), file), 'utf8')));
    }
  });

  it('gives the same digest for the same seed, and another for another', async () => {
    const again = await writeTestbed({ ...SMALL, out: out('again') });
    expect(again.digest).toBe(manifest.digest);
    const other = await writeTestbed({ ...SMALL, seed: 'other', out: out('other') });
    expect(other.digest).not.toBe(manifest.digest);
  });

  it('gives the same files on any number of threads', async () => {
    const many = { ...SMALL, clean: 3 * BLOCK_RUNS - 20, faulty: 60, formats: ['openai'] as const };
    const digests: string[] = [];
    for (const threads of [1, 2, 3]) {
      digests.push((await writeTestbed({ ...many, threads, out: out(`threads-${threads}`) })).digest);
    }
    expect(new Set(digests).size).toBe(1);
    expect(readdirSync(out('threads-2')).sort()).toEqual(['labels.jsonl', 'openai.jsonl', 'testbed.json']);
  });

  it('touches no folder that holds something else, and a testbed only when it may', async () => {
    mkdirSync(out('mine'));
    writeFileSync(join(out('mine'), 'notes.txt'), 'mine');
    const refused = { code: 'not-free', hint: 'give another --out' };
    await expect(writeTestbed({ ...SMALL, out: out('mine'), fresh: true })).rejects.toMatchObject(refused);
    expect(readdirSync(out('mine'))).toEqual(['notes.txt']);
    await expect(writeTestbed({ ...SMALL, out: out('again') })).rejects.toMatchObject({ code: 'finished' });
    const fresh = await writeTestbed({ ...SMALL, faulty: 3, out: out('again'), fresh: true });
    expect(fresh.faulty).toBe(3);
    expect(linesOf('again', 'labels.jsonl').length).toBe(15);
  });

  it('leaves nothing behind where it fails', async () => {
    const request = { ...SMALL, targets: ['helpdesk/lost-answer'], out: out('none') };
    await expect(writeTestbed(request)).rejects.toMatchObject({ code: 'no-testbed' });
    expect(existsSync(out('none'))).toBe(false);
    expect(readdirSync(folder).filter((name) => name.includes('partial'))).toEqual([]);
  });
});
