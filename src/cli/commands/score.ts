import { UsageError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { scoreTraces } from '../../runner/score-traces.ts';
import { assertScorers, type ScorerReport, scoreWith, serveScores } from '../../runner/scorers/index.ts';
import { TRACE_FORMATS } from '../../traces/index.ts';
import { addressProblem } from '../address.ts';
import type { Command, Invocation, Output } from '../command.ts';
import { untilStopped } from '../interruption.ts';
import { choiceOption, countOption, flagOption, listOption, textOption } from '../options.ts';
import { amount, Footnotes } from '../render/figures.ts';
import { layOut } from '../render/table.ts';
import { traceLines } from '../render/traces.ts';

export const command: Command = {
  summary: 'Score traces that you already have: metrics and invariants, no world needed.',
  args: [
    {
      name: 'files',
      description: 'trace files: messages, spans, trajectories',
      variadic: true,
      optional: true,
    },
  ],
  options: [
    { name: 'rules', value: 'file', description: 'invariants, a reference, assertions (YAML)' },
    {
      name: 'format',
      value: 'format',
      description: `${TRACE_FORMATS.join(', ')}; found out by content when left out`,
    },
    { name: 'peers', description: 'also what the matchers of other tools say, under their names' },
    { name: 'gold', value: 'file', description: 'a trajectory to compare states with (BFCL, tau-bench)' },
    {
      name: 'scorer',
      value: 'spec',
      description: "also somebody else's scorer: NAME=http://… or NAME=command:ARGV",
      repeats: true,
    },
    {
      name: 'serve',
      description: 'gives our metrics and invariants to others: POST /score, until interrupted',
    },
    { name: 'port', value: 'n', description: 'with --serve: where to listen; a free one when left out' },
  ],
  examples: [
    'score traces/*.json --rules rules.yaml',
    'score spans.jsonl --format otlp --json',
    'score traces/*.json --scorer mine=command:"python3 scorer.py"',
    'score --serve --rules rules.yaml --port 8080',
  ],
  keys: [
    'runs [{file, run, format, end, answer, usage, calls, metrics, invariants, peers?}]',
    'metrics {name: …}',
    'invariants [{id, kind, broken, of, skipped, notRun, first}]',
    'losses [{file, run, kind, count, example}]',
    'scorers? {name: {versions, mean, labels, scored, failed, cost, runs [{file, run, score, label, explanation, cost, attempts, reason?}]}}',
    'url? (with --serve, where it answers)',
  ],
  exits:
    '0 scored, whatever the score · 2 misuse, or a file that is damaged or of no known format · ' +
    '3 a scorer gave no score at all',
  run: async ({ args, options, output }) => {
    if (flagOption(options, 'serve')) return await serve(options, output);
    if (args.length === 0) {
      throw new UsageError('no-files', 'there is no file to score', { hint: 'groundhog score FILE…' });
    }
    const specs = listOption(options, 'scorer');
    // What names no scorer is said before anything is scored.
    assertScorers(specs);
    const scored = scoreTraces({
      files: args,
      format: choiceOption(options, 'format', TRACE_FORMATS),
      rules: textOption(options, 'rules'),
      peers: flagOption(options, 'peers'),
      gold: textOption(options, 'gold'),
    });
    for (const line of traceLines(scored)) output.line(line);
    const format = choiceOption(options, 'format', TRACE_FORMATS);
    const scorers = specs.length === 0 ? null : await scoreWith(specs, { files: args, format });
    for (const line of scorers ? scorerLines(scorers) : []) output.line(line);
    output.json({ ...scored, ...(scorers && { scorers }) } as unknown as Json);
    return Object.values(scorers ?? {}).some((report) => report.scored === 0) ? 3 : 0;
  },
};

/** Says where it answers, then stays until it is interrupted. */
async function serve(options: Invocation['options'], output: Output): Promise<0> {
  const port = countOption(options, 'port', 0);
  const serving = serveScores({ rules: textOption(options, 'rules'), port });
  const server = await serving.catch((error: unknown) => {
    throw addressProblem(error, { host: '127.0.0.1', port: port ?? 0 });
  });
  output.line(`Scores: POST a run to ${server.url}`);
  output.json({ url: server.url });
  await untilStopped();
  await server.close();
  return 0;
}

function scorerLines(scorers: Readonly<Record<string, ScorerReport>>): readonly string[] {
  const notes = new Footnotes();
  const rows = Object.entries(scorers).map(([name, { mean, scored, failed, labels, versions, cost }]) => [
    name,
    amount(mean, notes),
    String(scored),
    String(failed),
    Object.entries(labels)
      .map(([label, count]) => `${label} ${count}`)
      .join(', '),
    cost === null ? '—' : String(cost),
    versions.join(', '),
  ]);
  const head = ['scorer', 'mean score', 'scored', 'failed', 'labels', 'cost', 'version'];
  const failures = Object.entries(scorers).flatMap(([name, { runs }]) => {
    const first = runs.find(({ reason }) => reason !== undefined);
    return first ? [`${name} failed first on ${first.file} ${first.run}: ${first.reason}`] : [];
  });
  return ['', ...layOut([head, ...rows]), ...notes.lines(), ...failures];
}
