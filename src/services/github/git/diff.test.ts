import { describe, expect, it } from 'vitest';
import {
  blobOfBytes,
  changedPaths,
  createCommit,
  diffCommit,
  diffTexts,
  diffTrees,
  type FileDiff,
  memoryStore,
  type TreeChange,
  totalsOf,
  unifiedDiff,
  writeTree,
} from './index.ts';

function lines(count: number, change: Readonly<Record<number, string>> = {}): string {
  return Array.from({ length: count }, (_, at) => `${change[at + 1] ?? `line ${at + 1}`}\n`).join('');
}

/** Two trees: one of these files, and what these changes make of it. */
function pair(files: readonly TreeChange[], changes: readonly TreeChange[]) {
  const store = memoryStore();
  const before = writeTree(store, null, files);
  const after = writeTree(store, before, changes);
  return { store, before, after, files: diffTrees(store, before, after) };
}

function short({ path, status, previousPath, additions, deletions }: FileDiff) {
  return [path, status, previousPath, additions, deletions];
}

describe('hunks', () => {
  it('show three lines around, and join when they touch', () => {
    expect(diffTexts(lines(20), lines(20, { 5: 'five', 12: 'twelve' })).patch).toBe(
      '@@ -2,14 +2,14 @@ line 1\n line 2\n line 3\n line 4\n-line 5\n+five\n line 6\n line 7\n line 8\n' +
        ' line 9\n line 10\n line 11\n-line 12\n+twelve\n line 13\n line 14\n line 15',
    );
    const { patch } = diffTexts(lines(20), lines(20, { 5: 'five', 13: 'thirteen' }));
    expect(patch.match(/^@@.*$/gmu)).toEqual(['@@ -2,7 +2,7 @@ line 1', '@@ -10,7 +10,7 @@ line 9']);
  });

  it('leave a count of one out, and count from zero where nothing stands', () => {
    expect(diffTexts('Hello World!', 'Hello World!\n').patch).toBe(
      '@@ -1 +1 @@\n-Hello World!\n\\ No newline at end of file\n+Hello World!',
    );
    expect(diffTexts('', 'a\nb\n').patch).toBe('@@ -0,0 +1,2 @@\n+a\n+b');
    expect(diffTexts('a\n', '').patch).toBe('@@ -1 +0,0 @@\n-a');
    expect(diffTexts('same\n', 'same\n')).toEqual({ additions: 0, deletions: 0, patch: '' });
  });

  it('are headed by the declaration above', () => {
    const before = `function far() {\n${'  x;\n'.repeat(9)}  return 1;\n}\n`;
    const { patch } = diffTexts(before, before.replace('return 1', 'return 2'));
    expect(patch.split('\n')[0]).toBe('@@ -8,5 +8,5 @@ function far() {');
  });

  it('put an added block where it reads as one', () => {
    const before = 'def one():\n    return 1\n\ndef three():\n    return 3\n';
    const after = before.replace('def three', 'def two():\n    return 2\n\ndef three');
    expect(diffTexts(before, after).patch).toBe(
      '@@ -1,5 +1,8 @@\n def one():\n     return 1\n \n+def two():\n+    return 2\n+\n def three():\n' +
        '     return 3',
    );
  });

  it('of files of 2,000 lines, few or nearly all of them changed', () => {
    const other = Array.from({ length: 2000 }, (_, at) => `line ${(at * 773) % 2000}\n`).join('');
    expect(diffTexts(lines(2000), lines(2000, { 1000: 'x' }))).toMatchObject({ additions: 1, deletions: 1 });
    const { additions, deletions } = diffTexts(lines(2000), other);
    expect(additions).toBe(deletions);
  });
});

describe('files', () => {
  it('are added, removed, modified, renamed or of another kind', () => {
    const { files } = pair(
      [
        { path: 'kept', content: 'k\n' },
        { path: 'gone', content: 'gone\n' },
        { path: 'src/edit', content: lines(5) },
        { path: 'src/equal', content: 'equal\nfile\n' },
        { path: 'src/similar', content: lines(10) },
        { path: 'link', content: 'plain\n' },
        { path: 'run', content: '#!\n' },
      ],
      [
        { path: 'gone', sha: null },
        { path: 'new/deep', content: 'n\nm\n' },
        { path: 'src/edit', content: lines(5, { 2: 'two' }) },
        { path: 'src/equal', sha: null },
        { path: 'moved', content: 'equal\nfile\n' },
        { path: 'src/similar', sha: null },
        { path: 'lib/similar', content: lines(10, { 1: 'one' }) },
        { path: 'link', content: 'target', mode: '120000' },
        { path: 'run', content: '#!\n', mode: '100755' },
      ],
    );
    expect(files.map(short)).toEqual([
      ['gone', 'removed', null, 0, 1],
      ['lib/similar', 'renamed', 'src/similar', 1, 1],
      ['link', 'changed', null, 1, 1],
      ['moved', 'renamed', 'src/equal', 0, 0],
      ['new/deep', 'added', null, 2, 0],
      ['run', 'modified', null, 0, 0],
      ['src/edit', 'modified', null, 1, 1],
    ]);
    expect(files.find(({ path }) => path === 'moved')).toMatchObject({ patch: null, similarity: 100 });
    expect(totalsOf(files)).toEqual({ additions: 5, deletions: 4, total: 9, files: 7 });
  });

  it('have no patch when they are binary or not stored', () => {
    const store = memoryStore();
    const sha = store.put(blobOfBytes('\0\x01'));
    const before = writeTree(store, null, [{ path: 'lost', sha: 'e'.repeat(40) }]);
    const after = writeTree(store, null, [
      { path: 'image', sha },
      { path: 'lost', content: 'now known\n' },
    ]);
    expect(diffTrees(store, before, after)).toMatchObject([
      { path: 'image', patch: null, binary: true, changes: 0 },
      { path: 'lost', patch: null, binary: false, changes: 0, status: 'modified' },
    ]);
    expect(diffTrees(store, 'a'.repeat(40), 'b'.repeat(40))).toEqual([]);
  });

  it('of a commit are those that its first parent holds differently', () => {
    const store = memoryStore();
    const author = { name: 'a', email: 'a@example.test', date: '2024-01-01T00:00:00Z' };
    const commit = (parents: string[], content: string) =>
      createCommit(store, {
        tree: writeTree(store, null, [{ path: 'f', content }]),
        parents,
        message: 'm',
        author,
      });
    const first = commit([], '1\n');
    const second = commit([first], '2\n');
    expect(diffCommit(store, first).map(short)).toEqual([['f', 'added', null, 1, 0]]);
    expect(diffCommit(store, second).map(short)).toEqual([['f', 'modified', null, 1, 1]]);
    expect(diffCommit(store, commit(['f'.repeat(40)], '3\n'))).toEqual([]);
    expect(diffCommit(store, 'f'.repeat(40))).toEqual([]);
  });

  it('are found without reading what did not change', () => {
    const files = Array.from({ length: 500 }, (_, at) => ({
      path: `d${at % 25}/f${at}.ts`,
      content: `${at}\n`,
    }));
    const { store, before, after } = pair(files, [{ path: 'd3/f3.ts', content: 'x\n' }]);
    let reads = 0;
    const counting = {
      get: (sha: string) => {
        reads += 1;
        return store.get(sha);
      },
    };
    expect(changedPaths(counting, before, after).map(({ path }) => path)).toEqual(['d3/f3.ts']);
    expect(reads).toBe(4);
  });
});

describe('the unified form', () => {
  it('is that of git', () => {
    const { store, files } = pair(
      [
        { path: 'docs/über uns.md', content: 'a\n' },
        { path: 'old', content: lines(4) },
        { path: 'run', content: '#!\n' },
        { path: 'link', content: 'plain\n' },
        { path: 'zero', content: '' },
      ],
      [
        { path: 'docs/über uns.md', content: 'b\n' },
        { path: 'old', sha: null },
        { path: 'fresh', content: lines(4, { 4: 'four' }) },
        { path: 'run', content: '#!\n', mode: '100755' },
        { path: 'link', content: 'old', mode: '120000' },
        { path: 'zero', sha: null },
        { path: 'image', sha: '5407bf9ff2e3d7a1c2d5dc0bd5e6c1db1dd4e5ea' },
      ],
    );
    expect(unifiedDiff(store, files)).toBe(
      [
        'diff --git "a/docs/\\303\\274ber uns.md" "b/docs/\\303\\274ber uns.md"',
        'index 7898192..6178079 100644',
        '--- "a/docs/\\303\\274ber uns.md"\t',
        '+++ "b/docs/\\303\\274ber uns.md"\t',
        '@@ -1 +1 @@',
        '-a',
        '+b',
        'diff --git a/old b/fresh',
        'similarity index 75%',
        'rename from old',
        'rename to fresh',
        'index 9c2a709..36abb74 100644',
        '--- a/old',
        '+++ b/fresh',
        '@@ -1,4 +1,4 @@',
        ' line 1',
        ' line 2',
        ' line 3',
        '-line 4',
        '+four',
        'diff --git a/image b/image',
        'new file mode 100644',
        'index 0000000..5407bf9',
        'diff --git a/link b/link',
        'deleted file mode 100644',
        'index b9bca01..0000000',
        '--- a/link',
        '+++ /dev/null',
        '@@ -1 +0,0 @@',
        '-plain',
        'diff --git a/link b/link',
        'new file mode 120000',
        'index 0000000..489ce0f',
        '--- /dev/null',
        '+++ b/link',
        '@@ -0,0 +1 @@',
        '+old',
        '\\ No newline at end of file',
        'diff --git a/run b/run',
        'old mode 100644',
        'new mode 100755',
        'diff --git a/zero b/zero',
        'deleted file mode 100644',
        'index e69de29..0000000',
        '',
      ].join('\n'),
    );
    expect(unifiedDiff(store, files, { hashDigits: 8 })).toContain('index 78981922..61780798 100644');
    expect(unifiedDiff(store, [])).toBe('');
  });
});
