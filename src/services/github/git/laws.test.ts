import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../../../base/random.ts';
import {
  changedPaths,
  diffTexts,
  type GitWriter,
  listTree,
  memoryStore,
  mergeBytes,
  mergeTrees,
  type TreeChange,
  writeTree,
} from './index.ts';

const ROUNDS = 150;

function pick<T>(random: SeededRandom, from: readonly T[], otherwise: T): T {
  return from[random.integer(0, from.length - 1)] ?? otherwise;
}

function randomLines(random: SeededRandom): string[] {
  const words = pick(random, [['a', 'b'], ['', '}', '  x', 'f() {'], [...'abcdefghijklmnop']], ['a']);
  return Array.from({ length: random.integer(0, 30) }, () => pick(random, words, ''));
}

function edited(random: SeededRandom, lines: readonly string[]): string[] {
  const result = [...lines];
  for (let edits = random.integer(0, 5); edits > 0; edits -= 1) {
    result.splice(random.integer(0, result.length), random.integer(0, 2), ...randomLines(random).slice(0, 2));
  }
  return result;
}

function ended(random: SeededRandom, lines: readonly string[]): string {
  const text = lines.join('\n');
  return text === '' || random.integer(0, 4) === 0 ? text : `${text}\n`;
}

/** What a patch makes of a text, read as the format says and not as it was made. */
function applyPatch(before: string, patch: string): string {
  const old = before.split(/(?<=\n)/u);
  const result: string[] = [];
  let at = 0;
  const rows = patch === '' ? [] : patch.split('\n');
  for (const [index, row] of rows.entries()) {
    const header = /^@@ -(\d+)(?:,(\d+))? /u.exec(row);
    const start = header ? Number(header[1]) - (header[2] === '0' ? 0 : 1) : 0;
    while (header && at < start) result.push(old[at++] ?? '');
    const text = row.slice(1) + (rows[index + 1]?.startsWith('\\') ? '' : '\n');
    if (row.startsWith(' ') || row.startsWith('-')) expect(old[at++]).toBe(text);
    if (row.startsWith(' ') || row.startsWith('+')) result.push(text);
  }
  return result.concat(old.slice(at)).join('');
}

describe('for any texts', () => {
  it('a patch makes the new one of the old one, and counts its own lines', () => {
    const random = SeededRandom.from('patches');
    for (let round = 0; round < ROUNDS; round += 1) {
      const lines = randomLines(random);
      const [before, after] = [ended(random, lines), ended(random, edited(random, lines))];
      const { patch, additions, deletions } = diffTexts(before, after);
      expect(applyPatch(before, patch)).toBe(after);
      const rows = patch.split('\n');
      expect(rows.filter((row) => row.startsWith('+'))).toHaveLength(additions);
      expect(rows.filter((row) => row.startsWith('-'))).toHaveLength(deletions);
    }
  });

  it('a merge does not depend on which side is which, and takes the only change there is', () => {
    const random = SeededRandom.from('merges');
    let clean = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const lines = randomLines(random);
      const base = ended(random, lines);
      const [ours, theirs] = [ended(random, edited(random, lines)), ended(random, edited(random, lines))];
      const merged = mergeBytes({ base, ours, theirs });
      expect(mergeBytes({ base, ours: theirs, theirs: ours })).toBe(merged);
      expect(mergeBytes({ base, ours, theirs: base })).toBe(ours);
      expect(mergeBytes({ base, ours, theirs: ours })).toBe(ours);
      clean += Number(merged !== null);
    }
    expect(clean).toBeGreaterThan(ROUNDS / 10);
    expect(clean).toBeLessThan(ROUNDS);
  });
});

const PATHS = ['a', 'b/c', 'b/d', 'b/e/f', 'g/h', 'i'];

function randomTree(random: SeededRandom, store: GitWriter, base: string | null): string {
  const changes = PATHS.filter(() => random.integer(0, 2) === 0).map(
    (path): TreeChange =>
      random.integer(0, 3) === 0
        ? { path, sha: null }
        : { path, content: ended(random, randomLines(random)) },
  );
  return writeTree(store, base, changes);
}

describe('for any trees', () => {
  it('what changed makes the new one of the old one', () => {
    const random = SeededRandom.from('trees');
    for (let round = 0; round < ROUNDS; round += 1) {
      const store = memoryStore();
      const before = randomTree(random, store, null);
      const after = randomTree(random, store, before);
      const changes = changedPaths(store, before, after).flatMap(({ path, previousPath, after: leaf }) => [
        ...(previousPath === null ? [] : [{ path: previousPath, sha: null }]),
        leaf ? { path, sha: leaf.sha, mode: leaf.mode } : { path, sha: null },
      ]);
      expect(writeTree(store, before, changes)).toBe(after);
      expect(writeTree(store, null, [...listTree(store, after)])).toBe(after);
    }
  });

  it('a merge with one side unchanged is the other side, and sides can be swapped', () => {
    const random = SeededRandom.from('tree merges');
    for (let round = 0; round < ROUNDS; round += 1) {
      const store = memoryStore();
      const base = randomTree(random, store, null);
      const [ours, theirs] = [randomTree(random, store, base), randomTree(random, store, base)];
      expect(mergeTrees(store, { base, ours, theirs: base })).toEqual({ ok: true, tree: ours });
      expect(mergeTrees(store, { base, ours: base, theirs })).toEqual({ ok: true, tree: theirs });
      const merged = mergeTrees(store, { base, ours, theirs });
      const swapped = mergeTrees(store, { base, ours: theirs, theirs: ours });
      expect(swapped.ok).toBe(merged.ok);
      if (merged.ok) expect(swapped).toEqual(merged);
    }
  });
});
