import { isJsonObject, type Json } from '../base/json.ts';
import { SeededRandom } from '../base/random.ts';
import { type CompareContext, compareExchange } from './compare.ts';
import { IdentifierMap } from './identifiers.ts';
import { isWrite } from './replay.ts';
import type { Answered, CorpusRecord, CorpusScenario } from './types.ts';

/** What a stand-in without any state gets, as shares from 0 to 1. */
export interface Floor {
  readonly pass: number;
  readonly strict: number;
  /** Over the exchanges whose answer has a body. */
  readonly strictWithBody: number;
  /** Over writes, and what comes after one. */
  readonly strictStateful: number;
  readonly strictReads: number;
  /** Leaves of the strict rule included. */
  readonly field: number;
}

export interface Floors {
  /** The right status with an empty object or list. */
  readonly empty: Floor;
  /** The recording, every string replaced by "x". */
  readonly texts: Floor;
  /** A random other recording of the same endpoint and status: a perfect static mock. */
  readonly staticMock: Floor;
}

const MOCK_DRAWS = 3;

/**
 * What stand-ins score on the same lines. Bodies alone are compared: neither headers nor the numbers of list
 * items.
 */
export function floorsOf(
  scenarios: readonly CorpusScenario[],
  wanted: (record: CorpusRecord) => boolean = () => true,
): Floors {
  const lines = scenarios.flatMap(linesOf).filter(({ record }) => record.era !== 'legacy' && wanted(record));
  const mock = new StaticMock(lines.map(({ record }) => record));
  return {
    empty: floorOf(lines, 1, ({ response }) => ({ ...response, body: emptied(response.body) })),
    texts: floorOf(lines, 1, ({ response }) => ({ ...response, body: withoutTexts(response.body) })),
    staticMock: floorOf(lines, MOCK_DRAWS, (record) => mock.answer(record)),
  };
}

interface Line {
  readonly record: CorpusRecord;
  readonly isStateful: boolean;
}

function linesOf({ records }: CorpusScenario): readonly Line[] {
  let isStateful = false;
  return records.map((record) => {
    isStateful ||= isWrite(record);
    return { record, isStateful };
  });
}

function floorOf(lines: readonly Line[], draws: number, standIn: (record: CorpusRecord) => Answered): Floor {
  const context: CompareContext = {
    identifiers: new IdentifierMap(),
    created: new Set(),
    said: new Set(),
    headers: false,
    counts: false,
  };
  const sums = { pass: 0, strict: 0, body: 0, stateful: 0, reads: 0, agreeing: 0, checks: 0 };
  for (let draw = 0; draw < draws; draw += 1) {
    for (const { record, isStateful } of lines) {
      const made = compareExchange(record, standIn(record), context);
      const passes = made.misses.every(({ kind }) => kind === 'strict');
      const isStrict = passes && made.strictAgreeing === made.strictChecks;
      if (passes) sums.pass += 1;
      if (isStrict) {
        sums.strict += 1;
        if (record.response.body !== null) sums.body += 1;
        if (isStateful) sums.stateful += 1;
        else sums.reads += 1;
      }
      sums.agreeing += made.agreeing + made.strictAgreeing;
      sums.checks += made.checks + made.strictChecks;
    }
  }
  const bodies = lines.filter(({ record }) => record.response.body !== null).length;
  const stateful = lines.filter((line) => line.isStateful).length;
  const share = (count: number, of: number): number => (of === 0 ? 0 : count / (of * draws));
  return {
    pass: share(sums.pass, lines.length),
    strict: share(sums.strict, lines.length),
    strictWithBody: share(sums.body, bodies),
    strictStateful: share(sums.stateful, stateful),
    strictReads: share(sums.reads, lines.length - stateful),
    field: sums.checks === 0 ? 0 : sums.agreeing / sums.checks,
  };
}

class StaticMock {
  readonly #random = SeededRandom.from('fidelity/static-mock');
  readonly #known = new Map<string, CorpusRecord[]>();

  constructor(records: readonly CorpusRecord[]) {
    for (const record of records) {
      const key = keyOf(record);
      const known = this.#known.get(key);
      if (known) known.push(record);
      else this.#known.set(key, [record]);
    }
  }

  /** Of what nothing else was recorded, a mock has no answer. */
  answer(record: CorpusRecord): Answered {
    const others = this.#known.get(keyOf(record))?.filter((other) => other !== record) ?? [];
    return others.length === 0 ? { status: 0, headers: {}, body: null } : this.#random.pick(others).response;
  }
}

function keyOf({ endpoint, response }: CorpusRecord): string {
  return `${response.status} ${endpoint}`;
}

function emptied(body: Json): Json {
  if (Array.isArray(body)) return [];
  return isJsonObject(body) ? {} : body === null ? null : '';
}

function withoutTexts(value: Json): Json {
  if (typeof value === 'string') return 'x';
  if (Array.isArray(value)) return (value as readonly Json[]).map(withoutTexts);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      member === undefined ? member : withoutTexts(member),
    ]),
  );
}
