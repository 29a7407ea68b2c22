/**
 * The tables of `docs/views.md`: what judges see of a fault by the reply alone and by the whole path, from
 * recorded verdicts and on testbeds that are made here. `--check` only compares.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { detectRunOf, toolsOf } from '../src/runner/detect/index.ts';
import { generateTestbed, type TestbedRun } from '../src/runner/testbed/index.ts';
import {
  type DetectRun,
  type Discrimination,
  detector,
  discriminationByClass,
  type JudgedPair,
  learn,
  type PairClass,
} from '../src/scoring/index.ts';
import { readTraces } from '../src/traces/index.ts';

const ROOT = new URL('..', import.meta.url).pathname;
const PAGE = join(ROOT, 'docs/views.md');
const RECORDED = join(ROOT, '../shared/traces/trajectory-judge');

/** Banks that testbeds are made of, and what of. */
const BANKS = ['helpdesk', 'github'] as const;
const TESTBED = { clean: 100, faulty: 300, seed: 'views' } as const;
/** Clean runs are learned from in so many parts, never those of an instance that is judged. */
const FOLDS = 5;

const CLASSES: readonly PairClass[] = ['reply identical', 'reply differs', 'silent', 'loud'];

/** The text between the marks of the page: `recorded` is null where the recordings are not at hand. */
export interface ViewTables {
  readonly recorded: string | null;
  readonly own: string;
}

export async function viewTables(): Promise<ViewTables> {
  const recorded = existsSync(RECORDED) ? tableOf(recordedRows()) : null;
  const own: (readonly [string, readonly JudgedPair[]])[] = [];
  for (const bank of BANKS) own.push(...(await ownRows(bank)));
  return { recorded, own: tableOf(own) };
}

interface RecordedRun {
  readonly trajectory_id: string;
  readonly instance_id: string;
  readonly final_answer: string;
  readonly label: { readonly faulty: boolean; readonly outcome_correct: boolean };
}

interface RecordedVerdict {
  readonly trajectory_id: string;
  readonly judge_id: string;
  readonly faulty: boolean;
}

/** The published verdicts on pairs of a faulty run and the clean one of the same instance, by judge. */
function recordedRows(): (readonly [string, readonly JudgedPair[]])[] {
  const runs = linesOf<RecordedRun>('trajectories.jsonl');
  const verdicts = linesOf<RecordedVerdict>('verdicts.jsonl');
  const clean = new Map(runs.filter(({ label }) => !label.faulty).map((run) => [run.instance_id, run]));
  return [...new Set(verdicts.map((verdict) => verdict.judge_id))].sort().map((judge) => {
    const flagged = new Map(
      verdicts
        .filter(({ judge_id }) => judge_id === judge)
        .map((verdict) => [verdict.trajectory_id, verdict.faulty]),
    );
    const pairs = runs.flatMap((run): JudgedPair[] => {
      const twin = clean.get(run.instance_id);
      if (!run.label.faulty || !twin) return [];
      return [
        {
          instance: run.instance_id,
          sameReply: run.final_answer === twin.final_answer,
          silent: run.label.outcome_correct,
          faultyFlagged: flagged.get(run.trajectory_id) === true,
          cleanFlagged: flagged.get(twin.trajectory_id) === true,
        },
      ];
    });
    return [judge, pairs] as const;
  });
}

function linesOf<T>(name: string): readonly T[] {
  const text = readFileSync(join(RECORDED, name), 'utf8').trim();
  return text.split('\n').map((line) => JSON.parse(line) as T);
}

/** The detector on a testbed of our own: shown the reply alone, and shown the whole path. */
async function ownRows(bank: string): Promise<(readonly [string, readonly JudgedPair[]])[]> {
  const { runs } = await generateTestbed([bank], TESTBED);
  return [
    [`detector on the reply, ${bank}`, pairsOf(runs, replyAlone)] as const,
    [`detector on the path, ${bank}`, pairsOf(runs, (run) => run)] as const,
  ];
}

/** What is left of a run for who sees the task and the reply only. */
function replyAlone(run: DetectRun): DetectRun {
  return { ...run, calls: [], messages: [], tools: [] };
}

function pairsOf(runs: readonly TestbedRun[], view: (run: DetectRun) => DetectRun): readonly JudgedPair[] {
  const instances = [...new Set(runs.map(({ label }) => label.instance))].sort();
  const foldOf = new Map(instances.map((instance, index) => [instance, index % FOLDS]));
  const seen = new Map(runs.map((run) => [run.label.run, view(seenBy(run))]));
  const flagged = new Map<string, boolean>();
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const others = runs.filter(({ label }) => label.kind === null && foldOf.get(label.instance) !== fold);
    const find = detector(learn(others.flatMap(({ label }) => seen.get(label.run) ?? [])));
    for (const { label } of runs) {
      const run = seen.get(label.run);
      if (run && foldOf.get(label.instance) === fold) flagged.set(label.run, find(run).length > 0);
    }
  }
  const byId = new Map(runs.map((run) => [run.label.run, run]));
  return runs.flatMap(({ label, trajectory }): JudgedPair[] => {
    const twin = byId.get(label.pair);
    if (label.kind === null || !twin) return [];
    return [
      {
        instance: label.instance,
        sameReply: trajectory.end?.answer === twin.trajectory.end?.answer,
        silent: label.outcomeChanged === false,
        faultyFlagged: flagged.get(label.run) === true,
        cleanFlagged: flagged.get(label.pair) === true,
      },
    ];
  });
}

function seenBy({ label, text }: TestbedRun): DetectRun {
  const [run] = readTraces(`${label.run}.traj.jsonl`, text);
  if (!run) throw new Error(`${label.run} is no run`);
  return { ...detectRunOf(label.run, run, toolsOf(run)), cluster: label.instance };
}

/** A row for each judge or view: in each class the two flag rates, and their difference with its interval. */
function tableOf(rows: readonly (readonly [string, readonly JudgedPair[]])[]): string {
  const head = ['judge', ...CLASSES];
  const lines = rows.map(([judge, pairs]) => {
    const classes = discriminationByClass(pairs);
    return [judge, ...CLASSES.map((name) => cell(classes[name]))];
  });
  return [head, head.map(() => '---'), ...lines].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

function cell({ pairs, faultyFlagged, cleanFlagged, difference }: Discrimination): string {
  if (difference.value === null || faultyFlagged === null || cleanFlagged === null) return 'no pair';
  const { value, low, high } = difference;
  const interval = low === null || high === null ? '' : ` [${three(low)}, ${three(high)}]`;
  return `${three(faultyFlagged)} − ${three(cleanFlagged)} = **${three(value)}**${interval} (${pairs})`;
}

function three(value: number): string {
  return (Math.round(value * 1000) / 1000 || 0).toFixed(3).replace(/^(-?)0\./u, '$1.');
}

/** The page with these tables; a table that could not be made stays as it is. */
export function pageWith(page: string, { recorded, own }: ViewTables): string {
  const put = (text: string, mark: string, table: string): string => {
    const [start, end] = [`<!-- ${mark}:start -->`, `<!-- ${mark}:end -->`];
    const [from, to] = [text.indexOf(start), text.indexOf(end)];
    if (from < 0 || to < from) throw new Error(`the page lacks its marks ${start} and ${end}`);
    return `${text.slice(0, from)}${start}\n${table}\n${text.slice(to)}`;
  };
  const withOwn = put(page, 'own', own);
  return recorded === null ? withOwn : put(withOwn, 'recorded', recorded);
}

if (import.meta.main) {
  const page = readFileSync(PAGE, 'utf8');
  const made = pageWith(page, await viewTables());
  if (!process.argv.includes('--check')) writeFileSync(PAGE, made);
  else if (made !== page) {
    console.error('docs/views.md is not what is measured here: run `npm run views`');
    process.exitCode = 1;
  }
}
