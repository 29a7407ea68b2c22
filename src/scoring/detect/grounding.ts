import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { entitiesOf, type NamedEntity, weekdayOf } from './entities.ts';
import { isProse, type Seen } from './seen.ts';
import type { Finding } from './types.ts';
import { type CallView, isIdName, type Leaf, numberOf, type RunView } from './view.ts';

/** Arguments that say how much to show, not which thing is meant. */
const PAGING_WORDS =
  'page|limit|per|count|size|max|first|last|offset|cursor|after|before|days|depth|lines?|index|position|' +
  'quantity|qty|idempotency|seed|width|height|timeout';
const PAGING = new RegExp(`(?:^|_)(?:${PAGING_WORDS})(?:_|$)|perPage|pageSize`, 'i');
const MONEY = /amount|price|total|sum|fee|cost|refund|credit|charge|balance|_(?:eur|usd|gbp|cents)$/i;

/** Ids, addresses and amounts among the arguments that nothing before has given or computes. */
export function groundingOfCalls(view: RunView, seen: Seen): Finding[] {
  const findings: Finding[] = [];
  for (const call of view.calls) {
    if (call.carriesReply) continue;
    for (const leaf of call.inputLeaves) {
      if (PAGING.test(leaf.name)) continue;
      const missing = ungrounded(call, leaf, { view, seen });
      if (missing === null) continue;
      findings.push({
        step: call.index,
        kind: isMoney(leaf) ? 'ignored_observation' : 'hallucinated_argument',
        rule: isProse(leaf.value) ? 'grounding.text' : 'grounding.argument',
        subject: call.operation,
        evidence: `${leaf.path} names ${missing}, which neither the task nor an earlier result gave`,
      });
    }
  }
  return findings;
}

function isMoney({ name, value }: Leaf): boolean {
  return MONEY.test(name) && numberOf(value) !== null;
}

interface Sources {
  readonly view: RunView;
  readonly seen: Seen;
}

function ungrounded(call: CallView, leaf: Leaf, { view, seen }: Sources): string | null {
  const { value, name } = leaf;
  if (typeof value === 'boolean' || value === null) return null;
  const number = numberOf(value);
  if (number !== null && !(isIdName(name) && typeof value === 'string')) {
    if (Number.isInteger(number) && Math.abs(number) < 10) return null;
    if (countsOn(view, call, leaf)) return null;
    const known = seen.hasNumber(number, call.index) || seen.has(value, call.index);
    return known || (isMoney(leaf) && seen.computes(number, call.index)) ? null : String(value);
  }
  if (typeof value !== 'string' || value === '') return null;
  if (isProse(value)) {
    const unknown = entitiesOf(value).find((entity) => !isGiven(entity, { seen, before: call.index }));
    return unknown?.text ?? null;
  }
  if (isEnumerated(call, leaf, view)) return null;
  const names = isIdName(name) || /\d|@/.test(value);
  if (!names || wasMade(view, call.index, value)) return null;
  return seen.has(value, call.index) || partsGiven(value, { seen, before: call.index }) ? null : value;
}

/** A path, a branch or a range is known when each part with a digit in it is. */
function partsGiven(value: string, { seen, before }: { seen: Seen; before: number }): boolean {
  const parts = value.split(/[/:,\s#]+/).filter((part) => /\d|@/.test(part));
  return parts.length > 0 && !parts.includes(value) && parts.every((part) => seen.has(part, before));
}

/** One thing after the other: the number before was asked for in the same way. */
function countsOn(view: RunView, call: CallView, { path, value }: Leaf): boolean {
  return view.calls.some(
    (one) =>
      one.index < call.index &&
      one.inputLeaves.some((leaf) => leaf.path === path && Number(leaf.value) === Number(value) - 1),
  );
}

/** What the agent itself named in an earlier write exists from then on: a branch, a file. */
function wasMade(view: RunView, index: number, value: string): boolean {
  return view.calls.some(
    (call) =>
      call.index < index && call.write && call.ok && call.inputLeaves.some((leaf) => leaf.value === value),
  );
}

function isEnumerated(call: CallView, leaf: Leaf, view: RunView): boolean {
  const properties = view.tools.get(call.call.tool)?.inputSchema?.properties;
  const property = isJsonObject(properties) ? properties[leaf.path] : undefined;
  return isJsonObject(property) && Array.isArray((property as JsonObject).enum);
}

interface Before {
  readonly seen: Seen;
  readonly before: number;
}

/** True when an entity of a text was given, or comes of what was. */
export function isGiven(entity: NamedEntity, { seen, before }: Before): boolean {
  const { kind, text, value } = entity;
  if (kind === 'weekday') return seen.has(text, before);
  if (value !== null && (kind === 'amount' || kind === 'number')) {
    if (seen.hasNumber(value, before) || seen.has(text, before)) return true;
    // Cents and euros are two spellings of one amount.
    if (seen.hasNumber(value * 100, before)) return true;
    return seen.computes(value, before);
  }
  if (seen.has(text, before)) return true;
  // A date stands in front of a time, an id may be cut at its hyphen.
  if (kind === 'date' || (kind === 'id' && text.length >= 5)) return seen.hasPart(text, before);
  return kind === 'id' && text.split(/[-_]/).every((part) => seen.has(part, before));
}

/** Entities of the reply that nothing has given. */
export function groundingOfReply(view: RunView, seen: Seen): Finding[] {
  const { reply } = view.run;
  if (reply === null) return [];
  const before = view.replyStep ?? view.calls.length;
  const own = new Set(
    view.calls.flatMap(({ inputLeaves, carriesReply }) =>
      carriesReply ? [] : inputLeaves.map(({ value }) => String(value).toLowerCase()),
    ),
  );
  const dates = view.calls.flatMap(({ outputLeaves }) =>
    outputLeaves.map(({ value }) => (typeof value === 'string' ? weekdayOf(value) : null)),
  );
  const unknown = entitiesOf(reply).filter((entity) => {
    if (isGiven(entity, { seen, before }) || own.has(entity.text.toLowerCase())) return false;
    return entity.kind !== 'weekday' || !dates.includes(WEEKDAYS.indexOf(entity.text));
  });
  return unknown.map(({ kind, text }) => ({
    step: view.replyStep,
    kind: 'unsupported_claim' as const,
    rule: `grounding.reply.${kind}`,
    subject: 'reply',
    evidence: `the reply names ${text}, which neither the task nor a result gave`,
  }));
}

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
