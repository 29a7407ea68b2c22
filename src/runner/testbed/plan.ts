import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { eachLeaf, keyOf, nameOf, type Source, ValueIndex } from './values.ts';

/**
 * A value of the plan and where it comes from. `fixed` stands in the task, or nowhere that a call has told;
 * `flows` was first given by an earlier answer; `text` has such values between its words.
 */
export type Template =
  | { readonly kind: 'fixed'; readonly value: Json; readonly inTask: boolean }
  | { readonly kind: 'flows'; readonly value: string | number; readonly sources: readonly Source[] }
  | { readonly kind: 'text'; readonly parts: readonly TextPart[] }
  | { readonly kind: 'list'; readonly items: readonly Template[] }
  | { readonly kind: 'object'; readonly members: readonly (readonly [string, Template])[] };

/** Words as they are, or a value as the text writes it. */
export type TextPart = string | { readonly written: string; readonly sources: readonly Source[] };

/** One call of the clean run, with where its arguments come from. */
export interface PlannedCall {
  readonly tool: string;
  readonly input: JsonObject;
  readonly template: Template;
  /** Whether the call succeeded in the clean run, and what its answer said there (see `saidBy`). */
  readonly ok: boolean;
  readonly answer: Json;
}

/** What a clean run does, ready to be done again from other answers. */
export interface Plan {
  readonly calls: readonly PlannedCall[];
  readonly reply: Template;
  /** Every value that the answers of the clean run gave. */
  readonly values: ValueIndex;
  /** By call, the places of its answer that something later is made of, as dotted paths. */
  readonly flows: ReadonlyMap<number, readonly string[]>;
}

/** A call of the clean run as it was made and answered. */
export interface MadeCall {
  readonly tool: string;
  readonly input: JsonObject;
  readonly ok: boolean;
  readonly answer: Json;
}

/** What a plan must know besides what was called. */
export interface PlanSetting {
  readonly task: TaskValues;
  /** Whether an argument is one of a few words that the tool's schema lists. */
  readonly isListed: (tool: string, argument: string) => boolean;
  readonly isWrite: (tool: string) => boolean;
}

/**
 * Finds for every value of a clean run where it comes from: the task first, else the earliest answer that
 * gave it. Numbers below ten and texts of one or two letters count only where their names agree, as they
 * stand everywhere by chance.
 */
export function planOf(
  calls: readonly MadeCall[],
  reply: string,
  { task, isListed, isWrite }: PlanSetting,
): Plan {
  const values = new ValueIndex();
  const planned = calls.map((call, step): PlannedCall => {
    const members = Object.entries(call.input).map(([name, value]): [string, Template] => {
      const listed = isListed(call.tool, name);
      return [
        name,
        listed
          ? { kind: 'fixed', value: value ?? null, inTask: true }
          : templateOf(value ?? null, name, { task, values }),
      ];
    });
    if (call.ok) {
      values.add(step, call.answer);
      if (isWrite(call.tool)) values.addDone(step, call.input);
    }
    return { ...call, template: { kind: 'object', members } };
  });
  const said = textTemplate(reply, { task, values });
  return {
    calls: planned,
    reply: said,
    values,
    flows: flowsOf([...planned.map((one) => one.template), said]),
  };
}

function flowsOf(templates: readonly Template[]): ReadonlyMap<number, readonly string[]> {
  const flows = new Map<number, string[]>();
  for (const source of templates.flatMap(firstSources)) {
    if (source.of === 'input') continue;
    flows.set(source.step, [...(flows.get(source.step) ?? []), source.path.join('.')]);
  }
  return flows;
}

/** Where the values of a template come from in the first place. */
export function firstSources(template: Template): readonly Source[] {
  switch (template.kind) {
    case 'fixed':
      return [];
    case 'flows':
      return template.sources.slice(0, 1);
    case 'text':
      return template.parts.flatMap((part) => (typeof part === 'string' ? [] : part.sources.slice(0, 1)));
    case 'list':
      return template.items.flatMap(firstSources);
    default:
      return template.members.flatMap(([, member]) => firstSources(member));
  }
}

interface Known {
  readonly task: TaskValues;
  readonly values: ValueIndex;
}

function templateOf(value: Json, name: string, known: Known): Template {
  if (Array.isArray(value)) {
    return { kind: 'list', items: (value as readonly Json[]).map((item) => templateOf(item, name, known)) };
  }
  if (isJsonObject(value)) {
    return {
      kind: 'object',
      members: Object.entries(value).map(([key, member]) => [key, templateOf(member ?? null, key, known)]),
    };
  }
  if (typeof value !== 'string' && typeof value !== 'number') return { kind: 'fixed', value, inTask: false };
  const key = keyOf(value);
  if (known.task.has(key)) return { kind: 'fixed', value, inTask: true };
  const sources = fitting(key, known.values.of(key), name);
  if (sources.length > 0) return { kind: 'flows', value, sources };
  return typeof value === 'string' ? textTemplate(value, known) : { kind: 'fixed', value, inTask: false };
}

/** The places that a value may come from; of one step, those of the argument's own name first. */
function fitting(key: string, sources: readonly Source[], name: string): readonly Source[] {
  const agrees = ({ path }: Source): boolean => plainName(nameOf(path)) === plainName(name);
  if (isCommon(key)) return sources.filter(agrees);
  return [...sources].sort(
    (one, other) => one.step - other.step || Number(agrees(other)) - Number(agrees(one)),
  );
}

function isCommon(key: string): boolean {
  return key.length < 3 && !/^\d\d$/u.test(key);
}

function plainName(name: string): string {
  return name.replace(/[^a-z0-9]/giu, '').toLowerCase();
}

const TOKEN = /[\p{L}\p{N}_@][\p{L}\p{N}_@.+:/'-]*/gu;
const NUMBER = /^\d[\d,]*(?:\.\d+)?$/u;
const WORDS_MOST = 4;
const SHORTEST_WORD = 4;

/** A text with the values in it that answers gave: the longest that begins at a word. */
function textTemplate(text: string, known: Known): Template {
  const tokens = [...text.matchAll(TOKEN)].map((match) => {
    const word = match[0].replace(/[.:/'-]+$/u, '');
    return { start: match.index, end: match.index + word.length };
  });
  const parts: TextPart[] = [];
  let from = 0;
  for (let index = 0; index < tokens.length; index += 1) {
    const found = valueFrom(text, tokens.slice(index, index + WORDS_MOST), known);
    const token = tokens[index];
    if (!found || !token) continue;
    if (token.start > from) parts.push(text.slice(from, token.start));
    parts.push({ written: text.slice(token.start, found.end), sources: found.sources });
    from = found.end;
    index += found.words - 1;
  }
  if (parts.length === 0) return { kind: 'fixed', value: text, inTask: known.task.has(text) };
  if (from < text.length) parts.push(text.slice(from));
  return { kind: 'text', parts };
}

interface Token {
  readonly start: number;
  readonly end: number;
}

function valueFrom(
  text: string,
  tokens: readonly Token[],
  { task, values }: Known,
): { readonly end: number; readonly words: number; readonly sources: readonly Source[] } | null {
  const start = tokens[0]?.start ?? 0;
  for (let words = tokens.length; words > 0; words -= 1) {
    const end = tokens[words - 1]?.end ?? start;
    const written = text.slice(start, end);
    const isNumber = NUMBER.test(written);
    const key = isNumber ? keyOf(Number(written.replaceAll(',', ''))) : written;
    if (task.has(key) || task.has(written)) continue;
    if (!isNumber && written.length < SHORTEST_WORD) continue;
    const sources = isNumber && key.length < 2 ? values.of(key).filter(isCount) : values.told(key);
    if (sources.length > 0) return { end, words, sources };
  }
  return null;
}

/** Small numbers in a text are told by answers only where these count something. */
function isCount({ path }: Source): boolean {
  return /count|total/iu.test(nameOf(path));
}

/** What the task itself tells: words, numbers and whole texts. */
export class TaskValues {
  readonly #text: string;
  readonly #keys = new Set<string>();

  constructor(texts: readonly string[], intent: Json | undefined) {
    this.#text = texts.join('\n').toLowerCase();
    for (const text of texts) {
      for (const [token] of text.matchAll(TOKEN)) {
        const word = token.replace(/[.:/'-]+$/u, '');
        this.#keys.add(NUMBER.test(word) ? keyOf(Number(word.replaceAll(',', ''))) : word);
        this.#keys.add(word);
      }
    }
    eachLeaf(intent, (leaf) => this.#keys.add(keyOf(leaf)));
  }

  has(key: string): boolean {
    if (this.#keys.has(key)) return true;
    return key.length >= SHORTEST_WORD && !NUMBER.test(key) && this.#text.includes(key.toLowerCase());
  }
}
