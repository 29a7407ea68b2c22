import { SeededRandom } from '../../base/random.ts';
import { CALL_EDITS, type Candidates } from './call-edits.ts';
import type { CleanRun } from './clean.ts';
import { type Mutant, mutantOf } from './mutant.ts';
import { RESPONSE_EDITS } from './response-edits.ts';

const EDITS: Readonly<Record<string, Candidates>> = { ...CALL_EDITS, ...RESPONSE_EDITS };

/** Every kind of edit, in a fixed order. */
export const KINDS: readonly string[] = Object.keys(EDITS);

/** So many candidates of one kind are tried in one clean run before it is passed over. */
const TRIES_MOST = 4;

/** An edited run and the clean run that it is an edit of, by its place in the block. */
export interface Chosen {
  readonly clean: number;
  readonly mutant: Mutant;
}

export interface ChosenEdits {
  readonly chosen: readonly Chosen[];
  /** By kind, how many fewer could be made than its share. */
  readonly short: Readonly<Record<string, number>>;
}

/**
 * Edits of a block of clean runs: as many of each kind as of any other, as far as the runs allow, one run
 * after the other in a drawn order. What a kind falls short of, the others make up for.
 * @param turn which kinds get the odd ones: another block's are others
 */
export function chooseEdits(
  cleans: readonly CleanRun[],
  {
    count,
    seed,
    turn,
    kinds = KINDS,
  }: {
    readonly count: number;
    readonly seed: string;
    readonly turn: number;
    readonly kinds?: readonly string[];
  },
): ChosenEdits {
  const share = Math.floor(count / kinds.length);
  const odd = count % kinds.length;
  const streams = kinds.map((kind) => mutantsOf(kind, cleans, seed));
  const chosen: Chosen[] = [];
  const short: Record<string, number> = {};
  for (const [index, kind] of kinds.entries()) {
    const isOdd = (index - ((turn * odd) % kinds.length) + kinds.length) % kinds.length < odd;
    const wanted = share + (isOdd ? 1 : 0);
    const found = take(streams[index], wanted);
    chosen.push(...found);
    if (found.length < wanted) short[kind] = wanted - found.length;
  }
  let open = streams;
  while (chosen.length < count && open.length > 0) {
    open = open.filter((stream) => {
      const found = chosen.length < count ? take(stream, 1) : [];
      chosen.push(...found);
      return found.length > 0;
    });
  }
  return { chosen, short };
}

function take(stream: Iterator<Chosen> | undefined, count: number): Chosen[] {
  const found: Chosen[] = [];
  while (stream && found.length < count) {
    const next = stream.next();
    if (next.done) break;
    found.push(next.value);
  }
  return found;
}

/** Mutants of one kind: one of each run in turn, then a second of each, until no run has another. */
function* mutantsOf(kind: string, cleans: readonly CleanRun[], seed: string): Generator<Chosen> {
  const order = SeededRandom.from(`${seed}/${kind}`).shuffle([...cleans.keys()]);
  let open = order.map((clean) => ({ clean, mutants: mutantsIn(kind, cleans[clean], `${seed}/${clean}`) }));
  while (open.length > 0) {
    const rest: typeof open = [];
    for (const one of open) {
      const next = one.mutants.next();
      if (next.done) continue;
      rest.push(one);
      yield { clean: one.clean, mutant: next.value };
    }
    open = rest;
  }
}

function* mutantsIn(kind: string, clean: CleanRun | undefined, seed: string): Generator<Mutant> {
  const candidates = EDITS[kind];
  if (!clean || !candidates) return;
  const seen = new Set<string>();
  let tries = 0;
  for (const edit of candidates(clean, SeededRandom.from(`${seed}/${kind}`))) {
    if (tries === TRIES_MOST) return;
    const mutant = mutantOf(clean, edit);
    const isNew = mutant !== null && !seen.has(mutant.text);
    tries = isNew ? 0 : tries + 1;
    if (!isNew) continue;
    seen.add(mutant.text);
    yield mutant;
  }
}
