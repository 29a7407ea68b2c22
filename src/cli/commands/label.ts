import { join } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import {
  appendLabel,
  exportLabels,
  type FailedTrial,
  type FailureLabel,
  failedTrials,
  labelKey,
  placeText,
  readLabels,
  startLabelling,
} from '../../runner/labels/index.ts';
import type { Command, ExitCode, Output } from '../command.ts';
import { labelOnTerminal } from '../label-terminal.ts';
import { flagOption, textOption } from '../options.ts';
import { counted } from '../render/counted.ts';
import { layOut } from '../render/table.ts';

export const command: Command = {
  summary: 'Read the failures of a run one by one and say of each what went wrong, and where first.',
  args: [{ name: 'run', description: 'the run folder' }],
  options: [
    { name: 'labels', value: 'file', description: "the labels (default: labels.jsonl in the run's folder)" },
    { name: 'by', value: 'name', description: 'who labels; only labels by that name count as done' },
    { name: 'codes', value: 'list', description: 'codes to start with, such as no-lookup,wrong-sum' },
    { name: 'list', description: 'print what is labelled and what is not, without a terminal' },
    { name: 'export', value: 'file', description: 'write the labels as .csv or .json' },
  ],
  examples: [
    'label runs/mine',
    'label runs/mine --by first --labels first.jsonl',
    'label runs/mine --list --json',
    'label runs/mine --export labels.csv',
  ],
  keys: [
    'run',
    'labels',
    'failures',
    'labelled',
    'codes [{code, count}]',
    'trials [{scenario, trial, code, at, mast, note, disputed}]',
  ],
  exits: '0 however much is labelled · 2 misuse, or no terminal to label at',
  run: async ({ args, options, output }): Promise<ExitCode> => {
    const [directory = ''] = args;
    const path = textOption(options, 'labels') ?? join(directory, 'labels.jsonl');
    const by = textOption(options, 'by');
    const failures = failedTrials(directory);
    const target = textOption(options, 'export');
    const list = flagOption(options, 'list') || output.jsonMode;
    const known = readLabels(path, { repair: target === undefined && !list }).filter(
      (label) => by === undefined || label.by === by,
    );
    const labels = new Map(known.map((label) => [labelKey(label), label]));
    if (target !== undefined) exportLabels(target, ofRun(failures, labels));
    else if (!list) await labelAll({ path, failures, labels, by, codes: codesOption(options) }, output);
    say({ failures, labels, list, target }, output);
    output.json(stateOf({ directory, path }, failures, labels));
    return 0;
  },
};

function codesOption(options: Parameters<Command['run']>[0]['options']): readonly string[] {
  const text = textOption(options, 'codes') ?? '';
  return text
    .split(',')
    .map((code) => code.trim())
    .filter((code) => code !== '');
}

type Labels = Map<string, FailureLabel>;

async function labelAll(
  about: {
    readonly path: string;
    readonly failures: readonly FailedTrial[];
    readonly labels: Labels;
    readonly by: string | undefined;
    readonly codes: readonly string[];
  },
  output: Output,
): Promise<void> {
  const { path, failures, labels, by, codes } = about;
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    throw new UsageError(
      'no-terminal',
      'labels are taken from the keyboard of a terminal, and this is none',
      {
        hint: '--list prints what is labelled, --export FILE writes it',
      },
    );
  }
  const start = startLabelling(
    failures.map(({ item }) => item),
    [...labels.values()],
    { codes, ...(by !== undefined && { by }) },
  );
  if (start.ended) {
    output.line('No trial of this run failed.');
    return;
  }
  await labelOnTerminal(start, failures, (label) => {
    appendLabel(path, label);
    labels.set(labelKey(label), label);
  });
}

/** The labels of this run's failures, in its order. */
function ofRun(failures: readonly FailedTrial[], labels: Labels): FailureLabel[] {
  return failures.flatMap(({ item }) => labels.get(labelKey(item)) ?? []);
}

function codeCounts(labels: readonly FailureLabel[]): { readonly code: string; readonly count: number }[] {
  const counts = new Map<string, number>();
  for (const { code } of labels) counts.set(code, (counts.get(code) ?? 0) + 1);
  return [...counts]
    .map(([code, count]) => ({ code, count }))
    .sort((left, right) => right.count - left.count || (left.code < right.code ? -1 : 1));
}

function say(
  about: {
    readonly failures: readonly FailedTrial[];
    readonly labels: Labels;
    readonly list: boolean;
    readonly target: string | undefined;
  },
  output: Output,
): void {
  const { failures, labels, list, target } = about;
  const done = ofRun(failures, labels);
  if (list) {
    const rows = failures.map(({ item }) => {
      const label = labels.get(labelKey(item));
      const place = label ? placeText(label.at) : '';
      return [item.scenario, `trial ${item.trial}`, label?.code ?? '—', place, label?.note ?? ''];
    });
    for (const line of layOut(rows)) output.line(line);
  }
  output.line(`${done.length} of ${counted(failures.length, 'failure')} labelled.`);
  for (const { code, count } of codeCounts(done)) output.line(`  ${String(count).padStart(4)}  ${code}`);
  if (target !== undefined) output.line(`Written: ${target}`);
}

function stateOf(
  { directory, path }: { readonly directory: string; readonly path: string },
  failures: readonly FailedTrial[],
  labels: Labels,
): Json {
  const done = ofRun(failures, labels);
  return {
    run: directory,
    labels: path,
    failures: failures.length,
    labelled: done.length,
    codes: codeCounts(done),
    trials: failures.map(({ item: { scenario, trial } }) => {
      const label = labels.get(labelKey({ scenario, trial }));
      return {
        scenario,
        trial,
        code: label?.code ?? null,
        at: (label?.at ?? null) as Json,
        mast: label?.mast ?? [],
        note: label?.note ?? null,
        disputed: label?.disputed ?? null,
      };
    }),
  };
}
