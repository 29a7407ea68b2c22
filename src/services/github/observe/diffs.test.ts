import { describe, expect, it } from 'vitest';
import { commitsInMails, filesInDiff } from './diffs.ts';
import { textsOfCounts, textsOfPatches } from './hunks.ts';

describe('what a diff tells', () => {
  it('is its files, with how their hashes begin', () => {
    const diff = [
      'diff --git a/a.md b/a.md',
      'index 0123abc..4567def 100644',
      '--- a/a.md',
      '+++ b/a.md',
      '@@ -1 +1 @@',
      '-one',
      '+two',
      'diff --git a/b.md b/b.md',
      'new file mode 100644',
      'index 0000000..89abcde',
      '--- /dev/null',
      '+++ b/b.md',
      '@@ -0,0 +1 @@',
      '+three',
      '',
    ].join('\n');
    expect(filesInDiff(diff)).toEqual([
      {
        path: 'a.md',
        status: 'modified',
        patches: ['@@ -1 +1 @@\n-one\n+two'],
        shas: { before: '0123abc', after: '4567def' },
      },
      { path: 'b.md', status: 'added', patches: ['@@ -0,0 +1 @@\n+three'], shas: { after: '89abcde' } },
    ]);
  });

  it('is the commits of mails', () => {
    const sha = 'a'.repeat(40);
    const mail = [
      `From ${sha} Mon Sep 17 00:00:00 2001`,
      'From: Ada Finch <ada@lamps.example>',
      'Date: Fri, 2 May 2014 02:08:14 -0400',
      'Subject: [PATCH 1/2] Dim the lamp when',
      ' nobody looks',
      '',
      'It saves light.',
      '---',
      ' a.md | 1 +',
    ].join('\n');
    expect(commitsInMails(mail)).toEqual([
      {
        sha,
        author: { name: 'Ada Finch', email: 'ada@lamps.example', date: '2014-05-02T02:08:14-04:00' },
        message: 'Dim the lamp when nobody looks\n\nIt saves light.',
        count: 2,
      },
    ]);
  });
});

describe('a file of which a part is known', () => {
  it('has the hunk that was shown, and as many lines as it says', () => {
    const texts = textsOfPatches(['@@ -10,4 +10,5 @@ def dim():\n one\n-two\n+three'], 'a.py');
    expect(texts?.before.split('\n')).toContain('two');
    expect(texts?.before.split('\n')[8]).toBe('def dim():');
    expect(texts?.after.split('\n')).toContain('three');
    const lines = (text = ''): number => text.split('\n').length;
    expect(lines(texts?.after) - lines(texts?.before)).toBe(1);
  });

  it('is none where parts do not fit', () => {
    expect(textsOfPatches(['@@ -2,2 +1,4 @@\n+one\n two'], 'a.md')).toBeNull();
  });

  it('differs by as many lines as were counted', () => {
    const { before, after } = textsOfCounts('a.md', 3, 1);
    expect([before.split('\n').length, after.split('\n').length]).toEqual([3, 5]);
  });
});
