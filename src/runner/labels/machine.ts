import { MAST_MODES } from './mast.ts';
import { type FailureLabel, type LabelPlace, labelKey, placeText } from './types.ts';

/** A failed trial that can be labelled. */
export interface LabelItem {
  readonly scenario: string;
  readonly trial: number;
  /** How many calls and messages there are: a place beyond them is refused. */
  readonly steps: number;
  readonly messages: number;
}

/** A key as a terminal reports it. `text` is what it types, empty for keys that type nothing. */
export interface Key {
  readonly name: string;
  readonly text: string;
  readonly ctrl: boolean;
}

/** What is said of the trial on the screen, before it is kept. */
export interface Draft {
  readonly code: string | null;
  readonly at: LabelPlace | null;
  readonly mast: readonly string[];
  readonly note: string;
}

/** A line that is being typed. */
export interface Entry {
  readonly kind: 'code' | 'place' | 'mast' | 'note';
  readonly text: string;
}

/** Everything that the screen shows, and that the next key works on. */
export interface LabelState {
  readonly items: readonly LabelItem[];
  readonly index: number;
  readonly labels: ReadonlyMap<string, FailureLabel>;
  /** In the order of first use, so that a code keeps its key. */
  readonly codes: readonly string[];
  readonly by: string | null;
  readonly draft: Draft;
  readonly entry: Entry | null;
  /** One sentence about the last key. */
  readonly notice: string;
  /** First line of the episode that is shown. */
  readonly scroll: number;
  readonly ended: boolean;
}

/** The keys of the first codes; any other is chosen by typing its name. */
export const CODE_KEYS = 'abcdefghijkl';

/** The state at the first trial without a label. */
export function startLabelling(
  items: readonly LabelItem[],
  labels: readonly FailureLabel[],
  options: { readonly by?: string; readonly codes?: readonly string[] } = {},
): LabelState {
  const known = new Map(labels.map((label) => [labelKey(label), label]));
  const codes = [...new Set([...(options.codes ?? []), ...labels.map(({ code }) => code)])];
  const first = items.findIndex((item) => !known.has(labelKey(item)));
  const state: LabelState = {
    items,
    index: Math.max(0, first),
    labels: known,
    codes,
    by: options.by ?? null,
    draft: EMPTY,
    entry: null,
    notice: '',
    scroll: 0,
    ended: items.length === 0,
  };
  return at(state, state.index);
}

const EMPTY: Draft = { code: null, at: null, mast: [], note: '' };

/** What a key does; `saved` is a label that is to be kept now. */
export interface Pressed {
  readonly state: LabelState;
  readonly saved: FailureLabel | null;
}

export function press(state: LabelState, key: Key): Pressed {
  if (state.ended) return { state, saved: null };
  if (key.ctrl && (key.name === 'c' || key.name === 'd')) {
    return { state: { ...state, ended: true }, saved: null };
  }
  const fresh = { ...state, notice: '' };
  if (state.entry) return { state: typed(fresh, state.entry, key), saved: null };
  if (key.name === 'return' || key.name === 'enter') return kept(fresh);
  return { state: browsed(fresh, key), saved: null };
}

function browsed(state: LabelState, key: Key): LabelState {
  const moved = MOVES[key.name];
  if (moved !== undefined) return { ...state, scroll: Math.max(0, state.scroll + moved) };
  if (key.name === 'left' || key.text === 'z') return at(state, Math.max(0, state.index - 1));
  if (key.name === 'right' || key.text === 'x') {
    return at(state, Math.min(state.items.length - 1, state.index + 1));
  }
  if (key.text === 'q') return { ...state, ended: true };
  if (/^[0-9m]$/u.test(key.text)) return { ...state, entry: { kind: 'place', text: key.text } };
  const opened = ENTRIES[key.text];
  if (opened) return { ...state, entry: { kind: opened, text: startingText(state, opened) } };
  const code = key.text.length === 1 ? state.codes[CODE_KEYS.indexOf(key.text)] : undefined;
  if (code !== undefined) return { ...state, draft: { ...state.draft, code } };
  return state;
}

const MOVES: Readonly<Record<string, number>> = { up: -1, down: 1, pageup: -15, pagedown: 15, space: 15 };
const ENTRIES: Readonly<Record<string, Entry['kind']>> = { '+': 'code', n: 'note', t: 'mast' };

function startingText({ draft }: LabelState, kind: Entry['kind']): string {
  if (kind === 'note') return draft.note;
  return kind === 'mast' ? draft.mast.join(' ') : '';
}

/** A key while a line is typed. */
function typed(state: LabelState, entry: Entry, key: Key): LabelState {
  if (key.name === 'escape') return { ...state, entry: null };
  if (key.name === 'return' || key.name === 'enter') return entered(state, entry);
  if (key.name === 'backspace') {
    const text = [...entry.text].slice(0, -1).join('');
    return { ...state, entry: { ...entry, text } };
  }
  if (key.ctrl || !/^\P{Cc}+$/u.test(key.text)) return state;
  return { ...state, entry: { ...entry, text: entry.text + key.text } };
}

function entered(state: LabelState, { kind, text }: Entry): LabelState {
  const said = text.trim();
  const done = { ...state, entry: null };
  switch (kind) {
    case 'note':
      return { ...done, draft: { ...state.draft, note: said } };
    case 'code':
      return codeEntered(done, said);
    case 'place':
      return placeEntered(done, said);
    case 'mast': {
      const modes = said.split(/[\s,]+/u).filter((mode) => mode !== '');
      const unknown = modes.find((mode) => !Object.hasOwn(MAST_MODES, mode));
      if (unknown !== undefined) return { ...done, notice: `MAST has no mode ${unknown}.` };
      return { ...done, draft: { ...state.draft, mast: [...new Set(modes)] } };
    }
  }
}

function codeEntered(state: LabelState, said: string): LabelState {
  const code = said.toLowerCase().replace(/\s+/gu, '-');
  if (code === '') return state;
  const codes = state.codes.includes(code) ? state.codes : [...state.codes, code];
  return { ...state, codes, draft: { ...state.draft, code } };
}

function placeEntered(state: LabelState, said: string): LabelState {
  const { steps = 0, messages = 0 } = state.items[state.index] ?? {};
  const message = said.startsWith('m');
  const digits = message ? said.slice(1).trim() : said;
  const most = message ? messages : steps;
  const number = Number(digits);
  if (!/^\d{1,6}$/u.test(digits) || number >= most) {
    const range = most === 0 ? 'there is none' : `they go from 0 to ${most - 1}`;
    return { ...state, notice: `There is no ${message ? 'message' : 'step'} "${digits}": ${range}.` };
  }
  const place = message ? { message: number } : { step: number };
  return { ...state, draft: { ...state.draft, at: place } };
}

/** Keeps the draft and goes on; after the last trial, to one that was passed over. */
function kept(state: LabelState): Pressed {
  const item = state.items[state.index];
  const { code, at: place, mast, note } = state.draft;
  if (!item || code === null) {
    const notice = state.codes.length === 0 ? 'Type a first code: +' : 'Choose a code first.';
    return { state: { ...state, notice }, saved: null };
  }
  const { scenario, trial } = item;
  const before = state.labels.get(labelKey(item));
  const saved: FailureLabel = {
    scenario,
    trial,
    at: place,
    code,
    ...(mast.length > 0 && { mast }),
    ...(note !== '' && { note }),
    ...(before?.disputed !== undefined && { disputed: before.disputed }),
    ...(state.by !== null && { by: state.by }),
  };
  const labels = new Map(state.labels).set(labelKey(item), saved);
  const where = place === null ? '' : ` at ${placeText(place)}`;
  const next = { ...state, labels, notice: `Kept: ${code}${where}.` };
  const index = following(next, before !== undefined);
  return { state: index === null ? { ...next, ended: true } : at(next, index), saved };
}

/** The trial after this one: the next without a label, or the next of all while labels are gone over. */
function following({ items, index, labels }: LabelState, again: boolean): number | null {
  if (again && index + 1 < items.length) return index + 1;
  const isOpen = (item: LabelItem): boolean => !labels.has(labelKey(item));
  const later = items.findIndex((item, number) => number > index && isOpen(item));
  const open = later === -1 ? items.findIndex(isOpen) : later;
  return open === -1 ? null : open;
}

/** The trial of this number on the screen, with what was said of it. */
function at(state: LabelState, index: number): LabelState {
  const item = state.items[index];
  const label = item && state.labels.get(labelKey(item));
  const draft = label
    ? { code: label.code, at: label.at, mast: label.mast ?? [], note: label.note ?? '' }
    : EMPTY;
  return { ...state, index, draft, entry: null, scroll: 0 };
}
