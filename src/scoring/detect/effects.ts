import { stemsOf } from './words.ts';

const READING = new Set(
  (
    'get list search find lookup look read fetch show check view query describe count calculate lint ' +
    'retrieve inspect browse compare verify validate'
  )
    .split(' ')
    .flatMap(stemsOf),
);
const WRITING = new Set(
  (
    'create update delete remove cancel refund issue send book reserve close open add set write edit modify ' +
    'change assign merge push escalate transfer pay charge submit post put patch approve reply respond release ' +
    'publish reset rotate revoke lock unlock upload rename move archive restore revert fork star register'
  )
    .split(' ')
    .flatMap(stemsOf),
);

/** Whether a tool's name speaks of a change; the first verb counts. Names that say nothing count as reads. */
export function namesWrite(tool: string): boolean {
  const stems = stemsOf(tool);
  const first = stems.find((word) => READING.has(word) || WRITING.has(word));
  if (first === undefined) return false;
  if (READING.has(first) && first === stems[0]) return false;
  const last = stems.at(-1) ?? '';
  // `issue_read` reads and `issue_write` writes: a verb at the end says more than a noun at the start.
  if (stems.length > 1 && READING.has(last) && !READING.has(stems[0] ?? '') && last !== first) return false;
  return stems.some((word) => WRITING.has(word));
}

/** Whether a tool's name says that something is read or done; tools for thinking aloud say neither. */
export function namesDeed(tool: string): boolean {
  return stemsOf(tool).some((word) => READING.has(word) || WRITING.has(word));
}
