import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = new URL('../../..', import.meta.url).pathname;

function score(...words: readonly string[]): { status: number | null; out: string; err: string } {
  const bin = join(ROOT, 'bin/groundhog.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, 'score', ...words], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return { status, out: stdout, err: stderr };
}

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'groundhog-score-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('score', () => {
  it('exits with 0 once it has scored, and has the keys of the contract', () => {
    const { status, out } = score(
      'examples/traces/chat.jsonl',
      'examples/traces/spans.json',
      '--rules',
      'examples/traces/rules.yaml',
      '--json',
    );
    expect(status).toBe(0);
    const found = JSON.parse(out.trim().split('\n').at(-1) ?? '') as Record<string, unknown>;
    expect(Object.keys(found)).toEqual(['runs', 'metrics', 'invariants', 'losses']);
    expect(found.runs).toMatchObject([
      { run: 'line 1', format: 'openai-chat', metrics: { steps: 3, errors: { value: 0 } } },
      { run: 'line 2', metrics: { steps: 4, redundant: { value: 0.5 }, errors: { value: 0.25 } } },
      {
        format: 'otlp',
        calls: [
          {
            tool: 'refund',
            id: 'c1',
            actor: 'clerk',
            arguments: { kind: 'json' },
            failed: false,
            answered: true,
          },
          { tool: 'send_email', arguments: { kind: 'not-captured' }, answered: false },
        ],
        metrics: { steps: 2, redundant: { value: null } },
      },
    ]);
    expect(found.invariants).toMatchObject([
      { id: 'policy-first', broken: 2, of: 3 },
      { id: 'one-refund', broken: 1, of: 3, first: { run: 'line 2', step: 3 } },
      { id: 'sane-amount', broken: 0, of: 3 },
      { id: 'ends-by-answer', broken: 0, of: 3 },
      { id: 'ids-grounded', broken: 0, of: 2, notRun: 1 },
    ]);
    expect(found.losses).toMatchObject([
      { kind: 'span-dropped', count: 1, example: 'GET /health' },
      { kind: 'call-without-result', count: 1, file: 'examples/traces/spans.json' },
      { kind: 'arguments-not-captured', count: 1, example: 'send_email' },
    ]);
  });

  it('says what it lost and why figures are missing', () => {
    const { status, out } = score('examples/traces/spans.json', '--peers');
    expect(status).toBe(0);
    expect(out).toContain('lost in reading:');
    expect(out).toMatch(/redundant calls +— \[\d\]/u);
    expect(out).toContain('the arguments of 1 of 2 calls were not captured');
    expect(out).toMatch(/tau-bench reward +— there is no gold run/u);
  });

  it.each([
    ['a damaged file', '[{"role": "user",', 'torn.json:1:18: the JSON is cut short here'],
    ['a foreign file', '{"name": "x"}', 'torn.json:1:1: this is no trace of a format that is read'],
  ])('exits with 2 for %s, in one line with its place', (_what, text, message) => {
    const file = join(folder, 'torn.json');
    writeFileSync(file, text);
    const { status, out, err } = score(file);
    expect([status, out]).toEqual([2, '']);
    expect(err.trim().split('\n')).toHaveLength(1);
    expect(err).toContain(message);
  });

  it('prints what steers a terminal or turns the direction as it is spelled', () => {
    const file = join(folder, 'steering.json');
    const call = { id: 'x', type: 'function', function: { name: 're\u001b[31mfu\u202end', arguments: '{' } };
    writeFileSync(file, JSON.stringify([{ role: 'assistant', tool_calls: [call] }]));
    expect(score(file).out).toContain('re\\u001b[31mfu\\u202end');
  });

  it('exits with 2 without files, for unknown formats and missing files', () => {
    expect(score().status).toBe(2);
    expect(score('examples/traces/spans.json', '--format', 'otel').err).toContain('--format takes');
    expect(score(join(folder, 'none.json')).err).toContain('there is no such file');
  });
});
