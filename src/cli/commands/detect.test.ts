import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = new URL('../../..', import.meta.url).pathname;

interface Found {
  readonly runs: number;
  readonly flaggedRuns: number;
  readonly flagged: readonly { readonly run: string; readonly step: number | null; readonly kind: string }[];
  readonly learned: { readonly runs: number } | null;
}

function detect(...words: readonly string[]): { status: number | null; out: string; err: string } {
  const bin = join(ROOT, 'bin/groundhog.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, 'detect', ...words], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return { status, out: stdout, err: stderr };
}

const json = (...words: readonly string[]): Found =>
  JSON.parse(
    detect(...words, '--json')
      .out.trim()
      .split('\n')
      .at(-1) ?? '',
  ) as Found;

let folder = '';
const path = (name: string): string => join(folder, name);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'groundhog-detect-'));
  const bin = join(ROOT, 'bin/groundhog.js');
  for (const agent of ['oracle', 'hasty']) {
    const words = ['run', 'helpdesk/refund-88213', '--agent', agent, '--out', path(agent), '--json'];
    spawnSync(process.execPath, [bin, ...words], { cwd: ROOT });
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('detect', () => {
  it('exits with 0 whatever it finds, and has the keys of the contract', () => {
    const { status } = detect('examples/traces/chat.jsonl');
    expect(status).toBe(0);
    const found = json('examples/traces/chat.jsonl');
    expect(Object.keys(found)).toEqual(['runs', 'flaggedRuns', 'flagged', 'learned']);
    expect(found).toMatchObject({ runs: 2, learned: null });
    for (const flag of found.flagged) {
      expect(Object.keys(flag)).toEqual(['run', 'step', 'kind', 'rule', 'evidence']);
    }
  });

  it('takes run folders, says nothing of the reference, and learns from clean runs', () => {
    expect(json(path('oracle'))).toMatchObject({ runs: 1, flaggedRuns: 0, flagged: [] });
    expect(json(path('oracle'), '--learn', path('oracle')).learned).toMatchObject({ runs: 1 });
  });

  it('names run, step, kind and evidence for people', () => {
    const asked = { role: 'user', content: 'Refund order 4711.' };
    const call = (id: string, order: string) => ({
      role: 'assistant',
      tool_calls: [
        { id, type: 'function', function: { name: 'get_order', arguments: `{"order_id":"${order}"}` } },
      ],
    });
    const answer = (id: string, content: string) => ({ role: 'tool', tool_call_id: id, content });
    const last = { role: 'assistant', content: 'I refunded 12.00.' };
    const messages = [asked, call('a', '4712'), answer('a', '{"order_id": "4712"}'), last];
    writeFileSync(path('chat.json'), JSON.stringify(messages));
    const { status, out } = detect(path('chat.json'));
    expect(status).toBe(0);
    expect(out).toContain('step 0  hallucinated argument: order_id names 4712');
    expect(out).toContain('reply  unsupported claim: the reply claims "refunded"');
    expect(out).toContain('1 of 1 run flagged, nothing learned');
  });

  it('exits with 2 and one line for what it cannot read', () => {
    mkdirSync(path('empty'), { recursive: true });
    writeFileSync(path('torn.jsonl'), '[{"role": "user",');
    for (const [words, message] of [
      [[], "missing required argument 'traces'"],
      [[path('none')], 'there is no such file'],
      [[path('empty')], 'the folder holds no trajectory and no trace'],
      [[path('torn.jsonl')], 'torn.jsonl:1:18: the JSON is cut short here'],
      [['examples/traces/chat.jsonl', 'examples/traces/chat.jsonl'], 'the file is named twice'],
      [['examples/traces/chat.jsonl', '--format', 'otel'], '--format takes'],
      [['examples/traces/chat.jsonl', '--learn', path('none')], 'there is no such file'],
    ] as const) {
      const { status, out, err } = detect(...words);
      expect([words, status, out]).toEqual([words, 2, '']);
      expect(err.trim().split('\n')).toHaveLength(1);
      expect(err).toContain(message);
    }
  });
});
