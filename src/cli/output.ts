import type { Json } from '../base/json.ts';
import { printable } from '../runner/report/printable.ts';
import type { Output } from './command.ts';

const PLAIN_PROGRESS_EVERY_MS = 2_000;

/**
 * Output on this process's streams. Whatever a trace, an agent or a file has in its texts, no line steers the
 * terminal.
 */
export function processOutput(jsonMode: boolean): Output {
  const people = jsonMode ? process.stderr : process.stdout;
  const live = process.stderr.isTTY === true && !process.env.CI;
  let shown = false;
  let lastPlainMs = 0;
  const clear = (): void => {
    if (shown) process.stderr.write('\r\u001b[2K');
    shown = false;
  };
  return {
    jsonMode,
    line(text = '') {
      clear();
      people.write(`${printable(text)}\n`);
    },
    note(text) {
      clear();
      process.stderr.write(`${printable(text)}\n`);
    },
    json(value: Json) {
      clear();
      if (jsonMode) process.stdout.write(`${JSON.stringify(value)}\n`);
    },
    progress(text, done) {
      if (live) {
        clear();
        if (done) return;
        process.stderr.write(text);
        shown = true;
        return;
      }
      const nowMs = performance.now();
      if (!done && nowMs - lastPlainMs < PLAIN_PROGRESS_EVERY_MS) return;
      lastPlainMs = nowMs;
      process.stderr.write(`${text}\n`);
    },
  };
}
