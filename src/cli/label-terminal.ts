import { emitKeypressEvents } from 'node:readline';
import {
  type FailedTrial,
  type FailureLabel,
  type Key,
  type LabelState,
  press,
  screenOf,
} from '../runner/labels/index.ts';

const OPEN = '\u001b[?1049h\u001b[?25l';
const CLOSE = '\u001b[?25h\u001b[?1049l';
const HOME = '\u001b[H';
const REST_OF_LINE = '\u001b[K';

/** What a terminal reports of a key, by the types of `node:readline`. */
interface PressedKey {
  readonly name?: string | undefined;
  readonly ctrl?: boolean | undefined;
  readonly meta?: boolean | undefined;
}

/**
 * Takes keys from this process's terminal until the state ends, one failure a screen. Each label is handed to
 * `keep` as soon as it is made, so that nothing is lost when the terminal goes away.
 */
export async function labelOnTerminal(
  start: LabelState,
  failures: readonly FailedTrial[],
  keep: (label: FailureLabel) => void,
): Promise<LabelState> {
  const { stdin, stdout } = process;
  let state = start;
  let shown = failures[state.index]?.show();
  const draw = (): void => {
    if (!shown) return;
    const size = { columns: stdout.columns ?? 80, rows: stdout.rows ?? 24 };
    const { lines, scroll } = screenOf(state, shown, size);
    state = { ...state, scroll };
    stdout.write(`${HOME}${lines.map((line) => `${line}${REST_OF_LINE}`).join('\r\n')}`);
  };
  emitKeypressEvents(stdin);
  stdin.setRawMode(true);
  stdout.write(OPEN);
  try {
    await new Promise<void>((resolve, reject) => {
      const onKey = (text: string | undefined, key: PressedKey): void => {
        try {
          const index = state.index;
          const { state: next, saved } = press(state, keyOf(text, key));
          if (saved) keep(saved);
          state = next;
          if (state.ended) resolve();
          if (state.index !== index) shown = failures[state.index]?.show();
          draw();
        } catch (error) {
          reject(error as Error);
        }
      };
      stdin.on('keypress', onKey);
      stdin.once('end', resolve);
      stdout.on('resize', draw);
      stdin.resume();
      draw();
    });
  } finally {
    stdin.removeAllListeners('keypress');
    stdout.removeListener('resize', draw);
    stdin.setRawMode(false);
    stdin.pause();
    stdout.write(CLOSE);
  }
  return state;
}

function keyOf(text: string | undefined, { name = '', ctrl = false, meta = false }: PressedKey): Key {
  const typed = text !== undefined && !ctrl && !meta && /^\P{Cc}+$/u.test(text) ? text : '';
  return { name, text: typed, ctrl };
}
