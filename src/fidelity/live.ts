import { createHash } from 'node:crypto';
import { isJsonObject, type Json, type JsonObject, jsonEqual } from '../base/json.ts';
import type { Service } from '../service/types.ts';
import { exchange, wireRequest } from './client.ts';
import { corpusRecords, pathParameters } from './corpus.ts';
import { credentialHeaders } from './credentials.ts';
import { cutBody } from './cutting.ts';
import { IdentifierMap } from './identifiers.ts';
import { pointerPart } from './pointers.ts';
import type { Redaction } from './redaction.ts';
import { isWrite, servedOperations } from './replay.ts';
import { retargeted, Sandbox } from './sandbox.ts';
import type { Throttle } from './throttle.ts';
import type { Answered, CorpusRecord, CorpusRequest, CorpusScenario } from './types.ts';
import { isRedacted } from './volatile.ts';

export interface LiveOptions {
  readonly service: Service;
  /** Such as `https://api.github.com`, without a slash at its end. */
  readonly baseUrl: string;
  readonly token: string;
  /** The organisation in which things may be made, changed and deleted; nothing is written without. */
  readonly sandbox?: string | undefined;
  readonly throttle: Throttle;
  readonly redaction: Redaction;
  /** Which reads are sent; all that the service models when left out. */
  readonly wanted?: (record: CorpusRecord) => boolean;
  /** How many requests are sent at most, cleaning up aside. */
  readonly requestsMost: number;
  /** The day of the recording, `YYYY-MM-DD`. */
  readonly day: string;
  /** Takes each line of the new recording. */
  readonly write: (line: string) => void;
  /** Told what could not be cleaned up. */
  readonly note: (text: string) => void;
  readonly progress?: (done: number, of: number) => void;
}

/**
 * Asks a real service what a corpus asked it once: the reads that began its scenarios and, with a sandbox,
 * whole scenarios that begin by making something in an organisation. Gives the new recording, redacted.
 */
export async function recordLive(
  scenarios: readonly CorpusScenario[],
  options: LiveOptions,
): Promise<readonly CorpusRecord[]> {
  const plans = planned(scenarios, options);
  const of = Math.min(
    options.requestsMost,
    plans.reduce((sum, { records }) => sum + records.length, 0),
  );
  const records: CorpusRecord[] = [];
  let sent = 0;
  for (const plan of plans) {
    if (sent >= options.requestsMost) break;
    const made = await new LivePlay(options).play(plan, options.requestsMost - sent);
    sent += made.length;
    records.push(...written(plan, made, options));
    options.progress?.(sent, of);
  }
  return records;
}

/** What is to be asked: each read once, then the scenarios that stay in the sandbox. */
function planned(
  scenarios: readonly CorpusScenario[],
  { sandbox, service, wanted = () => true }: LiveOptions,
): readonly CorpusScenario[] {
  const [ownHost] = service.access.hosts;
  const served = servedOperations(service);
  const asked = new Set<string>();
  const reads = scenarios.flatMap((scenario) => {
    const firstWrite = scenario.records.findIndex(isWrite);
    const before = firstWrite < 0 ? scenario.records : scenario.records.slice(0, firstWrite);
    const records = before.filter((record) => {
      const { path, query, headers, host } = record.request;
      const key = JSON.stringify([path, query, headers.accept]);
      // One base URL stands for one host.
      if (host !== null && host !== ownHost) return false;
      if (record.operation === null || !served.has(record.operation) || !wanted(record)) return false;
      if (path.split('/').some(isRedacted) || asked.has(key)) return false;
      asked.add(key);
      return true;
    });
    return records.length > 0 ? [{ ...scenario, records }] : [];
  });
  if (sandbox === undefined) return reads;
  const writes = scenarios.flatMap((scenario) => {
    const own = scenario.records.some(isWrite) ? retargeted(scenario, sandbox) : undefined;
    return own ? [{ ...own, name: `${own.name} (writes)` }] : [];
  });
  return [...reads, ...writes];
}

interface LiveExchange {
  readonly record: CorpusRecord;
  readonly sent: CorpusRequest;
  readonly answer: Answered;
}

/** One scenario at the real service. */
class LivePlay {
  readonly #options: LiveOptions;
  readonly #identifiers = new IdentifierMap();
  readonly #sandbox: Sandbox | null;

  constructor(options: LiveOptions) {
    this.#options = options;
    this.#sandbox = options.sandbox === undefined ? null : new Sandbox(options.sandbox, options.baseUrl);
  }

  async play(scenario: CorpusScenario, requestsMost: number): Promise<readonly LiveExchange[]> {
    const made: LiveExchange[] = [];
    let hasWritten = false;
    try {
      for (const record of scenario.records.slice(0, requestsMost)) {
        const sent: CorpusRequest = { ...this.#identifiers.requestFor(record.request), host: null };
        const mayBeSent = !isWrite(record) || this.#sandbox?.allows(record.endpoint, sent) === true;
        // What comes after a write that is not made would ask about another state.
        if (!mayBeSent) break;
        hasWritten ||= isWrite(record);
        const answer = await this.#send(sent);
        if (hasWritten) this.#identifiers.learn(record.response.body, answer.body);
        if (isWrite(record)) this.#sandbox?.answered(sent, answer);
        made.push({ record, sent, answer });
      }
    } finally {
      await this.#cleanUp();
    }
    return made;
  }

  #send(request: CorpusRequest): Promise<Answered> {
    const { service, baseUrl, token, throttle } = this.#options;
    const auth = request.auth === 'none' ? 'none' : 'token';
    const wire = wireRequest(baseUrl, request, credentialHeaders(service, auth, token));
    return throttle.send(() => exchange(wire));
  }

  async #cleanUp(): Promise<void> {
    for (const path of this.#sandbox?.leftOver() ?? []) {
      const request: CorpusRequest = {
        path,
        method: 'DELETE',
        host: null,
        query: {},
        headers: {},
        auth: 'token',
        body: null,
      };
      const { status } = await this.#send(request);
      if (status >= 300 && status !== 404) this.#options.note(`could not delete ${path}: status ${status}`);
    }
  }
}

/** The exchanges of a scenario as lines of a corpus, redacted together. */
function written(
  scenario: CorpusScenario,
  made: readonly LiveExchange[],
  options: LiveOptions,
): readonly CorpusRecord[] {
  const { redaction } = options;
  for (const { record, sent, answer } of made) {
    redaction.learn(answer.body);
    for (const login of loginsOf(record.endpoint, sent.path)) redaction.login(login);
  }
  return made.flatMap((one, index) => {
    const line = JSON.stringify(lineOf(scenario, { ...one, seq: index + 1 }, options));
    options.write(line);
    return corpusRecords(line, 'live');
  });
}

/** The accounts that a path names. */
function loginsOf(endpoint: string | null, path: string): readonly string[] {
  const params = pathParameters(endpoint?.split(' ')[1] ?? '', path) ?? {};
  return ['owner', 'org', 'username'].flatMap((name) => {
    const value = params[name];
    return typeof value === 'string' ? [value] : [];
  });
}

const KEPT_HEADERS: ReadonlySet<string> = new Set([
  'content-type',
  'etag',
  'last-modified',
  'link',
  'location',
  'retry-after',
  'cache-control',
  'deprecation',
  'sunset',
  'request-id',
  'stripe-version',
]);
const KEPT_PATTERN = /^x-.*(?:rate-?limit|scopes|media-type|version|permissions|request-id)/u;

function lineOf(
  { name }: CorpusScenario,
  { record, sent, answer, seq }: LiveExchange & { readonly seq: number },
  { redaction, baseUrl, day }: LiveOptions,
): JsonObject {
  const { body, cuts } = cutBody(redaction.body(answer.body));
  const request = redaction.body(sent.body);
  const headers = Object.entries(answer.headers).filter(
    ([header]) => KEPT_HEADERS.has(header) || KEPT_PATTERN.test(header),
  );
  const { determined, differs } = fixedMembers(request, body);
  const host = new URL(baseUrl).host;
  return {
    id: `live-${createHash('sha256').update(`${day} ${name} ${seq} ${sent.path}`).digest('hex').slice(0, 12)}`,
    source: { repo: host, path: '', license: 'own', kind: 'recorded' },
    scenario: `live/${name}`,
    seq,
    recorded_at: day,
    era: 'current',
    endpoint: record.endpoint,
    operation: record.operation,
    request: {
      method: sent.method,
      host: record.request.host,
      path: redaction.text(sent.path),
      query: redaction.body(sent.query),
      headers: sent.headers,
      auth: sent.auth === 'none' ? 'none' : 'token',
      body: request,
    },
    response: {
      status: answer.status,
      headers: Object.fromEntries(headers.map(([header, text]) => [header, redaction.text(text)])),
      body,
      ...(cuts.length > 0 && { truncated: cuts as unknown as Json }),
    },
    ...(answer.status < 300 && determined.length > 0 && { determined }),
    ...(answer.status < 300 && differs.length > 0 && { differs }),
  };
}

/** Which members of an answer have the value that the request gave, and which have another. */
function fixedMembers(
  request: Json,
  response: Json,
): { readonly determined: readonly string[]; readonly differs: readonly string[] } {
  const determined: string[] = [];
  const differs: string[] = [];
  if (!isJsonObject(request) || !isJsonObject(response)) return { determined, differs };
  for (const [name, value] of Object.entries(request)) {
    const answered = Object.hasOwn(response, name) ? response[name] : undefined;
    if (value === undefined || answered === undefined || typeof value === 'object') continue;
    (jsonEqual(value, answered) ? determined : differs).push(`/${pointerPart(name)}`);
  }
  return { determined, differs };
}
