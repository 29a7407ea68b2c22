import { describe, expect, it } from 'vitest';
import {
  cherryPick,
  createCommit,
  type GitWriter,
  listTree,
  memoryStore,
  merge,
  mergeConflicts,
  mergeTrees,
  rebase,
  revert,
  squash,
  type TreeChange,
  textAt,
  writeTree,
} from './index.ts';

const PERSON = { name: 'Ana', email: 'ana@example.test', date: '2024-01-01T00:00:00Z' };
const LATER = { name: 'Bot', email: 'bot@example.test', date: '2024-02-01T00:00:00Z' };

function lines(change: Readonly<Record<number, string>> = {}): string {
  return Array.from({ length: 12 }, (_, at) => `${change[at + 1] ?? `line ${at + 1}`}\n`).join('');
}

/** The files of a tree by path; null where it could not be merged. */
function files(store: GitWriter, tree: string): Record<string, string | null> {
  return Object.fromEntries([...listTree(store, tree)].map(({ path, sha }) => [path, textAt(store, sha)]));
}

function three(base: readonly TreeChange[], ours: readonly TreeChange[], theirs: readonly TreeChange[]) {
  const store = memoryStore();
  const root = writeTree(store, null, base);
  const merged = mergeTrees(store, {
    base: root,
    ours: writeTree(store, root, ours),
    theirs: writeTree(store, root, theirs),
  });
  return merged.ok ? files(store, merged.tree) : merged.conflicts;
}

const BASE = [
  { path: 'f', content: lines() },
  { path: 'd/g', content: 'g\n' },
];

describe('trees', () => {
  it('take what either side changed', () => {
    const ours = [{ path: 'new', content: 'n\n' }];
    expect(three(BASE, ours, [{ path: 'd/g', sha: null }])).toEqual({ f: lines(), new: 'n\n' });
    const mode = [{ path: 'f', content: lines(), mode: '100755' }];
    expect(three(BASE, mode, [{ path: 'f', content: lines({ 1: 'one' }) }])).toMatchObject({
      f: lines({ 1: 'one' }),
    });
  });

  it('merge a file by lines', () => {
    const ours = [{ path: 'f', content: lines({ 2: 'two' }) }];
    const theirs = (at: number, text: string) => [{ path: 'f', content: lines({ [at]: text }) }];
    expect(three(BASE, ours, theirs(9, 'nine'))).toMatchObject({ f: lines({ 2: 'two', 9: 'nine' }) });
    expect(three(BASE, ours, theirs(2, 'two'))).toMatchObject({ f: lines({ 2: 'two' }) });
    expect(three(BASE, ours, theirs(2, 'zwei'))).toEqual(['f']);
    expect(three(BASE, ours, theirs(3, 'next'))).toEqual(['f']);
  });

  it('follow a file that one side renamed', () => {
    const moved = [
      { path: 'f', sha: null },
      { path: 'src/f', content: lines({ 1: 'one' }) },
    ];
    const edited = [{ path: 'f', content: lines({ 12: 'twelve' }) }];
    const expected = { 'd/g': 'g\n', 'src/f': lines({ 1: 'one', 12: 'twelve' }) };
    expect(three(BASE, moved, edited)).toEqual(expected);
    expect(three(BASE, edited, moved)).toEqual(expected);
    expect(three(BASE, moved, moved)).toEqual({ 'd/g': 'g\n', 'src/f': lines({ 1: 'one' }) });
  });

  it('name what cannot be merged', () => {
    const remove = [{ path: 'f', sha: null }];
    const edit = [{ path: 'f', content: lines({ 1: 'one' }) }];
    const move = (path: string) => [...remove, { path, content: lines() }];
    expect(three(BASE, remove, edit)).toEqual(['f']);
    expect(three(BASE, edit, remove)).toEqual(['f']);
    expect(three(BASE, move('a'), move('b'))).toEqual(['f']);
    expect(three(BASE, [{ path: 'n', content: '1' }], [{ path: 'n', content: '2' }])).toEqual(['n']);
    expect(three(BASE, [{ path: 'd/g', content: '\0a' }], [{ path: 'd/g', content: '\0b' }])).toEqual([
      'd/g',
    ]);
    expect(three(BASE, [{ path: 'n', content: '1' }], [{ path: 'n/m', content: '2' }])).toEqual(['n/m']);
    expect(three(BASE, [{ path: 'n/m', content: '1' }], [{ path: 'n', content: '2' }])).toEqual(['n']);
  });

  it('go on where nothing is known', () => {
    const store = memoryStore();
    const [base, ours, theirs] = ['a', 'b', 'c'].map((digit) => digit.repeat(40));
    expect(mergeTrees(store, { base: base ?? '', ours: ours ?? '', theirs: theirs ?? '' })).toEqual({
      ok: true,
      tree: theirs,
    });
  });
});

/** A trunk and a branch of two commits, the trunk gone on by one. */
function branches(trunk: readonly TreeChange[]) {
  const store = memoryStore();
  const commit = (message: string, parents: readonly string[], changes: readonly TreeChange[]) => {
    const parent = parents[0] === undefined ? undefined : store.get(parents[0]);
    const base = parent?.kind === 'commit' ? parent.tree : null;
    return createCommit(store, { tree: writeTree(store, base, changes), parents, message, author: PERSON });
  };
  const root = commit('root', [], BASE);
  const one = commit('one', [root], [{ path: 'f', content: lines({ 2: 'two' }) }]);
  const two = commit('two', [one], [{ path: 'new', content: 'n\n' }]);
  const main = commit('main', [root], trunk);
  return { store, commit, root, one, two, main };
}

function commitOf(store: GitWriter, sha: string) {
  const object = store.get(sha);
  if (object?.kind !== 'commit') throw new Error(`${sha} is no commit`);
  return object;
}

const EDIT_NINE = [{ path: 'f', content: lines({ 9: 'nine' }) }];
const EDIT_TWO = [{ path: 'f', content: lines({ 2: 'zwei' }) }];
const MERGED = { 'd/g': 'g\n', f: lines({ 2: 'two', 9: 'nine' }), new: 'n\n' };

describe('histories', () => {
  it('are merged and squashed', () => {
    const { store, two, main, root } = branches(EDIT_NINE);
    const request = { base: main, head: two, message: 'Merge', author: PERSON, committer: LATER };
    for (const [join, parents] of [
      [merge, [main, two]],
      [squash, [main]],
    ] as const) {
      const joined = join(store, request);
      if (joined.kind !== 'made') throw new Error(joined.kind);
      const commit = commitOf(store, joined.sha);
      expect(commit).toMatchObject({ parents, message: 'Merge', author: PERSON, committer: LATER });
      expect(files(store, commit.tree)).toEqual(MERGED);
    }
    expect(merge(store, { ...request, head: root })).toEqual({ kind: 'up-to-date' });
    expect(merge(store, { ...request, base: root }).kind).toBe('made');
    expect(mergeConflicts(store, main, two)).toEqual([]);
  });

  it('are rebased commit by commit', () => {
    const { store, one, two, main } = branches(EDIT_NINE);
    const rebased = rebase(store, { onto: main, head: two, committer: LATER });
    if (rebased.kind !== 'made') throw new Error(rebased.kind);
    expect(rebased.commits.map(({ from }) => from)).toEqual([one, two]);
    const tip = commitOf(store, rebased.sha);
    expect(tip).toMatchObject({ message: 'two', author: PERSON, committer: LATER });
    expect(tip.parents).toEqual([rebased.commits[0]?.to]);
    expect(files(store, tip.tree)).toEqual(MERGED);
    expect(rebase(store, { onto: two, head: one, committer: LATER })).toEqual({ kind: 'up-to-date' });
  });

  it('drop commits that the base has already', () => {
    const { store, one, two, main } = branches([{ path: 'f', content: lines({ 2: 'two' }) }]);
    const rebased = rebase(store, { onto: main, head: two, committer: LATER });
    expect(rebased).toMatchObject({ kind: 'made', commits: [{ from: two }] });
    expect(cherryPick(store, { commit: one, onto: main, committer: LATER })).toEqual({ kind: 'up-to-date' });
  });

  it('conflict where both changed the same lines', () => {
    const { store, one, two, main } = branches(EDIT_TWO);
    const request = { base: main, head: two, message: 'm', author: PERSON };
    expect(merge(store, request)).toEqual({ kind: 'conflict', paths: ['f'] });
    expect(rebase(store, { onto: main, head: two, committer: LATER })).toEqual({
      kind: 'conflict',
      at: one,
      paths: ['f'],
    });
    expect(mergeConflicts(store, main, two)).toEqual(['f']);
    expect(cherryPick(store, { commit: two, onto: main, committer: LATER }).kind).toBe('made');
  });

  it('have single commits picked and taken back', () => {
    const { store, one, two, main } = branches(EDIT_NINE);
    const picked = cherryPick(store, { commit: one, onto: main, committer: LATER, message: 'Backport' });
    if (picked.kind !== 'made') throw new Error(picked.kind);
    const commit = commitOf(store, picked.sha);
    expect(commit).toMatchObject({ parents: [main], message: 'Backport', author: PERSON });
    expect(files(store, commit.tree)).toMatchObject({ f: lines({ 2: 'two', 9: 'nine' }) });
    const back = revert(store, { commit: one, onto: two, message: 'Revert', author: PERSON });
    if (back.kind !== 'made') throw new Error(back.kind);
    expect(files(store, commitOf(store, back.sha).tree)).toEqual({ 'd/g': 'g\n', f: lines(), new: 'n\n' });
  });

  it('merge from several common ancestors at once', () => {
    const { store, commit, one, main } = branches(EDIT_NINE);
    const join = (base: string, head: string) => {
      const joined = merge(store, { base, head, message: 'cross', author: PERSON });
      if (joined.kind !== 'made') throw new Error(joined.kind);
      return joined.sha;
    };
    const left = commit('left', [join(one, main)], [{ path: 'left', content: 'l\n' }]);
    const right = commit('right', [join(main, one)], [{ path: 'right', content: 'r\n' }]);
    const tree = commitOf(store, join(left, right)).tree;
    expect(files(store, tree)).toEqual({
      'd/g': 'g\n',
      f: lines({ 2: 'two', 9: 'nine' }),
      left: 'l\n',
      right: 'r\n',
    });
  });
});
