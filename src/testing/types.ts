import type { Json, JsonObject } from '../base/json.ts';
import type { Probe } from '../service/evidence.ts';
import type { Actor, RequestHeaders } from '../service/types.ts';

/** One call of a script. */
export interface ScriptCall {
  /** A tool's name or an operation's id. */
  readonly tool: string;
  /** `{$token: index}` in it stands for the token that an earlier call of the script was given. */
  readonly input: Json;
  /** The call shows the token that an earlier call of the script was given: the index of that one. */
  readonly tokenOf?: number;
  /** Who makes the call, an actor of the session; its first when left out. */
  readonly actor?: string;
  /** Request headers, as the protocol would pick them. */
  readonly headers?: RequestHeaders;
}

/** Calls made one after the other on the small seed. */
export interface Script {
  readonly title: string;
  readonly calls: readonly ScriptCall[];
}

/** A listing that gives pages: how to ask for the next one, and where the items are. */
export interface Listing {
  readonly operation: string;
  /** Filters that stay the same for all pages. */
  readonly input: JsonObject;
  /** Dotted path of the items in an answer. */
  readonly items: string;
  /** Input that sets the size of a page. */
  readonly limit: string;
  /** Input that takes the cursor. */
  readonly cursor: string;
  /**
   * Dotted path of the next cursor in an answer; null or absent there means the last page. Left out where
   * pages are numbered from 1: then the first empty one is behind the last.
   */
  readonly next?: string;
  /** Why the small seed has less than two of them, which shows little; pages are asked for all the same. */
  readonly few?: string;
}

/** The laws, by name; `skip` takes these. */
export const LAWS = [
  'declarations fit together',
  'examples succeed on the small seed',
  'probes hold',
  'same seed and inputs give the same trajectory',
  'reads and failures leave the content alone',
  'forks do not leak',
  'responses are JSON',
  'responses match their output schema',
  'paging is stable',
  'declared errors are reached',
  'volatile columns are those fed from clock, ids and randomness',
  'random calls never break an invariant',
  'fault plans never break a world',
] as const;
export type Law = (typeof LAWS)[number];

/** What the kit cannot know by itself. Every exception carries its reason. */
export interface ConformanceOptions {
  readonly probes: readonly Probe[];
  /** Who calls: the actors of the session, the caller first. */
  readonly actors?: readonly Actor[];
  /** Calls that reach what examples and probes do not. */
  readonly scripts?: readonly Script[];
  readonly listings?: readonly Listing[];
  /** Errors that state can cause in principle and the small seed cannot, by code, with the reason. */
  readonly unreached?: Readonly<Record<string, string>>;
  /** Operations without a probe, by id, with the reason. */
  readonly unprobed?: Readonly<Record<string, string>>;
  /** Columns (`table.column`) that look volatile or steady against their declaration, with the reason. */
  readonly volatility?: Readonly<Record<string, string>>;
  /** Laws that do not apply, with the reason. */
  readonly skip?: Readonly<Partial<Record<Law, string>>>;
  /** Random sequences: how many, of how many calls at most, and from which seed. */
  readonly random?: { readonly runs?: number; readonly length?: number; readonly seed?: number };
}
