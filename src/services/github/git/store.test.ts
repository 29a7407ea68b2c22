import { describe, expect, it } from 'vitest';
import { createWorld, typedTables } from '../../../world/index.ts';
import {
  blobOfText,
  createCommit,
  diffTrees,
  entriesAt,
  type GitWriter,
  gitObjects,
  gitStore,
  log,
  memoryStore,
  mergeCommits,
  peelToCommit,
  shaOf,
  shasByPrefix,
  textAt,
  UNKNOWN_SHA,
  writeTree,
} from './index.ts';

const schema = { git_objects: gitObjects };
const PERSON = { name: 'Ana', email: 'ana@example.test', date: '2024-01-01T00:00:00Z' };

function inWorld<T>(run: (store: GitWriter, count: () => number) => T): T {
  const result = createWorld({ github: schema }, 'git').transact((tx) => {
    const tables = typedTables(tx, 'github', schema);
    return run(gitStore(tables), () => tables.git_objects.size);
  });
  if (!result.ok) throw result.error;
  return result.value;
}

describe('objects of a world', () => {
  it('are stored once, however often they are put', () => {
    const { sha, size, again } = inWorld((store, count) => {
      const first = store.put(blobOfText('é\n'));
      store.put(blobOfText('é\n'));
      writeTree(store, null, [{ path: 'a', content: 'é\n' }]);
      return { sha: first, size: count(), again: store.get(first) };
    });
    expect(sha).toBe(shaOf(blobOfText('é\n')));
    expect(size).toBe(2);
    expect(again).toEqual(blobOfText('é\n'));
  });

  it('give the same trees, histories and diffs as objects in memory', () => {
    const build = (store: GitWriter) => {
      const before = writeTree(store, null, [{ path: 'src/a', content: '1\n2\n' }]);
      const after = writeTree(store, before, [{ path: 'src/a', content: '1\n3\n' }]);
      const first = createCommit(store, { tree: before, parents: [], message: 'one', author: PERSON });
      const second = createCommit(store, { tree: after, parents: [first], message: 'two', author: PERSON });
      return { log: [...log(store, [second])], diff: diffTrees(store, before, after) };
    };
    expect(inWorld(build)).toEqual(build(memoryStore()));
  });

  it('can be told without being whole, and be completed later', () => {
    const blob = blobOfText('x\n');
    const whole = {
      kind: 'tree',
      entries: [{ path: 'x', mode: '100644', type: 'blob', sha: shaOf(blob) }],
    } as const;
    const told = inWorld((store) => {
      const commit = 'c'.repeat(40);
      store.place(commit, {
        kind: 'commit',
        tree: UNKNOWN_SHA,
        parents: ['d'.repeat(40)],
        author: PERSON,
        committer: PERSON,
        message: 'told',
      });
      store.place(shaOf(whole), { kind: 'tree', entries: [] });
      const cut = entriesAt(store, shaOf(whole)).length;
      store.put(whole);
      store.put(whole);
      const messages = [...log(store, [commit])].map((entry) => entry.commit.message);
      return {
        cut,
        now: entriesAt(store, shaOf(whole)).length,
        messages,
        merged: mergeCommits(store, commit, commit),
      };
    });
    expect(told).toEqual({ cut: 0, now: 1, messages: ['told'], merged: { ok: true, tree: '' } });
  });

  it('keep what was known when less is told', () => {
    const commit = {
      kind: 'commit',
      tree: 'a'.repeat(40),
      parents: ['b'.repeat(40)],
      message: 'one',
    } as const;
    const people = { author: PERSON, committer: PERSON };
    const listed = { ...commit, ...people, tree: UNKNOWN_SHA, parents: [], message: 'two' };
    const whole = blobOfText('whole\n');
    const sizeOnly = { kind: 'blob', base64: '', size: 6 } as const;
    for (const run of [inWorld, <T>(work: (store: GitWriter) => T) => work(memoryStore())]) {
      run((store) => {
        store.place('c1', { ...commit, ...people, signature: 'signed' });
        store.place('c1', listed);
        expect(store.get('c1')).toMatchObject({ ...commit, message: 'two', signature: 'signed' });
        store.place('b1', sizeOnly);
        expect([textAt(store, 'b1'), store.get('b1')]).toEqual([null, sizeOnly]);
        store.place('b1', blobOfText('told\n'));
        store.place('b1', sizeOnly);
        expect(textAt(store, 'b1')).toBe('told\n');
        store.place(shaOf(whole), sizeOnly);
        store.place(shaOf(whole), whole);
        store.place(shaOf(whole), blobOfText('other\n'));
        expect(textAt(store, shaOf(whole))).toBe('whole\n');
      });
    }
  });

  it('are found by the start of their hash', () => {
    const found = createWorld({ github: schema }, 'git').transact((tx) => {
      const tables = typedTables(tx, 'github', schema);
      const store = gitStore(tables);
      for (const sha of ['aaa1', 'aab2', 'aab3', 'b000']) store.place(sha, blobOfText(sha));
      return ['aab', 'aab2', 'c', ''].map((prefix) => [...shasByPrefix(tables, prefix)]);
    });
    const all = ['aaa1', 'aab2', 'aab3', 'b000'];
    expect(found.ok && found.value).toEqual([['aab2', 'aab3'], ['aab2'], [], all]);
  });

  it('are peeled to the commit that a tag points to', () => {
    const peeled = inWorld((store) => {
      const tree = writeTree(store, null, []);
      const commit = createCommit(store, { tree, parents: [], message: 'm', author: PERSON });
      const tag = store.put({
        kind: 'tag',
        object: commit,
        type: 'commit',
        tag: 'v1',
        tagger: PERSON,
        message: 'm',
      });
      return [peelToCommit(store, tag) === commit, peelToCommit(store, tree), peelToCommit(store, 'none')];
    });
    expect(peeled).toEqual([true, null, null]);
  });
});
