import { fileURLToPath } from 'node:url';
import { COMMANDS } from './commands.ts';

/** How this process was started, as far as it decides what can be typed to start it again. */
export interface Start {
  /** The script that Node runs, as it was named. */
  readonly script: string | undefined;
  readonly folder: string;
  /** The folder of the checkout; null in the built package, which has its command on the PATH. */
  readonly checkout: string | null;
}

/** A command with its words, as a person types it here: a checkout has no `groundhog` on the PATH. */
export function commandLine(words: string, start: Start = startOfThis()): string {
  const { script, folder, checkout } = start;
  if (checkout === null || script !== `${checkout}/bin/groundhog.js`) return `groundhog ${words}`;
  return folder === checkout ? `npm run -s groundhog -- ${words}` : `node ${script} ${words}`;
}

const FIRST_WORDS = [...new Set(COMMANDS.map(([word]) => word))].join('|');
const MENTION = new RegExp(`(?<![\\w/.-])groundhog ((?:${FIRST_WORDS}|--help)\\b)`, 'gu');

/** A sentence whose mentions of commands can be typed here. */
export function typeable(sentence: string, start?: Start): string {
  return sentence.replace(MENTION, (_all, word: string) => commandLine(word, start));
}

function startOfThis(): Start {
  const unbuilt = import.meta.url.endsWith('.ts');
  return {
    script: process.argv[1],
    folder: process.cwd(),
    checkout: unbuilt ? fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/u, '') : null,
  };
}
