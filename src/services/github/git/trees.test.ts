import { describe, expect, it } from 'vitest';
import {
  absentRemovals,
  EMPTY_TREE_SHA,
  entryAtPath,
  type GitReader,
  listTree,
  memoryStore,
  shaAtPath,
  textAt,
  writeTree,
} from './index.ts';

function paths(reader: GitReader, tree: string, trees = false): string[] {
  return [...listTree(reader, tree, { trees })].map(({ path }) => path);
}

function sample() {
  const store = memoryStore();
  const tree = writeTree(store, null, [
    { path: 'README.md', content: 'Hi\n' },
    { path: 'src/a.ts', content: 'a\n' },
    { path: 'src/deep/b.ts', content: 'b\n' },
    { path: 'src.md', content: 's\n' },
  ]);
  return { store, tree };
}

describe('reading', () => {
  it('finds entries by path and lists all in order', () => {
    const { store, tree } = sample();
    expect(paths(store, tree)).toEqual(['README.md', 'src.md', 'src/a.ts', 'src/deep/b.ts']);
    expect(paths(store, tree, true)).toEqual([
      'README.md',
      'src.md',
      'src',
      'src/a.ts',
      'src/deep',
      'src/deep/b.ts',
    ]);
    expect(entryAtPath(store, tree, '/src/deep/b.ts')).toMatchObject({
      path: 'src/deep/b.ts',
      mode: '100644',
      type: 'blob',
    });
    expect(entryAtPath(store, tree, 'src')?.type).toBe('tree');
    expect(entryAtPath(store, tree, 'src/a.ts/x')).toBeNull();
    expect(entryAtPath(store, tree, 'nope')).toBeNull();
    expect(shaAtPath(store, tree, '')).toBe(tree);
    expect(textAt(store, shaAtPath(store, tree, 'src/a.ts') ?? '')).toBe('a\n');
  });

  it('takes what is not stored for empty', () => {
    const store = memoryStore();
    expect(paths(store, 'f'.repeat(40))).toEqual([]);
    expect(entryAtPath(store, 'f'.repeat(40), 'a')).toBeNull();
    expect(textAt(store, 'f'.repeat(40))).toBeNull();
  });
});

describe('writing', () => {
  it('rebuilds touched subtrees only and keeps modes', () => {
    const { store, tree } = sample();
    const script = writeTree(store, tree, [{ path: 'src/run', content: '1', mode: '100755' }]);
    const next = writeTree(store, script, [
      { path: 'src/run', content: '2' },
      { path: 'new/dir/file', content: 'n' },
    ]);
    expect(entryAtPath(store, next, 'src/run')?.mode).toBe('100755');
    expect(shaAtPath(store, next, 'src/deep')).toBe(shaAtPath(store, tree, 'src/deep'));
    expect(paths(store, next)).toContain('new/dir/file');
    expect(writeTree(store, tree, [])).toBe(tree);
    expect(writeTree(store, null, [])).toBe(EMPTY_TREE_SHA);
  });

  it('drops directories that are left empty', () => {
    const { store, tree } = sample();
    const without = writeTree(store, tree, [{ path: 'src/deep/b.ts', sha: null }]);
    expect(paths(store, without, true)).toEqual(['README.md', 'src.md', 'src', 'src/a.ts']);
    const bare = writeTree(store, without, [{ path: 'src', sha: null }]);
    expect(paths(store, bare)).toEqual(['README.md', 'src.md']);
    expect(writeTree(store, tree, [{ path: 'src/deep/none', sha: null }])).toBe(tree);
  });

  it('takes whole trees and turns files into directories and back', () => {
    const { store, tree } = sample();
    const deep = shaAtPath(store, tree, 'src/deep');
    const moved = writeTree(store, tree, [
      { path: 'copy', mode: '040000', sha: deep },
      { path: 'README.md/inside', content: 'x' },
      { path: 'src', content: 'now a file' },
    ]);
    expect(paths(store, moved)).toEqual(['README.md/inside', 'copy/b.ts', 'src', 'src.md']);
    expect(entryAtPath(store, moved, 'src')).toMatchObject({ type: 'blob', mode: '100644' });
  });

  it('names removals of what is not there', () => {
    const { store, tree } = sample();
    const absent = { path: 'src/none', sha: null };
    expect(absentRemovals(store, tree, [absent, { path: 'src/a.ts', sha: null }])).toEqual([absent]);
  });
});
