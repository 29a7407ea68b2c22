import { UsageError } from '../../../base/errors.ts';
import type { Json } from '../../../base/json.ts';
import {
  JUDGE_KINDS,
  type JudgedRun,
  type JudgeKind,
  type JudgeQuestion,
  type JudgeRecord,
  outcomeView,
  PROMPT_VERSION,
  type RunJudgement,
  readQuestion,
  stepView,
  verdictOf,
} from '../../../scoring/index.ts';
import { writeWhole } from '../../../store/run-folder.ts';
import type { Command, Invocation } from '../../command.ts';
import { type AskedJudge, askedJudge, JUDGE_OPTIONS, spentLine } from '../../judge-options.ts';
import { choiceOption, countOption, textOption } from '../../options.ts';
import { layOut } from '../../render/table.ts';

const VIEWS = ['steps', 'outcome'] as const;

export const command: Command = {
  summary: 'Ask a model what no program can count: plan, choice of a tool, support of the answer.',
  args: [{ name: 'runs', description: 'trajectories, traces, or folders of them', variadic: true }],
  options: [
    { name: 'kind', value: 'kind', description: `${JUDGE_KINDS.join(', ')}: in its usual wording` },
    { name: 'step', value: 'n', description: 'the step of a `choice`, from 0 (default: every step)' },
    { name: 'question', value: 'text', description: 'a question of one of the kinds, in English' },
    {
      name: 'view',
      value: 'view',
      description: 'a whole run: steps (plan, every choice, support) or outcome (task and reply alone)',
    },
    {
      name: 'verdicts',
      value: 'file',
      description: 'with --view: write what `judge validate` and gates take, a line for each run',
    },
    ...JUDGE_OPTIONS,
  ],
  examples: [
    'judge ask runs/demo/careful --view steps --judge chat:openai:gpt-4.1-mini --cache verdicts.jsonl',
    'judge ask run.traj.jsonl --kind choice --step 3 --judge chat:qwen3 --base-url http://localhost:8000/v1',
    'judge ask run.traj.jsonl --question "is the plan sensible?" --judge chat:anthropic:claude-sonnet-4-5',
  ],
  keys: [
    'judge',
    'promptVersion',
    'verdicts [{run, kind, view, step, verdict, confidence, reason, pointsTo, model, promptVersion, usage, cost, requests, cached, fewShot, key}]',
    'judgements [{run, view, faulty, reason, step, confidence}] with --view',
    'spent {questions, fromCache, withoutVerdict, requests, usage, cost}',
  ],
  exits:
    '0 asked, whatever it said · 2 misuse, or a question that is counted · 3 no reply · 4 no verdict at all',
  run: async (invocation) => {
    const { options, output } = invocation;
    const asked = whatIsAsked(options);
    const { judge, runs } = await askedJudge(invocation);
    const { records, judgements } = await answers(asked, { judge, runs });
    for (const line of layOut(records.map(rowOf))) output.line(line);
    for (const judgement of judgements) output.line(sentenceOf(judgement));
    output.line(`Judge ${judge.name}: ${spentLine(judge)}.`);
    const file = textOption(options, 'verdicts');
    if (file !== undefined) writeVerdicts(file, judgements);
    output.json({
      judge: judge.name,
      promptVersion: PROMPT_VERSION,
      verdicts: records,
      ...(asked.view !== null && { judgements: judgements.map(({ records: _own, ...rest }) => rest) }),
      spent: judge.spent,
    } as unknown as Json);
    return records.some(({ verdict }) => verdict !== null) ? 0 : 4;
  },
};

interface Asked {
  /** Null where whole runs are judged in a view. */
  readonly kind: JudgeKind | null;
  readonly view: (typeof VIEWS)[number] | null;
  /** Null for every step. */
  readonly step: number | null;
  readonly wording: string | undefined;
}

/** @throws UsageError where nothing or several things are asked, or something that is counted */
function whatIsAsked(options: Invocation['options']): Asked {
  const kind = choiceOption(options, 'kind', JUDGE_KINDS) ?? null;
  const view = choiceOption(options, 'view', VIEWS) ?? null;
  const wording = textOption(options, 'question');
  const step = countOption(options, 'step', 0) ?? null;
  if ([kind, view, wording ?? null].filter((one) => one !== null).length !== 1) {
    throw new UsageError('bad-option', 'a judge is asked one thing: --kind, --question or --view', {
      hint: 'such as --kind plan, or --view steps for all that a judge is asked of a run',
    });
  }
  if (textOption(options, 'verdicts') !== undefined && view === null) {
    throw new UsageError('bad-option', '--verdicts goes with --view, which judges whole runs');
  }
  const asked = wording === undefined ? { kind, step: null } : kindOf(wording);
  if (step !== null && asked.kind !== 'choice') {
    throw new UsageError('bad-option', '--step goes with a question about a choice', {
      hint: 'such as --kind choice --step 3',
    });
  }
  return { kind: asked.kind, view, step: step ?? asked.step, wording };
}

function kindOf(wording: string): { readonly kind: JudgeKind; readonly step: number | null } {
  const read = readQuestion(wording);
  if ('kind' in read) return read;
  throw new UsageError(read.countedBy === null ? 'no-kind' : 'counted', read.reason, {
    hint:
      read.countedBy === null
        ? 'docs/judging.md has the three kinds'
        : 'a program is right every time, and costs nothing: docs/scoring.md, docs/scenarios.md',
  });
}

async function answers(
  asked: Asked,
  { judge, runs }: AskedJudge,
): Promise<{ readonly records: readonly JudgeRecord[]; readonly judgements: readonly RunJudgement[] }> {
  const { view } = asked;
  if (view === null) {
    const questions = runs.flatMap((run) => questionsOf(run, asked));
    return { records: await Promise.all(questions.map(judge.ask)), judgements: [] };
  }
  const judgeRun = view === 'steps' ? stepView : outcomeView;
  const judgements = await Promise.all(runs.map((run) => judgeRun(run, judge.ask)));
  return { records: judgements.flatMap(({ records }) => records), judgements };
}

function questionsOf(run: JudgedRun, { kind, step, wording }: Asked): JudgeQuestion[] {
  if (kind === null) return [];
  const worded = wording === undefined ? {} : { wording };
  if (kind !== 'choice') return [{ kind, run, step: null, ...worded }];
  if (step !== null && step >= run.calls.length) {
    throw new UsageError(
      'no-step',
      `${run.name} has no step ${step}: it has ${run.calls.length} steps, from 0`,
    );
  }
  const steps = step === null ? [...run.calls.keys()] : [step];
  return steps.map((one) => ({ kind, run, step: one, ...worded }));
}

function rowOf({ run, kind, step, verdict, confidence, reason, cached }: JudgeRecord): string[] {
  const what = step === null ? kind : `${kind} at step ${step}`;
  const sure = confidence === null ? '' : `${Math.round(100 * confidence)} %`;
  return [
    run,
    what,
    verdict ?? 'no verdict',
    sure,
    `${reason.replace(/\s+/gu, ' ')}${cached ? ' (cached)' : ''}`,
  ];
}

function sentenceOf({ run, faulty, reason, step }: RunJudgement): string {
  if (faulty === null) return `${run}: no judgement: ${reason}`;
  if (!faulty) return `${run}: nothing wrong`;
  return `${run}: faulty${step === null ? '' : `, first at step ${step}`}`;
}

function writeVerdicts(file: string, judgements: readonly RunJudgement[]): void {
  const lines = judgements.flatMap((judgement) => {
    const verdict = verdictOf(judgement, judgement.run);
    return verdict === null ? [] : [`${JSON.stringify(verdict)}\n`];
  });
  writeWhole(file, lines.join(''));
}
