import type { Json } from '../../base/json.ts';
import type {
  ExchangeResult,
  FidelityReport,
  Figures,
  Floor,
  Floors,
  MissGroup,
  Score,
  Split,
} from '../../fidelity/index.ts';
import { Footnotes, percent } from './figures.ts';
import { layOut } from './table.ts';

const HEAD = ['', 'exchanges', 'served', 'strict %', 'pass %', 'field %', 'strict served', 'pass', 'field'];

/** A report for people: score, floors, misses. */
export function reportLines(report: FidelityReport, misses: number): readonly string[] {
  return [
    ...scoreLines(report),
    ...floorLines(report.floors, report.lift),
    `Inventions: ${report.inventions}.`,
    ...missLines(report.misses, misses),
  ];
}

/** The score as tables: the parts with intervals, the areas with plain shares. */
function scoreLines(score: Score): readonly string[] {
  const notes = new Footnotes();
  const eras = Object.entries(score.byEra);
  const rows = [
    HEAD,
    ...splitRows('current and recent', score, notes),
    ...eras.flatMap(([era, split]) => splitRows(`era ${era}`, split, notes)),
  ];
  const areas = Object.entries(score.byArea).map(([area, { exchanges, served, strict, pass, field }]) => [
    area,
    ...[exchanges, served].map(String),
    ...[strict, pass, field].map(share),
  ]);
  return [
    ...layOut(rows),
    '',
    `Endpoint-weighted pass ${percent(score.endpointWeighted, notes)}`,
    `Scenarios that pass ${percent(score.scenarioPass, notes)}, strictly ${percent(score.scenarioStrict, notes)}`,
    '',
    ...layOut([['area', 'exchanges', 'served', 'strict %', 'pass %', 'field %'], ...areas]),
    ...notes.lines(),
    '',
  ];
}

function splitRows(name: string, split: Split, notes: Footnotes): readonly (readonly string[])[] {
  return [
    figureRow(name, split, notes),
    figureRow('  stateful', split.stateful, notes),
    figureRow('  seeded reads', split.seededReads, notes),
    figureRow('  proof reads', split.proofReads, notes),
  ];
}

function figureRow(name: string, figures: Figures, notes: Footnotes): readonly string[] {
  const { strict, pass, field, strictServed, passServed, fieldServed } = figures;
  const shown = [strict, pass, field, strictServed].map((figure) => percent(figure, notes));
  const rest = [passServed, fieldServed].map((figure) => share(figure.value));
  return [name, String(figures.exchanges), String(figures.served), ...shown, ...rest];
}

function share(value: number | null): string {
  return value === null ? '—' : (value * 100).toFixed(1);
}

/** What stand-ins without state get on the same lines. */
function floorLines(floors: Floors, lift: number | null): readonly string[] {
  const row = (name: string, floor: Floor): readonly string[] => [
    name,
    ...[floor.pass, floor.strict, floor.strictWithBody, floor.strictStateful, floor.strictReads].map(share),
    share(floor.field),
  ];
  return [
    ...layOut([
      ['stand-in (bodies alone)', 'pass %', 'strict %', 'with a body', 'stateful', 'reads', 'field %'],
      row('empty', floors.empty),
      row('every text "x"', floors.texts),
      row('static mock', floors.staticMock),
    ]),
    `Lift over the static mock: ${share(lift)} %`,
    '',
  ];
}

/** Endpoints that are not served, and causes of misses at the others; the most frequent first. */
function missLines(groups: readonly MissGroup[], most: number): readonly string[] {
  const unserved = groups.filter(({ kind }) => kind === 'unserved');
  const others = groups.filter(({ kind }) => kind !== 'unserved');
  if (most === 0) return [];
  return [
    ...(unserved.length > 0 ? [`Not served: ${unserved.length} endpoints.`] : []),
    ...unserved.slice(0, most).map(({ endpoint, count }) => `${String(count).padStart(5)}  ${endpoint}`),
    ...(others.length > 0
      ? [`Misses: ${others.length} causes, by exchanges (in brackets those where nothing else is wrong).`]
      : []),
    ...others.slice(0, most).map(({ cause, count, alone, example }) => {
      const sides = `expected ${text(example.expected)}, got ${text(example.got)}`;
      return `${String(count).padStart(5)} (${alone})  ${cause}: ${sides}  [${example.exchange}]`;
    }),
  ];
}

/** Every exchange of a scenario with all its differences. */
export function exchangeLines(results: readonly ExchangeResult[], bodies: boolean): readonly string[] {
  return results.flatMap(({ record, comparison, passes, isStrict, sent, answer }) => [
    `${isStrict ? 'strict' : passes ? 'pass  ' : 'FAIL  '} ${record.seq} ${record.request.method} ${
      record.request.path
    } -> ${record.response.status}  ${record.operation} [${record.id}] auth ${record.request.auth}`,
    ...(sent && sent.path !== record.request.path ? [`         sent ${sent.path}`] : []),
    ...comparison.misses.map(
      ({ kind, at, expected, got }) => `         ${kind} ${at}: expected ${text(expected)}, got ${text(got)}`,
    ),
    ...(bodies
      ? [
          `         query    ${JSON.stringify(record.request.query)}`,
          `         request  ${JSON.stringify(sent?.body ?? record.request.body)}`,
          `         recorded ${JSON.stringify(record.response.headers)}`,
          `                  ${JSON.stringify(record.response.body)}`,
          `         here     ${answer ? JSON.stringify(answer.headers) : 'nothing was sent'}`,
          `                  ${JSON.stringify(answer?.body ?? null)}`,
        ]
      : []),
  ]);
}

const SHOWN = 120;

function text(value: Json): string {
  const whole = JSON.stringify(value);
  return whole.length <= SHOWN ? whole : `${whole.slice(0, SHOWN)}…`;
}
