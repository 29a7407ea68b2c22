/** How well `groundhog detect` finds what was put into runs: the figures of `docs/detection.md`. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json, JsonObject } from '../src/base/json.ts';
import { readRuns, runOfText } from '../src/runner/detect/index.ts';
import { readLabels } from '../src/runner/labels/index.ts';
import { generateTestbed } from '../src/runner/testbed/index.ts';
import {
  crossValidated,
  type DetectionFigures,
  type DetectLabel,
  type DetectOutcome,
  type DetectRun,
  detectionFigures,
  detector,
  learn,
} from '../src/scoring/detect/index.ts';
import type { Estimate } from '../src/stats/index.ts';

const ROOT = new URL('..', import.meta.url).pathname;
const PAGE = join(ROOT, 'docs/detection.md');
/** Recorded runs that are not part of the repository. */
const SHARED = join(ROOT, '../shared');
const JUDGE = join(SHARED, 'traces/trajectory-judge');
const TAU = join(SHARED, 'tau/recorded/gpt-4o-airline.trials-0-1.json');

/** True where the recorded runs are at hand. */
export const hasRecorded = existsSync(JUDGE) && existsSync(TAU);

const FOLDS = 5;
const TESTBED = { clean: 200, faulty: 900, seed: 'detection' } as const;
const BANKS = ['helpdesk', 'github'] as const;

export interface Labelled {
  readonly run: DetectRun;
  readonly label: DetectLabel;
}

/** One way of looking: what was learned, and what came of it. */
interface Measured {
  readonly name: string;
  readonly outcomes: readonly DetectOutcome[];
  readonly figures: DetectionFigures;
}

function measured(name: string, outcomes: readonly DetectOutcome[]): Measured {
  return { name, outcomes, figures: detectionFigures(outcomes) };
}

const taught = (clean: readonly DetectRun[]) => detector(learn(clean));

function untaught(runs: readonly Labelled[]): DetectOutcome[] {
  const find = detector(null);
  return runs.map((one) => ({ ...one, findings: find(one.run) }));
}

interface JudgeLine {
  readonly trajectory_id: string;
  readonly instance_id: string;
  readonly goal: string;
  readonly steps: readonly {
    readonly thought: string;
    readonly call: { readonly tool: string; readonly args: Json };
    readonly observation: JsonObject & { readonly ok: boolean };
  }[];
  readonly final_answer: string;
  readonly label: {
    readonly faulty: boolean;
    readonly failure_step: number | null;
    readonly failure_type: string | null;
    readonly outcome_correct: boolean;
  };
}

interface Verdict {
  readonly trajectory_id: string;
  readonly judge_id: string;
  readonly faulty: boolean;
  readonly failure_step: number | null;
}

function linesOf<T>(file: string): T[] {
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T);
}

/** The runs of trajectory-judge. A fault is silent where the outcome is the right one all the same. */
function judgeRuns(): Labelled[] {
  const lines = linesOf<JudgeLine>(join(JUDGE, 'trajectories.jsonl'));
  const tools = [...new Set(lines.flatMap(({ steps }) => steps.map(({ call }) => call.tool)))];
  const clean = new Map(
    lines.flatMap(({ instance_id, trajectory_id, label }) =>
      label.faulty ? [] : [[instance_id, trajectory_id]],
    ),
  );
  return lines.map((line) => ({
    run: {
      name: line.trajectory_id,
      cluster: line.instance_id,
      task: line.goal,
      instructions: null,
      calls: line.steps.map(({ thought, call, observation }) => ({
        tool: call.tool,
        arguments: { kind: 'json', value: call.args },
        result: { value: observation },
        failed: !observation.ok,
        status: null,
        thought,
      })),
      messages: [],
      reply: line.final_answer,
      ended: 'answer',
      tools: tools.map((name) => ({ name, effect: null, inputSchema: null })),
    },
    label: {
      kind: line.label.failure_type,
      silent: line.label.faulty ? line.label.outcome_correct : null,
      step: line.label.failure_step,
      twin: clean.get(line.instance_id) ?? null,
    },
  }));
}

/** Recorded verdicts of another judge as findings, so that the same figures are made of them. */
function verdictsOf(judge: string, runs: readonly Labelled[]): DetectOutcome[] {
  const verdicts = new Map(
    linesOf<Verdict>(join(JUDGE, 'verdicts.jsonl'))
      .filter(({ judge_id }) => judge_id === judge)
      .map((verdict) => [verdict.trajectory_id, verdict]),
  );
  return runs.map(({ run, label }) => {
    const verdict = verdicts.get(run.name);
    const step = verdict?.failure_step ?? null;
    const finding = { step, kind: 'wrong_tool', rule: judge, subject: 'run', evidence: judge } as const;
    return { run, label, findings: verdict?.faulty ? [finding] : [] };
  });
}

/** Runs whose faults were made by somebody else, with verdicts of rules and of models beside ours. */
export function judgeMarkdown(): string {
  const runs = judgeRuns();
  const judges = [...new Set(linesOf<Verdict>(join(JUDGE, 'verdicts.jsonl')).map((one) => one.judge_id))];
  const ours = [
    measured('nothing learned', untaught(runs)),
    measured('learned from clean runs of other instances', crossValidated(runs, FOLDS, taught)),
  ];
  const theirs = judges.map((judge) => measured(`\`${judge}\` (recorded)`, verdictsOf(judge, runs)));
  return `${figureTable([...ours, ...theirs])}\n\n${kindTable(ours)}`;
}

interface TauLine {
  readonly task_id: number;
  readonly trial: number;
  readonly reward: number;
  readonly traj: readonly { readonly role: string; readonly content: string | null }[];
}

/** Recorded runs of a real model: a failure is what was not rewarded. */
export function tauRuns(): Labelled[] {
  const lines = JSON.parse(readFileSync(TAU, 'utf8')) as TauLine[];
  const labels = new Map(
    readLabels(join(ROOT, 'docs/error-analysis/labels.jsonl')).map((label) => [
      `${Number(label.scenario.split('-')[1])} ${label.trial}`,
      label,
    ]),
  );
  return readRuns(TAU).map((run, index): Labelled => {
    const line = lines[index];
    const key = `${line?.task_id} ${line?.trial}`;
    const label = labels.get(key);
    const instructions = line?.traj.find(({ role }) => role === 'system')?.content ?? null;
    const failed = line?.reward !== 1;
    const place = label?.at ?? null;
    return {
      run: { ...run, name: key, cluster: `task ${line?.task_id}`, instructions },
      label: {
        kind: failed ? (label?.code ?? 'not labelled') : null,
        silent: failed ? false : null,
        step: place !== null && 'step' in place ? place.step : null,
        twin: null,
      },
    };
  });
}

/** Codes of failures that are not the agent's. */
export const NOT_THE_AGENTS = ['reference-disputed', 'user-departs'];

/** Failures that nobody put in. */
export function tauMarkdown(): string {
  const runs = tauRuns();
  const ways = [
    measured('nothing learned', untaught(runs)),
    measured('learned from rewarded runs of other tasks', crossValidated(runs, FOLDS, taught)),
  ];
  const rows = ways.map(({ name, outcomes }) => {
    const cell = (keep: (kind: string | null) => boolean): string => {
      const own = outcomes.filter(({ label }) => keep(label.kind));
      return `${own.filter(({ findings }) => findings.length > 0).length} of ${own.length}`;
    };
    const agents = (kind: string | null): boolean => kind !== null && !NOT_THE_AGENTS.includes(kind);
    const placed = outcomes.filter(({ label }) => agents(label.kind) && label.step !== null);
    const at = placed.filter(({ label, findings }) => findings.some(({ step }) => step === label.step));
    return [
      name,
      cell(agents),
      `${at.length} of ${placed.length}`,
      cell((kind) => NOT_THE_AGENTS.includes(kind ?? '')),
      cell((kind) => kind === null),
    ];
  });
  const head = [
    'what was learned',
    "agent's failures flagged",
    'at the labelled call',
    'other failures flagged',
    'rewarded runs flagged',
  ];
  return `${table([head, ...rows])}\n\n${kindTable(ways)}`;
}

async function testbedRuns(bank: string): Promise<Labelled[]> {
  const { runs } = await generateTestbed([bank], TESTBED);
  return runs.map(({ label, text }) => ({
    // Runs of one scenario, or of one family, tell the same story: none of them is learned from for another.
    run: { ...runOfText(label.run, text), cluster: label.scenario },
    label: {
      kind: label.kind,
      silent: label.silent,
      step: label.step,
      twin: label.pair,
    },
  }));
}

/** Runs of our own banks, edited at one call, answer or reply. */
export async function testbedMarkdown(): Promise<string> {
  const beds = new Map<string, readonly Labelled[]>();
  for (const bank of BANKS) beds.set(bank, await testbedRuns(bank));
  const parts = [...beds].map(([bank, runs]) => {
    const others = [...beds].flatMap(([name, own]) => (name === bank ? [] : own));
    const foreign = taught(others.flatMap(({ run, label }) => (label.kind === null ? [run] : [])));
    const ways = [
      measured('nothing learned', untaught(runs)),
      measured(
        'learned from clean runs of the other bank',
        runs.map((one) => ({ ...one, findings: foreign(one.run) })),
      ),
      measured('learned from clean runs of other scenarios', crossValidated(runs, FOLDS, taught)),
    ];
    return `### ${bank}\n\n${figureTable(ways)}\n\n${kindTable(ways)}`;
  });
  return parts.join('\n\n');
}

function figureTable(ways: readonly Measured[]): string {
  const head = [
    'what was learned',
    'silent faults found',
    'of those that show',
    'loud faults found',
    'false alarms',
    'labelled step among the flagged',
    'paired discrimination',
  ];
  const rows = ways.map(({ name, figures }) => [
    name,
    percent(figures.silent),
    percent(figures.visible),
    percent(figures.loud),
    percent(figures.falseAlarms),
    percent(figures.atStep),
    figures.discrimination.value === null ? '—' : figures.discrimination.value.toFixed(3),
  ]);
  return table([head, ...rows]);
}

function kindTable(ways: readonly Measured[]): string {
  const kinds = ways[0]?.figures.kinds ?? [];
  const head = ['kind', ...ways.map(({ name }) => name), 'at the labelled step'];
  const rows = kinds.map(({ kind }) => {
    const own = ways.map(({ figures }) => figures.kinds.find((one) => one.kind === kind));
    const cells = own.map((one) => {
      const [found, of] = [
        (one?.silent.found ?? 0) + (one?.loud.found ?? 0),
        (one?.silent.of ?? 0) + (one?.loud.of ?? 0),
      ];
      return `${found} of ${of}`;
    });
    return [`\`${kind}\``, ...cells, String(own.at(-1)?.atStep ?? 0)];
  });
  return table([head, ...rows]);
}

function percent(estimate: Estimate): string {
  if (estimate.value === null) return '—';
  const share = (value: number): string => `${(100 * value).toFixed(1)}`;
  const { value, low, high, n } = estimate;
  const range = low === null || high === null ? '' : ` (${share(low)} to ${share(high)})`;
  return `${share(value)} %${range} of ${n}`;
}

function table([head = [], ...rows]: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** The part of the page between two marks. */
export function partOf(page: string, mark: string): string {
  const match = new RegExp(`<!-- ${mark} -->\\n([\\s\\S]*?)\\n<!-- /${mark} -->`, 'u').exec(page);
  if (match === null) throw new Error(`the page has no part ${mark}`);
  return match[1] ?? '';
}

function filled(page: string, mark: string, text: string): string {
  const pattern = new RegExp(`<!-- ${mark} -->[\\s\\S]*<!-- /${mark} -->`, 'u');
  return page.replace(pattern, () => `<!-- ${mark} -->\n${text}\n<!-- /${mark} -->`);
}

if (process.argv[1] === import.meta.filename) {
  let page = readFileSync(PAGE, 'utf8');
  page = filled(page, 'testbed', await testbedMarkdown());
  if (hasRecorded) {
    page = filled(page, 'judge', judgeMarkdown());
    page = filled(page, 'tau', tauMarkdown());
  }
  writeFileSync(PAGE, page);
  console.log(`docs/detection.md written${hasRecorded ? '' : ', but for the parts that need ../shared'}`);
}
