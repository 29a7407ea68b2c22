import type { PeerReport, ScoredTraces } from '../../runner/score-traces.ts';
import { LOSS_KINDS } from '../../traces/index.ts';
import { counted } from './counted.ts';
import { amount, Footnotes, quantile, ratioPercent, short } from './figures.ts';
import { layOut } from './table.ts';

/** What `score` prints for people: figures, rules, peers, losses, and the reasons of what has no number. */
export function traceLines(scored: ScoredTraces): string[] {
  const notes = new Footnotes();
  const { runs, metrics } = scored;
  const files = new Set(runs.map(({ file }) => file)).size;
  const formats = [...new Set(runs.map(({ format }) => format))].join(', ');
  const answered = runs.filter(({ end }) => end.kind === 'answer').length;
  const figures = layOut([
    ['runs', `${runs.length} in ${counted(files, 'file')} (${formats}), ${answered} ended by an answer`],
    ['calls per run', `p50 ${quantile(metrics.steps.p50, notes)}, p99 ${quantile(metrics.steps.p99, notes)}`],
    ['calls that failed', ratioPercent(metrics.errors, notes)],
    ['redundant calls', ratioPercent(metrics.redundant, notes)],
    ['  since the last write', ratioPercent(metrics.redundantSinceWrite, notes)],
    ['precision', ratioPercent(metrics.precision, notes)],
    ['recall', ratioPercent(metrics.recall, notes)],
    ['cost per run', amount(metrics.costPerRun, notes)],
    ['success', amount(metrics.success, notes)],
    ['recovery', amount(metrics.recovery, notes)],
  ]);
  const parts = [figures, ruleLines(scored), peerLines(scored), lossLines(scored)];
  return [...parts.filter((lines) => lines.length > 0), notes.lines()].flatMap((lines, index) =>
    index === 0 ? lines : ['', ...lines],
  );
}

function ruleLines({ invariants }: ScoredTraces): string[] {
  return layOut(
    invariants.map(({ id, broken, of, notRun, first }) => [
      id,
      `broken in ${broken} of ${of} runs${notRun === 0 ? '' : `, not run in ${notRun}`}`,
      first === null ? '' : `${first.file} ${first.run}: ${first.message}`,
    ]),
  );
}

const PEER_RUNS = 5;

/** Of the first runs; a reader of more takes them from the JSON. */
function peerLines({ runs }: ScoredTraces): string[] {
  const told = runs.flatMap(({ file, run, peers }) => (peers ? [{ name: `${file} ${run}`, peers }] : []));
  const lines = told.slice(0, PEER_RUNS).flatMap(({ name, peers }) => [name, ...layOut(peerRows(peers))]);
  const more = told.length - PEER_RUNS;
  return more > 0 ? [...lines, `and ${counted(more, 'run')} more: see --json`] : lines;
}

function peerRows({ matchers, promptfoo, bfcl, tau }: PeerReport): string[][] {
  return [
    ...matchers.map((row) => [`  ${row.metric}`, row.value === null ? `— ${row.reason}` : short(row.value)]),
    ...promptfoo.map((row) => [
      `  promptfoo ${row.type}`,
      row.pass === null
        ? `— ${row.reason}`
        : `${row.pass ? 'pass' : 'fail'} ${short(row.score)}: ${row.reason}`,
    ]),
    [
      '  BFCL multi-turn',
      bfcl.valid === null ? `— ${bfcl.reason}` : `${bfcl.valid ? 'valid' : 'invalid'}: ${bfcl.reason}`,
    ],
    ['  tau-bench reward', tau.reward === null ? `— ${tau.reason}` : `${tau.reward}: ${tau.reason}`],
  ];
}

/** Losses of all runs by kind, the first example of each. */
function lossLines({ losses }: ScoredTraces): string[] {
  const kinds = [...Map.groupBy(losses, ({ kind }) => kind)];
  if (kinds.length === 0) return [];
  const rows = kinds.map(([kind, own]) => {
    const count = own.reduce((sum, loss) => sum + loss.count, 0);
    return [`  ${kind}`, String(count), LOSS_KINDS[kind], own[0]?.example ?? ''];
  });
  return ['lost in reading:', ...layOut(rows)];
}
