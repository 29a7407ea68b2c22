import { describe, expect, it } from 'vitest';
import {
  blobOfBytes,
  createCommit,
  diffTexts,
  type GitWriter,
  mailPatches,
  memoryStore,
  type NewCommit,
  splitMessage,
  type TreeChange,
  writeTree,
} from './index.ts';

const ANA = { name: 'Ana', email: 'ana@example.test', date: '2024-03-05T10:20:30+05:30' };

function commit(store: GitWriter, changes: readonly TreeChange[], rest: Partial<NewCommit> = {}): string {
  const parents = rest.parents ?? [];
  const parent = store.get(parents[0] ?? '');
  const tree = writeTree(store, parent?.kind === 'commit' ? parent.tree : null, changes);
  return createCommit(store, { message: 'Change', author: ANA, ...rest, tree, parents });
}

function head(rest: Partial<NewCommit>): string[] {
  const store = memoryStore();
  return mailPatches(store, [commit(store, [{ path: 'a', content: 'a\n' }], rest)]).split('\n');
}

describe('mails', () => {
  it('have head, message, table and diff, as git writes them', () => {
    const store = memoryStore();
    const first = commit(store, [
      { path: 'src/old name.ts', content: '1\n2\n3\n4\n5\n6\n7\n8\n' },
      { path: 'run', content: '#!\n' },
      { path: 'gone', content: 'x\n' },
    ]);
    const image = store.put(blobOfBytes('\0\x01\x02'));
    const second = commit(
      store,
      [
        { path: 'src/old name.ts', sha: null },
        { path: 'src/new.ts', content: '1\n2\n3\nfour\n5\n6\n7\n8\n' },
        { path: 'run', content: '#!\n', mode: '100755' },
        { path: 'gone', sha: null },
        { path: 'image', sha: image },
      ],
      { parents: [first], message: 'Second\n\nWith a body.  \n\n\n' },
    );
    const [table, diff] = mailPatches(store, [second]).split('\ndiff --git ', 2);
    expect(table).toBe(
      [
        `From ${second} Mon Sep 17 00:00:00 2001`,
        'From: Ana <ana@example.test>',
        'Date: Tue, 5 Mar 2024 10:20:30 +0530',
        'Subject: [PATCH] Second',
        '',
        'With a body.',
        '---',
        ' gone                        |   1 -',
        ' image                       | Bin 0 -> 3 bytes',
        ' run                         |   0',
        ' src/{old name.ts => new.ts} |   2 +-',
        ' 4 files changed, 1 insertion(+), 2 deletions(-)',
        ' delete mode 100644 gone',
        ' create mode 100644 image',
        ' mode change 100644 => 100755 run',
        ' rename src/{old name.ts => new.ts} (73%)',
        '',
      ].join('\n'),
    );
    expect(diff).toContain('a/gone b/gone\ndeleted file mode 100644\n');
  });

  it('are numbered when there are several, leaving out those without a change', () => {
    const store = memoryStore();
    const first = commit(store, [{ path: 'a', content: 'a\n' }]);
    const empty = commit(store, [], { parents: [first] });
    const last = commit(store, [{ path: 'a', content: 'b\n' }], { parents: [empty] });
    const text = mailPatches(store, [first, empty, last, 'f'.repeat(40)]);
    expect(text.match(/^Subject: .*$/gmu)).toEqual([
      'Subject: [PATCH 1/4] Change',
      'Subject: [PATCH 3/4] Change',
    ]);
    expect(text).toContain(`+a\n\nFrom ${last}`);
  });

  it('fold long subjects and encode what is not ASCII', () => {
    const long = 'This is a very long subject line that has to be wrapped by git since it is beyond';
    expect(head({ message: `${long}\nthe columns` }).slice(3, 6)).toEqual([
      'Subject: [PATCH] This is a very long subject line that has to be wrapped by',
      ' git since it is beyond the columns',
      '',
    ]);
    expect(head({ message: 'Für dich', author: { ...ANA, name: 'Jörg Ö.' } }).slice(1, 7)).toEqual([
      'From: =?UTF-8?q?J=C3=B6rg=20=C3=96?= <ana@example.test>',
      'Date: Tue, 5 Mar 2024 10:20:30 +0530',
      'Subject: [PATCH] =?UTF-8?q?F=C3=BCr=20dich?=',
      'MIME-Version: 1.0',
      'Content-Type: text/plain; charset=UTF-8',
      'Content-Transfer-Encoding: 8bit',
    ]);
    expect(head({ author: { ...ANA, name: 'A. B' } })[1]).toBe('From: "A. B" <ana@example.test>');
  });

  it('scale the graph of large changes to their width', () => {
    const store = memoryStore();
    const path = `${'deep/'.repeat(14)}file.ts`;
    const text = mailPatches(store, [commit(store, [{ path, content: 'x\n'.repeat(300) }])]);
    expect(text.split('\n')[6]).toBe(` .../${'deep/'.repeat(6)}file.ts     | 300 ++++++++++++++++++`);
  });
});

describe('messages', () => {
  it('are split into title and body', () => {
    expect(splitMessage('\nOne \ntwo\n\n\nBody\n  more\n')).toEqual({
      title: 'One two',
      body: 'Body\n  more',
    });
    expect(splitMessage('\n')).toEqual({ title: '', body: '' });
  });
});

describe('headings', () => {
  const body = '    x;\n'.repeat(6);
  const headingOf = (path: string, above: string) =>
    /^@@ [^@]*@@(.*)/u.exec(diffTexts(`${above}${body}`, `${above}${body}    y;\n`, path).patch)?.[1];

  it('are the declarations of the language', () => {
    expect(headingOf('a.py', 'class A:\n  async def run(self):\n')).toBe(' async def run(self):');
    expect(headingOf('a.rb', 'class A\n  def run(x)\n')).toBe(' def run(x)');
    expect(headingOf('a.java', 'class A {\n  public List<T> all(Long id) {\n    if (id) {\n')).toBe(
      ' public List<T> all(Long id) {',
    );
    expect(headingOf('a.php', '<?php\n  private static function run()\n')).toBe(
      ' private static function run()',
    );
    expect(headingOf('a.cs', 'namespace A\n  public async Task<int> Run(int x)\n')).toBe(
      ' public async Task<int> Run(int x)',
    );
  });

  it('are lines that start a block elsewhere, shortened', () => {
    expect(headingOf('a.ts', 'function a() {\r\n  class B {\n')).toBe(' function a() {');
    expect(headingOf('a', `${'long '.repeat(20)}\n`)).toBe(` ${'long '.repeat(16).trimEnd()}`);
    expect(headingOf('a.md', '# Title\n')).toBe('');
  });
});
