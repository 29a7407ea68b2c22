import { isJsonObject, type Json } from '../base/json.ts';
import type { Service } from '../service/types.ts';
import { LONGEST_WAIT_MS } from '../session/index.ts';
import type { BehaviourRecord } from '../trajectory/index.ts';
import { compareExchange, saidKey } from './compare.ts';
import { IdentifierMap } from './identifiers.ts';
import { ProofReads } from './proof-reads.ts';
import type { PublishedMembers } from './published.ts';
import { epochOf, RecordedTime } from './recorded-time.ts';
import { ScenarioSeeder, type Seeded } from './seeding.ts';
import { type ReplicaServer, type ReplicaSession, startReplica } from './server.ts';
import { missOf } from './tally.ts';
import type {
  Answered,
  CheckKind,
  Comparison,
  CorpusRecord,
  CorpusScenario,
  ExchangeResult,
} from './types.ts';

export interface ReplayOptions {
  readonly service: Service;
  readonly behaviour: BehaviourRecord;
  readonly published?: PublishedMembers | undefined;
  /** Told after every scenario how many exchanges are done, of how many. */
  readonly progress?: (done: number, of: number) => void;
}

/** Plays every scenario against a fresh world of its own, over HTTP, and compares each answer. */
export async function replayCorpus(
  scenarios: readonly CorpusScenario[],
  options: ReplayOptions,
): Promise<readonly ExchangeResult[]> {
  const server = await startReplica(options.service, options.behaviour);
  const seeder = new ScenarioSeeder(options.service);
  const of = scenarios.reduce((sum, { records }) => sum + records.length, 0);
  const results: ExchangeResult[] = [];
  try {
    for (const scenario of scenarios) {
      results.push(...(await new ScenarioPlay(scenario, options).play(server, seeder)));
      options.progress?.(results.length, of);
    }
  } finally {
    await server.close();
  }
  return results;
}

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether a request may change something. */
export function isWrite({ request }: CorpusRecord): boolean {
  return !READS.has(request.method);
}

/** One scenario on its way: what was made, what was said, which id is which. */
class ScenarioPlay {
  readonly #scenario: CorpusScenario;
  readonly #options: ReplayOptions;
  readonly #served: ReadonlySet<string>;
  readonly #identifiers = new IdentifierMap();
  readonly #created = new Set<Json>();
  readonly #said = new Set<string>();
  readonly #proof = new ProofReads();
  #isStateful = false;

  constructor(scenario: CorpusScenario, options: ReplayOptions) {
    this.#scenario = scenario;
    this.#options = options;
    this.#served = servedOperations(options.service);
  }

  async play(server: ReplicaServer, seeder: ScenarioSeeder): Promise<readonly ExchangeResult[]> {
    let seeded: Seeded | string;
    try {
      seeded = seeder.seed(this.#scenario);
    } catch (error) {
      seeded = `seeding broke: ${sentenceOf(error)}`;
    }
    if (typeof seeded === 'string') return this.#broken('seeding', seeded);
    let session: ReplicaSession;
    try {
      session = server.open(this.#scenario.name, seeded, epochOf(this.#scenario));
    } catch (error) {
      return this.#broken('seeding', `the session did not open: ${sentenceOf(error)}`);
    }
    const results: ExchangeResult[] = [];
    const time = new RecordedTime(epochOf(this.#scenario));
    for (const record of this.#scenario.records) {
      await this.#pass(session, record, time.until(record));
      results.push(await this.#exchange(session, record));
    }
    session.close();
    return results;
  }

  /** Lets time pass; where it is more than may pass between two calls, a read is asked in between, too. */
  async #pass(session: ReplicaSession, record: CorpusRecord, durationMs: number): Promise<void> {
    let leftMs = durationMs;
    while (leftMs > LONGEST_WAIT_MS && !isWrite(record)) {
      session.wait(LONGEST_WAIT_MS);
      leftMs -= LONGEST_WAIT_MS;
      // What cannot be asked will be told of when its turn comes.
      await session.send(this.#identifiers.requestFor(record.request)).catch(() => null);
    }
    if (leftMs > 0) session.wait(leftMs);
  }

  async #exchange(session: ReplicaSession, record: CorpusRecord): Promise<ExchangeResult> {
    const about = this.#about(record);
    const result = await this.#answered(session, record, about);
    if (isWrite(record)) this.#proof.wrote(record);
    return result;
  }

  async #answered(session: ReplicaSession, record: CorpusRecord, about: About): Promise<ExchangeResult> {
    if (!about.isServed) return failed(record, { ...about, kind: 'unserved', reason: record.endpoint ?? '' });
    const sent = this.#identifiers.requestFor(record.request);
    let answer: Answered;
    try {
      answer = await session.send(sent);
    } catch (error) {
      return { ...failed(record, { ...about, kind: 'transport', reason: sentenceOf(error) }), sent };
    }
    this.#remember(record, answer);
    const comparison = compareExchange(record, answer, {
      identifiers: this.#identifiers,
      created: this.#created,
      said: this.#said,
      published: this.#options.published,
      headers: true,
    });
    return { ...resultOf(record, comparison, about), sent, answer };
  }

  #about(record: CorpusRecord): About {
    this.#isStateful ||= isWrite(record);
    return {
      isServed: record.operation === null || this.#served.has(record.operation),
      isStateful: this.#isStateful,
      isProofRead: !isWrite(record) && this.#proof.isProof(record),
    };
  }

  /** Takes what the exchange says about later ones. */
  #remember({ request, response }: CorpusRecord, answer: Answered): void {
    remember(request.body, this.#said);
    if (!this.#isStateful || response.status >= 300 || answer.status >= 300) return;
    this.#identifiers.learn(response.body, answer.body);
    if (READS.has(request.method) || response.status === 200 || !isJsonObject(response.body)) return;
    const { id, node_id: nodeId, sha } = response.body;
    for (const made of [id, nodeId, sha]) if (made !== undefined && made !== null) this.#created.add(made);
  }

  #broken(kind: CheckKind, reason: string): readonly ExchangeResult[] {
    return this.#scenario.records.map((record) => {
      const about = this.#about(record);
      if (isWrite(record)) this.#proof.wrote(record);
      return failed(record, { ...about, kind: about.isServed ? kind : 'unserved', reason });
    });
  }
}

/** How much of a failure's sentence names it. */
const REASON_MOST = 160;

type About = Pick<ExchangeResult, 'isServed' | 'isStateful' | 'isProofRead'>;

function resultOf(record: CorpusRecord, comparison: Comparison, about: About): ExchangeResult {
  const { isServed, isStateful, isProofRead } = about;
  const passes = comparison.misses.every(({ kind }) => kind === 'strict');
  const isStrict = passes && comparison.strictAgreeing === comparison.strictChecks;
  return {
    record,
    comparison,
    passes,
    isStrict,
    isServed,
    isStateful,
    isProofRead,
    sent: null,
    answer: null,
  };
}

/** An exchange that was never answered: all its checks disagree. */
function failed(
  record: CorpusRecord,
  { kind, reason, ...about }: About & { readonly kind: CheckKind; readonly reason: string },
): ExchangeResult {
  const own = compareExchange(record, record.response, {
    identifiers: new IdentifierMap(),
    created: new Set(),
    said: new Set(),
    headers: true,
  });
  const comparison: Comparison = {
    checks: own.checks,
    agreeing: 0,
    strictChecks: own.strictChecks,
    strictAgreeing: 0,
    misses: [
      missOf({
        kind,
        at: kind === 'unserved' ? '' : reason.slice(0, REASON_MOST),
        expected: record.response.status,
        got: reason,
      }),
    ],
  };
  return resultOf(record, comparison, about);
}

const SERVED = new WeakMap<Service, ReadonlySet<string>>();

/** The operations that a service models, whole or in part. */
export function servedOperations(service: Service): ReadonlySet<string> {
  const known = SERVED.get(service);
  if (known) return known;
  const served = new Set(
    service.coverage.flatMap(({ operation, status }) => (status === 'absent' ? [] : [operation])),
  );
  SERVED.set(service, served);
  return served;
}

function remember(value: Json, said: Set<string>, name = ''): void {
  if (Array.isArray(value)) {
    for (const item of value as readonly Json[]) remember(item, said, name);
  } else if (isJsonObject(value)) {
    for (const [member, item] of Object.entries(value)) {
      if (item !== undefined) remember(item, said, member);
    }
  } else if (name !== '' && value !== null) {
    said.add(saidKey(name, value));
  }
}

function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${error.message}${cause}`;
}
