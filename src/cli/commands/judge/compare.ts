import { UsageError } from '../../../base/errors.ts';
import type { Json } from '../../../base/json.ts';
import type { Judge, SourcedRun } from '../../../runner/judge/index.ts';
import {
  judgePair,
  type PairHabits,
  PROMPT_VERSION,
  pairHabits,
  shownLength,
  type WeighedPair,
} from '../../../scoring/index.ts';
import type { Command } from '../../command.ts';
import { askedPairs, JUDGE_OPTIONS, spentLine } from '../../judge-options.ts';
import { choiceOption } from '../../options.ts';
import { counted } from '../../render/counted.ts';
import { Footnotes, percent } from '../../render/figures.ts';
import { layOut } from '../../render/table.ts';

const KINDS = ['plan', 'support'] as const;

export const command: Command = {
  summary: 'Have a model compare two runs pair by pair, in both orders: disagreement is a tie.',
  args: [
    { name: 'first', description: 'a run folder, or a folder of traces' },
    { name: 'second', description: 'another one of the same scenarios' },
  ],
  options: [
    { name: 'kind', value: 'kind', description: `${KINDS.join(' or ')}`, default: 'plan' },
    ...JUDGE_OPTIONS,
  ],
  examples: ['judge compare runs/before runs/after --judge chat:openai:gpt-4.1-mini --cache pairs.jsonl'],
  keys: [
    'judge',
    'promptVersion',
    'pairs [{first, second, winner, consistent, records}]',
    'wins {first, second, tie}',
    'habits {pairs, unjudged, consistency, firstSlot, longer, ownFamily}',
    'leftOut',
    'spent',
  ],
  exits: '0 compared, whatever it said · 2 misuse · 3 no reply · 4 no pair was judged',
  run: async (invocation) => {
    const { options, output } = invocation;
    const kind = choiceOption(options, 'kind', KINDS) ?? 'plan';
    const { judge, runs } = await askedPairs(invocation);
    const { pairs, leftOut } = pairsOf(runs);
    const weighed = await Promise.all(pairs.map((pair) => weigh(pair, kind, judge)));
    const judgements = weighed.map(({ judgement }) => judgement);
    const habits = pairHabits(weighed);
    const rows = judgements.map(({ first, winner, consistent }) => [
      first,
      winner ?? 'no verdict',
      consistent === false ? 'the orders disagree' : '',
    ]);
    for (const line of layOut(rows)) output.line(line);
    if (leftOut.length > 0) output.line(`${counted(leftOut.length, 'run')} left out: without a counterpart`);
    for (const line of habitLines(habits)) output.line(line);
    output.line(`Judge ${judge.name}: ${spentLine(judge)}.`);
    const winsOf = (side: string): number => judgements.filter(({ winner }) => winner === side).length;
    output.json({
      judge: judge.name,
      promptVersion: PROMPT_VERSION,
      pairs: judgements,
      wins: { first: winsOf('first'), second: winsOf('second'), tie: winsOf('tie') },
      habits,
      leftOut,
      spent: judge.spent,
    } as unknown as Json);
    return habits.unjudged < habits.pairs ? 0 : 4;
  },
};

type RunPair = readonly [SourcedRun, SourcedRun];

/** Runs of one name and task; @throws UsageError where there is none. */
function pairsOf([first, second]: readonly [readonly SourcedRun[], readonly SourcedRun[]]): {
  readonly pairs: readonly RunPair[];
  readonly leftOut: readonly string[];
} {
  const others = new Map(second.map((run) => [run.name, run]));
  const pairs = first.flatMap((run): RunPair[] => {
    const other = others.get(run.name);
    return other !== undefined && other.task === run.task ? [[run, other]] : [];
  });
  if (pairs.length === 0) {
    throw new UsageError('no-pair', 'no two runs have one name and one task', {
      hint: 'give two run folders of the same scenarios',
    });
  }
  const paired = new Set(pairs.map(([{ name }]) => name));
  const names = [...first, ...second].map(({ name }) => name);
  return { pairs, leftOut: [...new Set(names.filter((name) => !paired.has(name)))] };
}

async function weigh(
  [first, second]: RunPair,
  kind: (typeof KINDS)[number],
  judge: Judge,
): Promise<WeighedPair> {
  const shown = { withReply: kind === 'support' };
  return {
    judgement: await judgePair({ kind, first, second }, judge.askPair),
    instance: first.cluster,
    lengths: [shownLength(first, shown), shownLength(second, shown)],
    models: [first.agent, second.agent],
  };
}

function habitLines({ pairs, unjudged, consistency, firstSlot, longer, ownFamily }: PairHabits): string[] {
  const notes = new Footnotes();
  const rows = [
    ['both orders agree', percent(consistency, notes)],
    ['for the run read first', percent(firstSlot, notes)],
    ['for the longer run', percent(longer, notes)],
    ["for the judge's own family", percent(ownFamily, notes)],
  ];
  const open = unjudged === 0 ? [] : [`${unjudged} of ${counted(pairs, 'pair')} without a verdict`];
  return ['', ...layOut(rows), ...open, ...notes.lines()];
}
