import { isJsonObject, type Json, type JsonObject } from '../base/json.ts';
import { pathParameters } from './corpus.ts';
import type { Answered, CorpusRecord, CorpusRequest, CorpusScenario } from './types.ts';
import { isRedacted } from './volatile.ts';

/** Parameters of paths that name whose things are meant. */
const OWNERS = ['org', 'owner'] as const;
const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/**
 * Lets writes through that make something directly in one organisation, or change what was so made. Nothing
 * that was there before is ever written.
 */
export class Sandbox {
  readonly #organisation: string;
  readonly #basePath: string;
  readonly #made: string[] = [];

  constructor(organisation: string, baseUrl: string) {
    this.#organisation = organisation;
    this.#basePath = new URL(baseUrl).pathname.replace(/\/$/u, '');
  }

  allows(endpoint: string | null, request: CorpusRequest): boolean {
    if (READS.has(request.method)) return true;
    if (holdsRedacted(request.body)) return false;
    const within = this.#made.some((path) => request.path === path || request.path.startsWith(`${path}/`));
    return within || this.isCreation(endpoint, request);
  }

  /** Whether a request makes something directly in the organisation. */
  isCreation(endpoint: string | null, { method, path }: CorpusRequest): boolean {
    const template = endpoint?.split(' ')[1] ?? '';
    const params = pathParameters(template, path);
    const names = Object.keys(params ?? {});
    if (method !== 'POST' || names.length !== 1 || template.endsWith('}')) return false;
    return OWNERS.some((name) => params?.[name] === this.#organisation);
  }

  /** Takes what a write came to. */
  answered(request: CorpusRequest, answer: Answered): void {
    if (answer.status >= 300) return;
    if (request.method === 'DELETE') {
      const at = this.#made.indexOf(request.path);
      if (at >= 0) this.#made.splice(at, 1);
      return;
    }
    const { url } = isJsonObject(answer.body) ? answer.body : {};
    if (answer.status === 201 && typeof url === 'string') this.#made.push(this.#pathOf(url));
  }

  /** What was made and is there still, the newest first: to be deleted. */
  leftOver(): readonly string[] {
    return this.#made.toReversed();
  }

  /** The path of an address below the base URL. */
  #pathOf(address: string): string {
    const path = address.replace(/^[a-z]+:\/\/[^/]*/u, '');
    return path.startsWith(`${this.#basePath}/`) ? path.slice(this.#basePath.length) : path;
  }
}

/** A scenario whose first write makes something in an organisation, with another one in its place. */
export function retargeted(scenario: CorpusScenario, organisation: string): CorpusScenario | undefined {
  const first = scenario.records.find(({ request }) => !READS.has(request.method));
  const template = first?.endpoint?.split(' ')[1] ?? '';
  const params = first && pathParameters(template, first.request.path);
  const old = params?.org;
  if (typeof old !== 'string') return undefined;
  const records = scenario.records.map((record) => retarget(record, old, organisation));
  return { ...scenario, records };
}

function retarget(record: CorpusRecord, old: string, organisation: string): CorpusRecord {
  const text = (value: string): string => (value === old ? organisation : value);
  const { path, query, body } = record.request;
  const request: CorpusRequest = {
    ...record.request,
    path: path.split('/').map(text).join('/'),
    query: mapTexts(query, text) as JsonObject,
    body: mapTexts(body, text),
  };
  return { ...record, request };
}

function mapTexts(value: Json, map: (text: string) => string): Json {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => mapTexts(item, map));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      member === undefined ? member : mapTexts(member, map),
    ]),
  );
}

function holdsRedacted(value: Json): boolean {
  if (typeof value === 'string') return isRedacted(value);
  if (value === null || typeof value !== 'object') return false;
  return Object.values(value).some((member) => holdsRedacted(member as Json));
}
