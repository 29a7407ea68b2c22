import { writeFileSync } from 'node:fs';
import { UsageError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import {
  BEHAVIOUR,
  type PublishedDescription,
  publishedDescription,
  serviceNamed,
} from '../../catalog/index.ts';
import {
  type CorpusRecord,
  type CorpusScenario,
  type Era,
  measure,
  publishedOf,
  readCorpus,
  scenariosOf,
} from '../../fidelity/index.ts';

import type { Command, ExitCode, Invocation } from '../command.ts';
import { LIVE_OPTIONS, liveRecords } from '../live.ts';
import { choiceOption, countOption, flagOption, listOption, textOption } from '../options.ts';
import { exchangeLines, reportLines } from '../render/fidelity.ts';

const ERAS: readonly Era[] = ['current', 'recent', 'legacy', 'undated'];
const MISSES = '20';

export const command: Command = {
  summary: 'Replay recorded exchanges of the real service and score how many are answered alike.',
  args: [{ name: 'service', description: 'a service that can rebuild what a recording started from' }],
  options: [
    { name: 'corpus', value: 'file', description: 'recorded exchanges, one a line', repeats: true },
    {
      name: 'spec',
      value: 'file',
      description: 'the published OpenAPI description (JSON): members that it has not are inventions',
    },
    { name: 'only', value: 'text', description: 'only scenarios with an operation or endpoint that has it' },
    { name: 'era', value: 'name', description: 'only exchanges of current, recent, legacy or undated' },
    { name: 'scenario', value: 'name', description: 'one scenario, with every difference of every exchange' },
    { name: 'bodies', description: 'with --scenario: requests and both answers as well' },
    { name: 'misses', value: 'n', description: 'how many causes of misses are listed', default: MISSES },
    { name: 'report', value: 'file', description: 'writes the whole result there as JSON' },
    ...LIVE_OPTIONS,
  ],
  examples: [
    'fidelity github --corpus recorded/github.jsonl --misses 40',
    'fidelity github --corpus recorded/github.jsonl --only issues/create',
    'fidelity github --corpus old.jsonl --live https://api.github.com --token-env TOKEN --out new.jsonl',
  ],
  keys: [
    'exchanges',
    'served',
    'strict',
    'strictServed',
    'pass',
    'field',
    'stateful {strict, strictServed, pass, field}',
    'seededReads {…}',
    'proofReads {…}',
    'byEra {…}',
    'floors',
    'lift',
    'misses [{cause, count, example}]',
    'drifted (with --live)',
  ],
  exits: '0 measured · 1 with --live: the real service answers otherwise · 2 misuse',
  run: async (invocation): Promise<ExitCode> => {
    const { args, options, output } = invocation;
    const service = serviceNamed(args[0] ?? '');
    if (!service.observe) {
      throw new UsageError('no-observer', `${service.name} cannot rebuild a world from a recording`, {
        hint: 'a service does that in its observe.ts',
      });
    }
    const most = countOption(options, 'misses', 0) ?? Number(MISSES);
    const all = readCorpus(corpusFiles(options));
    const wanted = (record: CorpusRecord): boolean => matches(record, options);
    const isLive = textOption(options, 'live') !== undefined;
    const asked = chosen(all, options);
    const scenarios = isLive ? scenariosOf(await liveRecords(service, asked, { invocation, wanted })) : asked;
    const { report, results } = await measure(scenarios, {
      service,
      behaviour: BEHAVIOUR,
      published: publishedOf(descriptionOf(service.name, options)),
      wanted,
      progress: (done, of) => output.progress(`${done}/${of} exchanges`, done === of),
    });
    const lines =
      textOption(options, 'scenario') === undefined
        ? reportLines(report, most)
        : exchangeLines(results, flagOption(options, 'bodies'));
    for (const line of lines) output.line(line);
    const file = textOption(options, 'report');
    if (file !== undefined) writeFileSync(file, `${JSON.stringify(report, null, 1)}\n`);
    const differs = report.pass.value !== null && report.pass.value < 1;
    if (isLive) output.line(differs ? 'The real service answers otherwise.' : 'No drift.');
    output.json({
      ...report,
      misses: report.misses.slice(0, most),
      ...(isLive && { drifted: differs }),
    } as unknown as Json);
    return isLive && differs ? 1 : 0;
  },
};

function corpusFiles(options: Invocation['options']): readonly string[] {
  const files = listOption(options, 'corpus');
  if (files.length > 0) return files;
  throw new UsageError('no-corpus', 'name the recorded exchanges', { hint: '--corpus FILE' });
}

/** The scenarios that were asked for. @throws UsageError when there are none. */
function chosen(
  scenarios: readonly CorpusScenario[],
  options: Invocation['options'],
): readonly CorpusScenario[] {
  const name = textOption(options, 'scenario');
  const found = scenarios.filter(
    (scenario) =>
      (name === undefined || scenario.name === name || scenario.records.some(({ id }) => id === name)) &&
      scenario.records.some((record) => matches(record, options)),
  );
  if (found.length > 0) return found;
  throw new UsageError('nothing-to-replay', 'the corpus has no scenario of that kind');
}

/** Whether an exchange is one of those that were asked for: its whole scenario is played. */
function matches({ era, operation, endpoint }: CorpusRecord, options: Invocation['options']): boolean {
  const only = textOption(options, 'only');
  const wanted = choiceOption(options, 'era', ERAS);
  if (wanted !== undefined && era !== wanted) return false;
  return only === undefined || `${operation} ${endpoint}`.includes(only);
}

function descriptionOf(service: string, options: Invocation['options']): PublishedDescription | undefined {
  const file = textOption(options, 'spec');
  return file === undefined ? publishedDescription(service) : { file, name: file };
}
