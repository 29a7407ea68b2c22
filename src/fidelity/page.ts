import type { Json } from '../base/json.ts';
import type { Estimate } from '../stats/index.ts';
import type { Floor } from './floors.ts';
import type { FidelityReport } from './report.ts';
import type { Figures, Rates, Split } from './score.ts';

const MISSES_SHOWN = 80;
const UNSERVED_SHOWN = 60;
const VALUE_SHOWN = 60;

/** The page that publishes a report: score, counts, method, known misses. Markdown. */
export function fidelityPage(report: FidelityReport): string {
  const { service, byEra, floors, lift } = report;
  const unserved = report.misses.filter(({ kind }) => kind === 'unserved');
  const others = report.misses.filter(({ kind }) => kind !== 'unserved');
  const parts = [
    `# How faithful ${service} is`,
    METHOD_SHORT,
    digestLine(report.behaviour.services[service] ?? ''),
    '## Score',
    table(HEAD, [
      ...splitRows('current and recent', report),
      ...Object.entries(byEra).flatMap(([era, split]) => splitRows(`era ${era}`, split)),
    ]),
    [
      `Endpoint-weighted pass: ${percent(report.endpointWeighted)}. Scenarios in which every exchange passes:`,
      `${percent(report.scenarioPass)}, strictly: ${percent(report.scenarioStrict)}.`,
    ].join('\n'),
    '## Floors',
    FLOORS,
    table(
      ['stand-in', 'pass', 'strict', 'strict, with a body', 'strict, stateful', 'strict, reads', 'field'],
      [
        floorRow('right status, empty object or list', floors.empty),
        floorRow('the recording, every text "x"', floors.texts),
        floorRow('another recording of the same endpoint and status', floors.staticMock),
      ],
    ),
    `Lift over the static mock: ${share(lift)}.`,
    '## Method',
    method(report),
    '## By area',
    rateTable('area', report.byArea),
    '## By class of status',
    rateTable('status', report.byStatus),
    '## By source',
    rateTable('recorded by', report.bySource),
    '## Known misses',
    others.length === 0 ? 'None on the recordings that were measured.' : missTable(report),
    ...(others.length > MISSES_SHOWN
      ? [`And ${others.length - MISSES_SHOWN} causes with fewer exchanges.`]
      : []),
    '## Not served',
    unserved.length === 0
      ? 'Every endpoint that was recorded is served.'
      : table(
          ['endpoint', 'exchanges'],
          unserved.slice(0, UNSERVED_SHOWN).map(({ endpoint, count }) => [`\`${endpoint}\``, String(count)]),
        ),
    ...(unserved.length > UNSERVED_SHOWN
      ? [`And ${unserved.length - UNSERVED_SHOWN} endpoints with fewer exchanges.`]
      : []),
  ];
  return `${parts.join('\n\n')}\n`;
}

const DIGEST = /^Behaviour digest: `([0-9a-f]*)`\.$/mu;

function digestLine(digest: string): string {
  return `Behaviour digest: \`${digest}\`.`;
}

/** The behaviour digest that a published page is of; undefined for a page that names none. */
export function measuredDigest(page: string): string | undefined {
  return DIGEST.exec(page)?.[1];
}

const METHOD_SHORT = `Made by \`npm run fidelity\`, not edited by hand. Recorded exchanges of the real service
are played against worlds that are seeded from the recording, over HTTP, and every answer is compared with
the recorded one. An exchange passes if status, error, members, types, headers and the values that its
request fixed agree; it passes strictly if every comparable leaf of its body agrees too.`;

const FLOORS = `What a stand-in without any state gets on the same lines. Bodies alone are compared here:
neither headers nor the numbers of list items.`;

function method({ inventions, behaviour, exchanges, scenarios }: FidelityReport): string {
  return `- ${exchanges} exchanges of ${scenarios} scenarios count; those of the era legacy (before June 2019)
  stand apart.
- Each scenario starts in an empty world. The service's observer writes rows from the requests, and from the
  first answer that shows a thing which no earlier request made. It never stores answers.
- Ids that the simulator gives are put in place of the recorded ones in later requests. Redirects are not
  followed, nothing is tried twice. The clock stands at noon of the day of the recording.
- Ids, moments, hashes, tokens and counts of what others made are compared by type, addresses without host and
  ids, redacted texts not at all. Cut texts are compared as beginnings, cut lists by what was kept and by how
  many items there were.
- *stateful*: a write, or anything after a write of its scenario. *seeded reads*: all others; they show that
  answers are built right, not that state is kept. *proof reads*: reads of what the scenario wrote, or of what
  shows it through another view.
- *served*: the operation is modelled, whole or in part. All checks of one that is not count as failed.
- *field* is the share of single checks that agree; leaves of the strict rule are not among them.
- Intervals are 95 % percentiles of 1,000 bootstrap draws of whole scenarios, seeded.
- Members that no recording shows: ${inventions}.
- Engine: \`${behaviour.engine}\`.`;
}

const HEAD = [
  'part',
  'exchanges',
  'served',
  'strict',
  'pass',
  'field',
  'strict of served',
  'pass of served',
  'field of served',
];

function splitRows(name: string, split: Split): readonly (readonly string[])[] {
  return [
    figureRow(`**${name}**`, split),
    figureRow('stateful', split.stateful),
    figureRow('seeded reads', split.seededReads),
    figureRow('proof reads', split.proofReads),
  ];
}

function figureRow(name: string, figures: Figures): readonly string[] {
  const { exchanges, served, strict, pass, field, strictServed, passServed, fieldServed } = figures;
  const shown = [strict, pass, field, strictServed, passServed, fieldServed].map(percent);
  return [name, String(exchanges), String(served), ...shown];
}

function floorRow(name: string, floor: Floor): readonly string[] {
  const { pass, strict, strictWithBody, strictStateful, strictReads, field } = floor;
  return [name, ...[pass, strict, strictWithBody, strictStateful, strictReads, field].map(share)];
}

function rateTable(name: string, rates: Readonly<Record<string, Rates>>): string {
  return table(
    [name, 'exchanges', 'served', 'strict', 'pass', 'field'],
    Object.entries(rates).map(([key, { exchanges, served, strict, pass, field }]) => [
      key,
      String(exchanges),
      String(served),
      ...[strict, pass, field].map(share),
    ]),
  );
}

function missTable({ misses }: FidelityReport): string {
  const rows = misses
    .filter(({ kind }) => kind !== 'unserved')
    .slice(0, MISSES_SHOWN)
    .map(({ kind, at, endpoint, count, alone, example }) => [
      `\`${endpoint}\``,
      kind,
      at === '' ? '' : code(at),
      String(count),
      String(alone),
      `${value(example.expected)}, not ${value(example.got)}`,
    ]);
  return table(['endpoint', 'check', 'at', 'exchanges', 'of them alone', 'for example'], rows);
}

function value(json: Json): string {
  const text = typeof json === 'string' ? json : JSON.stringify(json);
  return code(text.length <= VALUE_SHOWN ? text : `${text.slice(0, VALUE_SHOWN)}…`);
}

function code(text: string): string {
  return `\`${text.replaceAll('`', "'").replaceAll('|', '\\|').replaceAll(/\s+/gu, ' ')}\``;
}

function percent(estimate: Estimate): string {
  if (estimate.value === null) return '—';
  const { low, high } = estimate;
  if (low === null || high === null) return `${share(estimate.value)} %`;
  return `${share(estimate.value)} % [${share(low)}, ${share(high)}]`;
}

function share(figure: number | null): string {
  return figure === null ? '—' : (figure * 100).toFixed(1);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
