/**
 * The tables of `docs/views.md` and `docs/judges.md`: what judges see of a fault by the reply alone and by
 * the whole path, and how they do in the exam; from recorded verdicts and on testbeds that are made here.
 * `--check` only compares.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  detectorVerdicts,
  type ExamRun,
  examRunsOf,
  readJudgeLabels,
  readJudgeVerdicts,
} from '../src/runner/judge/index.ts';
import { generateTestbed } from '../src/runner/testbed/index.ts';
import {
  type Discrimination,
  type Estimate,
  examineJudges,
  type JudgeExam,
  type PairClass,
} from '../src/scoring/index.ts';
import { NOT_THE_AGENTS, tauRuns } from './detection.ts';

const ROOT = new URL('..', import.meta.url).pathname;
const RECORDED = join(ROOT, '../shared/traces/trajectory-judge');
const TAU = join(ROOT, '../shared/tau/recorded');

/** Banks that testbeds are made of, and what of. */
const BANKS = ['helpdesk', 'github'] as const;
const TESTBED = { clean: 100, faulty: 300, seed: 'views' } as const;

const CLASSES: readonly PairClass[] = ['reply identical', 'reply differs', 'silent', 'loud'];

/** Pages by their file, each with its tables by mark; null for a table whose recordings are not at hand. */
export type JudgePages = Readonly<Record<string, Readonly<Record<string, string | null>>>>;

export async function judgePages(): Promise<JudgePages> {
  const recorded = existsSync(RECORDED) ? recordedExams() : null;
  const organic = existsSync(TAU) ? organicExams() : null;
  const own: JudgeExam[] = [];
  for (const bank of BANKS) own.push(...(await ownExams(bank)));
  return {
    'docs/views.md': { recorded: recorded && viewTable(recorded), own: viewTable(own) },
    'docs/judges.md': {
      recorded: recorded && examTable(recorded),
      own: examTable(own),
      organic: organic && examTable(organic),
    },
  };
}

/** The published verdicts of five judges on runs of one support desk. */
function recordedExams(): readonly JudgeExam[] {
  const labels = readJudgeLabels(join(RECORDED, 'trajectories.jsonl'));
  const verdicts = readJudgeVerdicts(join(RECORDED, 'verdicts.jsonl'));
  return examineJudges(labels, verdicts).toSorted((one, other) => (one.judge < other.judge ? -1 : 1));
}

/** The detector on a testbed of our own: shown the reply alone, and shown the whole path. */
async function ownExams(bank: string): Promise<readonly JudgeExam[]> {
  const { runs } = await generateTestbed([bank], TESTBED);
  return examsOf(examRunsOf(runs), bank);
}

/** The detector on failures that nobody put in: those of a recorded model that are the agent's own. */
function organicExams(): readonly JudgeExam[] {
  const runs = tauRuns().filter(({ label }) => !NOT_THE_AGENTS.includes(label.kind ?? ''));
  const labelled = runs.map(({ run, label }): ExamRun => {
    const { kind, step } = label;
    const known = { id: run.name, instance: run.cluster, faulty: kind !== null, kind, step };
    return { label: { ...known, twin: null, reply: run.reply, silent: null }, run };
  });
  return examsOf(labelled, 'recorded model');
}

function examsOf(runs: readonly ExamRun[], of: string): readonly JudgeExam[] {
  const labels = runs.map(({ label }) => label);
  const verdicts = [...detectorVerdicts(runs, 'outcome'), ...detectorVerdicts(runs, 'path')];
  return examineJudges(labels, verdicts).map((exam) => ({ ...exam, judge: `${exam.judge}, ${of}` }));
}

/** A row for each judge or view: in each class the two flag rates, and their difference with its interval. */
function viewTable(exams: readonly JudgeExam[]): string {
  const rows = exams.map(({ judge, discrimination }) => [
    judge,
    ...CLASSES.map((name) => cell(discrimination[name])),
  ]);
  return table([['judge', ...CLASSES], ...rows]);
}

function cell({ pairs, faultyFlagged, cleanFlagged, difference }: Discrimination): string {
  if (difference.value === null || faultyFlagged === null || cleanFlagged === null) return 'no pair';
  const rates = `${three(faultyFlagged)} − ${three(cleanFlagged)} = **${three(difference.value)}**`;
  return `${rates}${interval(difference)} (${pairs})`;
}

/** A row for each judge or view: what it finds, where, of which kind, how sure, and whether it may gate. */
function examTable(exams: readonly JudgeExam[]): string {
  const head = [
    'judge',
    'faulty found (TPR)',
    'clean left alone (TNR)',
    'silent found',
    'loud found',
    'step given',
    'kind given',
    'expected error of its confidence',
    'TPR + TNR − 1',
    'may gate',
  ];
  const rows = exams.map((exam) => {
    const { truePositiveRate, trueNegativeRate, silentRecall, loudRecall, located, typed } = exam;
    const shares = [truePositiveRate, trueNegativeRate, silentRecall, loudRecall, located, typed];
    const error = exam.calibration.expectedError;
    return [
      exam.judge,
      ...shares.map(shown),
      error === null ? '—' : three(error),
      shown(exam.information),
      exam.gating.allowed ? 'yes' : 'no',
    ];
  });
  return table([head, ...rows]);
}

function shown(share: Estimate): string {
  return share.value === null ? '—' : `${three(share.value)}${interval(share)}`;
}

function interval(estimate: Estimate): string {
  if (estimate.value === null || estimate.low === null || estimate.high === null) return '';
  return ` [${three(estimate.low)}, ${three(estimate.high)}]`;
}

function three(value: number): string {
  return (Math.round(value * 1000) / 1000 || 0).toFixed(3).replace(/^(-?)0\./u, '$1.');
}

function table([head = [], ...rows]: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** A page with these tables; a table that could not be made stays as it is. */
export function pageWith(page: string, tables: JudgePages[string]): string {
  let made = page;
  for (const [mark, text] of Object.entries(tables)) {
    if (text === null) continue;
    const [start, end] = [`<!-- ${mark}:start -->`, `<!-- ${mark}:end -->`];
    const [from, to] = [made.indexOf(start), made.indexOf(end)];
    if (from < 0 || to < from) throw new Error(`a page lacks its marks ${start} and ${end}`);
    made = `${made.slice(0, from)}${start}\n${text}\n${made.slice(to)}`;
  }
  return made;
}

if (import.meta.main) {
  for (const [file, tables] of Object.entries(await judgePages())) {
    const page = readFileSync(join(ROOT, file), 'utf8');
    const made = pageWith(page, tables);
    if (!process.argv.includes('--check')) writeFileSync(join(ROOT, file), made);
    else if (made !== page) {
      console.error(`${file} is not what is measured here: run \`npm run views\``);
      process.exitCode = 1;
    }
  }
}
