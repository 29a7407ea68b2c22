import type { Json } from '../../base/json.ts';
import { failedChecks, type TrialScore } from '../../scoring/index.ts';
import type { MessageRecord, StepRecord, Trajectory } from '../../trajectory/index.ts';
import { printable } from '../report/printable.ts';
import { CODE_KEYS, type Entry, type LabelState } from './machine.ts';
import { MAST_MODES } from './mast.ts';
import { labelKey, placeText } from './types.ts';

/** A failed trial as the screen shows it; lines are not wrapped yet. */
export interface ShownTrial {
  /** What broke, the earliest first. */
  readonly checks: readonly string[];
  readonly task: string | null;
  /** Calls and messages, numbered as labels name them. */
  readonly episode: readonly string[];
}

const LONGEST = 1_200;

/** The parts of a trial that a person reads to label it. */
export function shownTrial(trajectory: Trajectory | null, score: TrialScore): ShownTrial {
  const checks = failedChecks(score).map(({ check, witness }) => `${check}: ${witness.message}`);
  if (trajectory === null) return { checks, task: null, episode: ['It has no trajectory.'] };
  const { header, steps, messages, end } = trajectory;
  const lines: string[] = [];
  const sayAfter = (step: number): void => {
    for (const message of messages) if (message.afterStep === step) lines.push(messageLine(message));
  };
  for (const step of steps) {
    sayAfter(step.index);
    lines.push(...stepLines(step));
  }
  sayAfter(steps.length);
  const last = messages.findLast(({ role }) => role === 'agent')?.text;
  if (end?.answer && end.answer !== last) lines.push(`answer: ${end.answer}`);
  lines.push(`Ended: ${end?.reason ?? 'cut short'}${end?.detail === undefined ? '' : ` (${end.detail})`}`);
  // Calls that no reference call is like are no news: the reference may do without looking things up.
  const apart = (score.calls ?? []).filter(({ expected }) => expected !== undefined);
  if (apart.length > 0) lines.push('', 'Against the reference:', ...apart.map(({ message }) => cut(message)));
  return { checks, task: header.task?.text ?? null, episode: lines };
}

function messageLine({ index, role, text }: MessageRecord): string {
  return `m${index} ${role}: ${text}`;
}

function stepLines({ index, tool, input, malformed, outcome, response, delivered }: StepRecord): string[] {
  const given = delivered?.lost ? 'nothing, the answer was lost' : cut(delivered?.body ?? response);
  return [`${index}  ${tool} ${cut(malformed ?? input)}`, `   ${outcome}: ${given}`];
}

function cut(value: Json): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`;
}

/** The rows of a terminal, and the scroll that is possible. */
export interface Screen {
  readonly lines: readonly string[];
  readonly scroll: number;
}

/** The screen at this state: never more rows than the terminal has, none wider. */
export function screenOf(
  state: LabelState,
  shown: ShownTrial,
  size: { readonly columns: number; readonly rows: number },
): Screen {
  const width = Math.max(20, size.columns);
  const head = headOf(state, shown, width);
  const foot = footOf(state, width);
  const room = Math.max(1, size.rows - head.length - foot.length);
  const body = shown.episode.flatMap((line) => wrapped(line, width));
  const scroll = Math.min(state.scroll, Math.max(0, body.length - room));
  const part = body.slice(scroll, scroll + room);
  const padding = Array.from({ length: room - part.length }, () => '');
  return { lines: [...head, ...part, ...padding, ...foot].slice(0, size.rows), scroll };
}

const MOST_CHECKS = 3;
const TASK_ROWS = 4;

function headOf(state: LabelState, { checks, task }: ShownTrial, width: number): string[] {
  const item = state.items[state.index];
  const done = state.items.filter((one) => state.labels.has(labelKey(one))).length;
  const name = item ? `${item.scenario}, trial ${item.trial}` : 'nothing';
  const title = `${state.index + 1} of ${state.items.length}: ${name}   (${done} labelled)`;
  const taskRows = task === null ? [] : wrapped(`Task: ${task}`, width).slice(0, TASK_ROWS);
  return [
    clipped(title, width),
    ...checks.slice(0, MOST_CHECKS).map((check) => clipped(`✗ ${check}`, width)),
    ...taskRows,
    '─'.repeat(width),
  ];
}

function footOf(state: LabelState, width: number): string[] {
  const { draft, codes, entry, notice } = state;
  const keyed = codes.map((code, index) => (CODE_KEYS[index] ? `${CODE_KEYS[index]} ${code}` : code));
  const modes = draft.mast.map((mode) => `${mode} ${MAST_MODES[mode] ?? ''}`).join(', ');
  return [
    '─'.repeat(width),
    ...wrapped(keyed.length === 0 ? 'No codes yet.' : keyed.join(' · '), width),
    clipped(
      `code ${draft.code ?? '—'}   first wrong ${placeText(draft.at) || '—'}   MAST ${modes || '—'}`,
      width,
    ),
    clipped(`note ${draft.note || '—'}`, width),
    clipped(entry ? `${PROMPTS[entry.kind]} ${entry.text}▏` : notice || HELP, width),
  ];
}

const PROMPTS: Readonly<Record<Entry['kind'], string>> = {
  code: 'code:',
  place: 'first wrong step (a number) or message (m and a number):',
  mast: 'MAST modes, such as 1.1 2.6:',
  note: 'note:',
};

const HELP =
  '+ new code · 0-9 step · m message · n note · t MAST · ⏎ keep · z back · x skip · ↑↓ scroll · q quit';

/** A text as rows of at most this many characters; its own line ends stay. */
export function wrapped(text: string, width: number): string[] {
  return printable(text)
    .replaceAll('\t', '  ')
    .split('\n')
    .flatMap((line) => rowsOf([...line], width));
}

function rowsOf(characters: readonly string[], width: number): string[] {
  const rows: string[] = [];
  let rest = characters;
  while (rest.length > width) {
    const space = rest.lastIndexOf(' ', width);
    const end = space > width / 2 ? space : width;
    rows.push(rest.slice(0, end).join(''));
    rest = rest.slice(space > width / 2 ? end + 1 : end);
  }
  return [...rows, rest.join('')];
}

function clipped(text: string, width: number): string {
  const [first = '', ...more] = wrapped(text, Math.max(1, width - 1));
  return more.length === 0 ? first : `${first}…`;
}
