import { UsageError } from '../base/errors.ts';
import {
  type Judge,
  judgeNamed,
  RETENTIONS,
  readJudgedRuns,
  SealedGuard,
  type SourcedRun,
} from '../runner/judge/index.ts';
import { readText } from '../store/text-files.ts';
import { TRACE_FORMATS } from '../traces/index.ts';
import { CHAT_OPTIONS, chatSettings, RETENTION_OPTION } from './chat-options.ts';
import type { Invocation, OptionSpec } from './command.ts';
import { choiceOption, countOption, listOption, textOption } from './options.ts';
import { counted } from './render/counted.ts';

/** How flags of model agents read where the model is a judge. */
const OWN_WORDS: Readonly<Record<string, string>> = {
  temperature: '0 to 2 (default: 0)',
  'model-seed': 'sampling seed (default: none)',
  'max-output-tokens': 'tokens of one reply (default: 1024)',
  'model-concurrency': 'requests in flight at once (default: 4)',
};

/** The flags of every command that asks a judge. */
export const JUDGE_OPTIONS: readonly OptionSpec[] = [
  { name: 'judge', value: 'spec', description: 'chat:MODEL, as `run` names a model agent' },
  { name: 'few-shot', value: 'n', description: 'worked examples in each prompt, 0 to 2', default: '0' },
  { name: 'cache', value: 'file', description: 'JSONL of verdicts by content: the same is not asked twice' },
  RETENTION_OPTION,
  {
    name: 'bank',
    value: 'bank',
    description: 'a bank folder whose open scenarios may be sent, for runs outside a run folder',
    repeats: true,
  },
  { name: 'policy', value: 'file', description: "what the agents were told (default: the services' own)" },
  {
    name: 'format',
    value: 'format',
    description: `${TRACE_FORMATS.join(', ')}; found out by content when left out`,
  },
  // An agent's turns are no business of a judge.
  ...CHAT_OPTIONS.filter(({ name }) => name !== 'max-steps').map((option) => ({
    ...option,
    description: OWN_WORDS[option.name] ?? option.description,
  })),
];

/** A judge and what it may see. */
export interface AskedJudge {
  readonly judge: Judge;
  readonly runs: readonly SourcedRun[];
}

/**
 * The judge and the runs of a command line. Runs are read first: one that must not be sent ends the command
 * before anything is asked.
 */
export async function askedJudge({ args, options }: Invocation): Promise<AskedJudge> {
  const { readRuns, guard } = readerOf(options);
  const runs = readRuns(args);
  return { judge: await judgeOf(options, guard), runs };
}

/** The judge and two lists of runs. */
export async function askedPairs({ args, options }: Invocation) {
  const { readRuns, guard } = readerOf(options);
  const [first = '', second = ''] = args;
  const runs = [readRuns([first]), readRuns([second])] as const;
  return { judge: await judgeOf(options, guard), runs };
}

function readerOf(options: Invocation['options']) {
  assertNamed(options);
  const retention = choiceOption(options, 'retention', RETENTIONS) ?? 'unknown';
  const guard = new SealedGuard(retention, listOption(options, 'bank'));
  const policyFile = textOption(options, 'policy');
  const readRuns = (paths: readonly string[]): readonly SourcedRun[] =>
    readJudgedRuns({
      paths,
      guard,
      format: choiceOption(options, 'format', TRACE_FORMATS),
      policy: policyFile === undefined ? undefined : readText(policyFile),
    });
  return { readRuns, guard };
}

function assertNamed(options: Invocation['options']): string {
  const spec = textOption(options, 'judge');
  if (spec !== undefined) return spec;
  throw new UsageError('no-judge', 'say who judges: --judge chat:MODEL', {
    hint: 'such as --judge chat:openai:gpt-4.1-mini, with --base-url for a server of your own',
  });
}

async function judgeOf(options: Invocation['options'], guard: SealedGuard): Promise<Judge> {
  const spec = assertNamed(options);
  return await judgeNamed(spec, {
    chat: chatSettings(options, spec) ?? {},
    cache: textOption(options, 'cache') ?? null,
    fewShot: countOption(options, 'few-shot', 0) ?? 0,
    guard,
  });
}

/** What the judge used, in a sentence; it is no part of what the agents used. */
export function spentLine({ spent }: Judge): string {
  const { questions, fromCache, withoutVerdict, requests, usage, cost } = spent;
  const tokens = (count: number | null): string => (count === null ? 'uncounted' : String(count));
  return [
    `${counted(questions, 'question')}, ${fromCache} from the cache, ${withoutVerdict} without a verdict`,
    `${counted(requests, 'request')}: ${tokens(usage.inputTokens)} input and ${tokens(usage.outputTokens)} output tokens`,
    cost === null ? 'cost unknown without --prices' : `cost ${Number(cost.toPrecision(6))}`,
  ].join('; ');
}
