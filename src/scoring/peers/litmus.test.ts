import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { failedChecks, scoreTrial } from '../trial.ts';
import { LITMUS_RUNS, litmusInput } from './litmus-runs.ts';
import { litmusMarkdown, ownRow, peerRows } from './litmus-table.ts';

// As measured with the tools themselves (deepeval, ragas, agentevals) or from their sources (ADK, promptfoo):
// scores of A, A2, A3, A4, C, B, then wrong verdicts at threshold .5 and at 1.
const PUBLISHED: readonly [string, number[], number, number][] = [
  ['deepeval ToolCorrectness, default (names)', [1, 1, 1, 1, 1, 1], 2, 2],
  ['deepeval + INPUT_PARAMETERS', [1, 1, 1, 0.917, 1, 1], 2, 3],
  ['deepeval ordering + params', [1, 0.75, 1, 0.917, 0.75, 1], 2, 3],
  ['deepeval exact + params', [1, 0, 0, 0, 0, 0], 3, 3],
  ['ragas ToolCallAccuracy strict', [1, 0, 0, 1, 0, 0], 2, 2],
  ['ragas ToolCallAccuracy flexible', [1, 1, 0, 1, 1, 0], 2, 2],
  ['ragas ToolCallF1', [1, 1, 1, 0.75, 1, 1], 2, 3],
  ['ADK EXACT', [1, 0, 0, 0, 0, 0], 3, 3],
  ['ADK IN_ORDER', [1, 0, 1, 0, 0, 1], 3, 3],
  ['ADK ANY_ORDER', [1, 1, 1, 0, 1, 1], 3, 3],
  ['promptfoo tool-call-f1', [1, 1, 1, 1, 1, 1], 2, 2],
  ['agentevals strict / exact args', [1, 0, 0, 0, 0, 0], 3, 3],
  ['agentevals unordered / exact', [1, 1, 0, 0, 1, 0], 3, 3],
  ['agentevals subset / exact', [1, 1, 0, 0, 1, 0], 3, 3],
  ['agentevals superset / exact', [1, 1, 1, 0, 1, 1], 3, 3],
  ['agentevals strict / superset args', [1, 0, 0, 1, 0, 0], 2, 2],
  ['agentevals unordered / superset args', [1, 1, 0, 0, 1, 0], 3, 3],
  ['agentevals subset / superset args', [1, 1, 0, 0, 1, 0], 3, 3],
  ['agentevals superset / superset args', [1, 1, 1, 1, 1, 1], 2, 2],
];

describe('the six-run litmus', () => {
  it('refund has exactly two arguments', () => {
    const refund = LITMUS_RUNS[0]?.calls.find((call) => call.tool === 'refund');
    expect(Object.keys(refund?.arguments ?? {})).toEqual(['order_id', 'amount']);
  });

  it.each(PUBLISHED)('%s', (name, scores, wrong, wrongAtOne) => {
    const row = peerRows().find((one) => one.name === name);
    expect(row?.scores.map((score) => Math.round(score * 1000) / 1000)).toEqual(scores);
    expect([row?.wrong, row?.wrongAtOne]).toEqual([wrong, wrongAtOne]);
  });

  it('has every published row, and no peer separates the six', () => {
    expect(peerRows().map((row) => row.name)).toEqual(PUBLISHED.map(([name]) => name));
    for (const row of peerRows()) {
      const good = row.scores.filter((_, index) => LITMUS_RUNS[index]?.good);
      const bad = row.scores.filter((_, index) => !LITMUS_RUNS[index]?.good);
      expect(Math.max(...bad)).toBeGreaterThanOrEqual(Math.min(...good));
    }
  });

  it('ours separates them', () => {
    expect(ownRow()).toMatchObject({ scores: [1, 1, 1, 1, 0, 0], wrong: 0, wrongAtOne: 0 });
  });

  it.each([
    ['C', [['invariant policy-first', 1]]],
    [
      'B',
      [
        ['invariant policy-first', 1],
        ['invariant one-refund', 4],
        ['contract', 4],
      ],
    ],
  ] as const)('names the checks and steps at which %s fails', (name, wanted) => {
    const run = LITMUS_RUNS.find((one) => one.name === name);
    if (!run) throw new Error(`no run ${name}`);
    const checks = failedChecks(scoreTrial(litmusInput(run)));
    expect(checks.map(({ check, witness }) => [check, witness.steps[0]])).toEqual(wanted);
  });

  // To write the page anew: UPDATE_DOCS=1 npx vitest run src/scoring/peers
  it('docs/litmus.md shows what this code gives', () => {
    const file = new URL('../../../docs/litmus.md', import.meta.url);
    const page = readFileSync(file, 'utf8');
    const [before, after] = [page.split('<!-- litmus:begin -->\n')[0], page.split('<!-- litmus:end -->')[1]];
    const fresh = `${before}<!-- litmus:begin -->\n\n${litmusMarkdown()}\n\n<!-- litmus:end -->${after}`;
    if (process.env.UPDATE_DOCS) writeFileSync(file, fresh);
    else expect(page).toBe(fresh);
  });
});
