import type { Finding } from '../types.ts';
import { type CallView, isIdName, isVolatileName, type Leaf, type RunView } from '../view.ts';
import { strengthOf } from './strength.ts';

/**
 * A value that always comes from the same place: the argument or field `to` equals a value that `from` gave
 * before it in the run (or in the same call, from argument to answer). `latest` holds for the newest value
 * alone, `any` for any of them.
 */
export interface Flow {
  readonly from: string;
  readonly to: string;
  readonly mode: 'any' | 'latest';
  readonly support: number;
}

const MIN_SUPPORT = 6;
/** By the rule of succession, what held in twelve tasks fails in one next of fourteen. */
const MIN_CLUSTERS = 12;
/** More are not counted. */
const MAX_CLUSTERS = 100;
const MIN_VALUES = 3;
/** Places of one run that are looked at; more are too many to say anything about. */
const MAX_PLACES = 400;

/** A place with the value that stands there, and what came before it. */
interface Visit {
  readonly to: string;
  readonly text: string;
  readonly call: CallView;
  readonly before: Places;
}

/** Calls `visit` for each place and value of a run in order, with the places before it. */
function walk(view: RunView, visit: (visited: Visit) => void): void {
  const before = new Places();
  for (const call of view.calls) {
    if (!call.ok && call.outputLeaves.length > 0 && !call.write) continue;
    const inputs = call.inputLeaves.flatMap((leaf) => placed(call, 'in', leaf));
    for (const [place, text] of inputs) visit({ to: place, text, call, before });
    for (const [place, text] of inputs) before.add(place, text);
    if (!call.ok) continue;
    const outputs = call.outputLeaves.flatMap((leaf) => placed(call, 'out', leaf));
    for (const [place, text] of outputs) visit({ to: place, text, call, before });
    for (const [place, text] of outputs) before.add(place, text);
  }
}

/** Values by place and places by value, as far as the run has come. */
class Places {
  readonly all = new Map<string, Set<string>>();
  readonly newest = new Map<string, string>();
  readonly byText = new Map<string, Set<string>>();

  add(place: string, text: string): void {
    let values = this.all.get(place);
    if (values === undefined) {
      if (this.all.size >= MAX_PLACES) return;
      values = new Set();
      this.all.set(place, values);
    }
    values.add(text);
    this.newest.set(place, text);
    const places = this.byText.get(text);
    if (places === undefined) this.byText.set(text, new Set([place]));
    else places.add(place);
  }
}

function placed(call: CallView, side: 'in' | 'out', leaf: Leaf): [string, string][] {
  const { value, path, name } = leaf;
  if (value === null || typeof value === 'boolean' || isVolatileName(name)) return [];
  if (typeof value === 'number' ? Math.abs(value) < 2 : value.length < 2 || value.length > 80) return [];
  return [[`${call.operation} ${side} ${path}`, String(value).toLowerCase()]];
}

interface Candidate {
  hits: number;
  latest: number;
  readonly clusters: Set<string>;
  readonly values: Set<string>;
  broken: boolean;
  brokenLatest: boolean;
}

export function learnFlows(views: readonly RunView[]): Flow[] {
  const candidates = new Map<string, Map<string, Candidate>>();
  for (const view of views) {
    walk(view, ({ to, text, before }) => {
      for (const from of before.byText.get(text) ?? []) {
        if (from === to) continue;
        count(candidates, { from, to, text, view, latest: before.newest.get(from) === text });
      }
    });
  }
  for (const [to, froms] of candidates) {
    for (const [from, one] of froms) {
      if (one.hits < MIN_SUPPORT || one.clusters.size < MIN_CLUSTERS || one.values.size < MIN_VALUES) {
        froms.delete(from);
      }
    }
    if (froms.size === 0) candidates.delete(to);
  }
  for (const view of views) {
    walk(view, ({ to, text, before }) => {
      for (const [from, one] of candidates.get(to) ?? []) {
        const values = before.all.get(from);
        if (values === undefined) continue;
        if (!values.has(text)) one.broken = true;
        if (before.newest.get(from) !== text) one.brokenLatest = true;
      }
    });
  }
  return kept(candidates);
}

interface Hit {
  readonly from: string;
  readonly to: string;
  readonly text: string;
  readonly view: RunView;
  readonly latest: boolean;
}

function count(candidates: Map<string, Map<string, Candidate>>, { from, to, text, view, latest }: Hit): void {
  let froms = candidates.get(to);
  if (froms === undefined) {
    froms = new Map();
    candidates.set(to, froms);
  }
  let one = froms.get(from);
  if (one === undefined) {
    one = {
      hits: 0,
      latest: 0,
      clusters: new Set(),
      values: new Set(),
      broken: false,
      brokenLatest: false,
    };
    froms.set(from, one);
  }
  one.hits += 1;
  if (latest) one.latest += 1;
  if (one.clusters.size < MAX_CLUSTERS) one.clusters.add(view.run.cluster);
  if (one.values.size < MIN_VALUES) one.values.add(text);
}

function kept(candidates: ReadonlyMap<string, ReadonlyMap<string, Candidate>>): Flow[] {
  const flows: Flow[] = [];
  for (const [to, froms] of candidates) {
    for (const [from, one] of froms) {
      if (one.broken) continue;
      // Of several things at hand any may be meant; of several amounts the newest counts.
      const mode = one.brokenLatest || isIdName(nameOf(to)) ? 'any' : 'latest';
      flows.push({ from, to, mode, support: one.clusters.size });
    }
  }
  return flows.sort((left, right) => right.support - left.support);
}

/** Values that come from elsewhere than they always did. */
export function againstFlows(view: RunView, flows: ReadonlyMap<string, readonly Flow[]>): Finding[] {
  const findings: Finding[] = [];
  const told = new Set<string>();
  walk(view, ({ to, text, call, before }) => {
    for (const { from, mode, support } of flows.get(to) ?? []) {
      const values = before.all.get(from);
      if (values === undefined) continue;
      const holds = mode === 'latest' ? before.newest.get(from) === text : values.has(text);
      if (holds || told.has(`${call.index} ${to}`)) continue;
      told.add(`${call.index} ${to}`);
      findings.push(flowFinding(call, { to, from, text, support }));
    }
  });
  return findings;
}

/** Flows by the place that they end in. */
export function flowsByTarget(flows: readonly Flow[]): Map<string, Flow[]> {
  const found = new Map<string, Flow[]>();
  for (const flow of flows) {
    const own = found.get(flow.to);
    if (own === undefined) found.set(flow.to, [flow]);
    else own.push(flow);
  }
  return found;
}

/** The last member of a place. */
function nameOf(place: string): string {
  return place.split(/[ .[\]]+/).at(-1) ?? place;
}

function flowFinding(
  call: CallView,
  { to, from, text, support }: { to: string; from: string; text: string; support: number },
): Finding {
  const input = to.startsWith(`${call.operation} in `);
  const path = to.slice(to.lastIndexOf(' ') + 1);
  const name = nameOf(to);
  const numeric = /^-?\d+(?:\.\d+)?$/.test(text);
  const names = isIdName(name);
  const kind = input
    ? numeric && !names
      ? 'ignored_observation'
      : 'hallucinated_argument'
    : names
      ? 'wrong_entity'
      : numeric
        ? 'inconsistent_total'
        : 'altered_value';
  return {
    step: call.index,
    kind,
    rule: input ? 'flows.argument' : 'flows.answer',
    subject: to,
    strength: strengthOf(support),
    evidence: `${path} is ${text.slice(0, 40)}; in ${support} tasks it was what "${from}" gave`,
  };
}
