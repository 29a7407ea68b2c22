import { isJsonObject, type Json, type JsonObject } from '../base/json.ts';
import type { CorpusRequest } from './types.ts';
import { isAddress } from './volatile.ts';

const IDENTIFYING = /(?:^|_)(?:id|ids|node_id|sha|oid|number|ts|guid)$|Id$/u;
const HASH = /^[0-9a-f]{40}$/u;
const HASHES = /[0-9a-f]{40}/gu;
/** Below this a number names many things, and is replaced only where its place says which one is meant. */
const TELLING_NUMBER = 1_000;

/** The path of an address without its host and any prefix of ours, as segments. */
function segmentsOf(address: string): readonly string[] {
  const path = address.replace(/^[a-z]+:\/\/[^/]*/u, '').replace(/^\/_groundhog\/s\/[^/]+\/[^/]+/u, '');
  return (path.split(/[?#{]/u, 1)[0] ?? '').split('/').slice(1);
}

/**
 * Which ids of a recording are which here. Filled by pairing answers; an id that was seen alike on both sides
 * stands for itself.
 */
export class IdentifierMap {
  readonly #texts = new Map<string, string>();
  readonly #numbers = new Map<number, Json>();
  /** Numbers that are too small to be unlike others: by the recorded path up to and with them. */
  readonly #segments = new Map<string, string>();
  readonly #small = new Map<number, Json>();
  readonly #same = new Set<Json>();

  /** Pairs the members of a recorded answer with those of the answer here. */
  learn(recorded: Json, simulated: Json, name = ''): void {
    if (Array.isArray(recorded) && Array.isArray(simulated)) {
      // Of lists that differ in length nobody knows which item is which.
      if (recorded.length !== simulated.length) return;
      for (const [index, item] of (recorded as readonly Json[]).entries()) {
        const other = (simulated as readonly Json[])[index];
        if (other !== undefined) this.learn(item, other, name);
      }
    } else if (isJsonObject(recorded) && isJsonObject(simulated)) {
      for (const [member, value] of Object.entries(recorded)) {
        const other = Object.hasOwn(simulated, member) ? simulated[member] : undefined;
        if (value !== undefined && other !== undefined) this.learn(value, other, member);
      }
    } else {
      this.#learnLeaf(recorded, simulated, name);
    }
  }

  /** The value that stands here for a recorded one. */
  valueFor(recorded: Json, name: string): Json {
    if (typeof recorded === 'string') return this.#textFor(recorded);
    if (typeof recorded !== 'number') return recorded;
    return this.#numbers.get(recorded) ?? this.#smallFor(recorded, name);
  }

  /** A recorded request as it is to be sent here. */
  requestFor(request: CorpusRequest): CorpusRequest {
    return {
      ...request,
      path: this.#pathFor(request.path),
      query: this.#bodyFor(request.query, '') as JsonObject,
      body: this.#bodyFor(request.body, ''),
    };
  }

  #learnLeaf(recorded: Json, simulated: Json, name: string): void {
    if (typeof recorded === 'string' && typeof simulated === 'string') {
      if (isAddress(recorded)) this.#learnAddress(recorded, simulated);
      else if (IDENTIFYING.test(name) || HASH.test(recorded)) this.#learnText(recorded, simulated);
      return;
    }
    if (typeof recorded !== 'number' || typeof simulated === 'object' || !IDENTIFYING.test(name)) return;
    if (recorded === simulated) this.#same.add(recorded);
    else if (recorded < TELLING_NUMBER) this.#small.set(recorded, simulated);
    else if (!this.#same.has(recorded) && !this.#numbers.has(recorded))
      this.#numbers.set(recorded, simulated);
  }

  #learnText(recorded: string, simulated: string): void {
    if (recorded === simulated) this.#same.add(recorded);
    else if (recorded !== '' && !this.#same.has(recorded) && !this.#texts.has(recorded)) {
      this.#texts.set(recorded, simulated);
    }
  }

  #learnAddress(recorded: string, simulated: string): void {
    const ours = segmentsOf(simulated);
    const theirs = segmentsOf(recorded);
    if (ours.length !== theirs.length) return;
    let prefix = '';
    for (const [index, segment] of theirs.entries()) {
      prefix += `/${segment}`;
      const own = ours[index];
      if (own !== undefined && own !== segment && /\d/u.test(segment)) this.#segments.set(prefix, own);
    }
  }

  #textFor(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    if (/^\d{4,}$/u.test(text)) {
      const number = this.#numbers.get(Number(text));
      if (number !== undefined) return String(number);
    }
    if (isAddress(text)) return this.#addressFor(text);
    return text.replaceAll(HASHES, (hash) => this.#texts.get(hash) ?? hash);
  }

  #addressFor(text: string): string {
    const origin = /^[a-z]+:\/\/[^/]*/u.exec(text)?.[0] ?? '';
    return origin + this.#pathFor(text.slice(origin.length));
  }

  #pathFor(path: string): string {
    let prefix = '';
    return path
      .split('/')
      .map((segment, index) => {
        if (index === 0) return segment;
        prefix += `/${segment}`;
        return this.#segments.get(prefix) ?? this.#textFor(segment);
      })
      .join('/');
  }

  #smallFor(number: number, name: string): Json {
    if (!/(?:^|_)(?:number|milestone|issue|id|ids)$/u.test(name) || this.#same.has(number)) return number;
    return this.#small.get(number) ?? number;
  }

  #bodyFor(value: Json, name: string): Json {
    if (Array.isArray(value)) return (value as readonly Json[]).map((item) => this.#bodyFor(item, name));
    if (!isJsonObject(value)) return this.valueFor(value, name);
    return Object.fromEntries(
      Object.entries(value).map(([member, item]) => [member, item && this.#bodyFor(item, member)]),
    );
  }
}
