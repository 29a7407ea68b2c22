import { describe, expect, it } from 'vitest';
import {
  base64OfBytes,
  base64OfText,
  blobOfBase64,
  blobOfBytes,
  blobOfText,
  bytesOfBase64,
  bytesOfText,
  countLines,
  createCommit,
  createTag,
  EMPTY_TREE_SHA,
  isBinary,
  memoryStore,
  payloadOf,
  shaOf,
  splitLines,
  strictTextOfBytes,
  textOfBlob,
  textOfBytes,
  utcSeconds,
  verificationOf,
  wrapBase64,
  writeTree,
} from './index.ts';
import { objectOfRow, rowOfObject } from './rows.ts';
import type { GitCommit, GitObject } from './store.ts';

/** The hashes below were computed by git 2.39 from the same content. */
const AUTHOR = { name: 'Ana Ö', email: 'ana@example.test', date: '2024-03-05T10:20:30+05:30' };
const COMMITTER = { name: 'Bob', email: 'bob@example.test', date: '2024-03-05T06:00:00Z' };
const FIRST: GitCommit = {
  kind: 'commit',
  tree: '5739ff08f0152bd826b80abb98632fcb4ed095d8',
  parents: [],
  author: AUTHOR,
  committer: COMMITTER,
  message: 'First: é\n',
};

describe('hashes are those of git', () => {
  it('of blobs', () => {
    expect(shaOf(blobOfText('hello\n'))).toBe('ce013625030ba8dba906f756967f9e9ca394464a');
    expect(shaOf(blobOfText(''))).toBe('e69de29bb2d1d6434b8b29ae775ad8c2e48c5391');
    const binary = blobOfBytes('\xff\0\x01bin');
    expect(shaOf(binary)).toBe('77474736b3f1dbab9d3d4371aae33eb4b2163da5');
    expect([binary.size, isBinary(binary)]).toEqual([6, true]);
  });

  it('of trees, whatever the order of the entries', () => {
    const writer = memoryStore();
    const tree = writeTree(writer, null, [
      { path: 'src/lib/x.py', content: 'x = 1\n' },
      { path: 'run.sh', content: '#!/bin/sh\n', mode: '100755' },
      { path: 'src.md', content: 'r\n' },
      { path: 'a.txt', content: 'hello\n' },
    ]);
    expect(tree).toBe(FIRST.tree);
    expect(shaOf({ kind: 'tree', entries: [] })).toBe(EMPTY_TREE_SHA);
  });

  it('of commits and tags', () => {
    expect(shaOf(FIRST)).toBe('9bdba138d439a1ba6fc565072f3f6db25de26889');
    const tag: GitObject = {
      kind: 'tag',
      object: shaOf(FIRST),
      type: 'commit',
      tag: 'v1',
      tagger: { ...COMMITTER, date: '2024-03-06T06:00:00Z' },
      message: 'one\n',
    };
    expect(shaOf(tag)).toBe('3849dc10f990af4b256d617a377eb96991694474');
  });
});

describe('commits', () => {
  it('keep moments to the second and fall back to the author', () => {
    const writer = memoryStore();
    const sha = createCommit(writer, {
      tree: EMPTY_TREE_SHA,
      parents: [],
      message: 'm',
      author: { ...COMMITTER, date: '2024-03-05T06:00:00.123Z' },
    });
    expect(writer.get(sha)).toMatchObject({
      author: { date: '2024-03-05T06:00:00Z' },
      committer: { name: 'Bob', date: '2024-03-05T06:00:00Z' },
    });
    const tag = createTag(writer, {
      object: sha,
      type: 'commit',
      tag: 'v1',
      tagger: { name: ' <Bob>, Jr. ', email: 'bob@example.test', date: '2024-03-05T06:00:00+00:00' },
      message: 'm',
    });
    expect(writer.get(tag)).toMatchObject({
      object: sha,
      tagger: { name: 'Bob, Jr', date: '2024-03-05T06:00:00Z' },
    });
    expect(utcSeconds(AUTHOR.date)).toBe('2024-03-05T04:50:30Z');
  });

  it('tell of their signature', () => {
    expect(verificationOf(FIRST)).toEqual({
      verified: false,
      reason: 'unsigned',
      signature: null,
      payload: null,
    });
    const signed: GitCommit = { ...FIRST, signature: 'one\ntwo\n' };
    expect(shaOf(signed)).not.toBe(shaOf(FIRST));
    expect(verificationOf(signed)).toMatchObject({
      verified: true,
      reason: 'valid',
      signature: 'one\ntwo\n',
    });
    expect(verificationOf(signed).payload).toBe(payloadOf(FIRST));
    expect(verificationOf(signed, false)).toMatchObject({ verified: false, reason: 'unknown_key' });
  });
});

describe('bytes', () => {
  it('survive base64 and UTF-8', () => {
    const text = 'é, 日本, 😀';
    expect(textOfBytes(bytesOfText(text))).toBe(text);
    expect(textOfBytes(bytesOfBase64(base64OfText(text)) ?? '')).toBe(text);
    expect(base64OfBytes('\xff\xfe')).toBe('//4=');
    expect(bytesOfBase64('//4=')).toBe('\xff\xfe');
    expect(textOfBytes('\xff')).toBe('\ufffd');
    expect(strictTextOfBytes('\xff')).toBeNull();
    expect(strictTextOfBytes('\xc3\xa9')).toBe('é');
    const long = 'ä'.repeat(20_000);
    expect(textOfBytes(bytesOfText(long))).toBe(long);
  });

  it('come from base64 only when it is valid, white space apart', () => {
    expect(bytesOfBase64('aGVs\nbG8=\n')).toBe('hello');
    expect(bytesOfBase64('')).toBe('');
    for (const bad of ['aGVsbG8', 'aGVsbG8==', 'a', '====', 'aGV$', 'aGVs-_8=']) {
      expect([bad, bytesOfBase64(bad)]).toEqual([bad, null]);
    }
    expect(blobOfBase64('!')).toBeNull();
    expect(textOfBlob(blobOfBase64('aGVsbG8=') ?? blobOfText(''))).toBe('hello');
    expect(wrapBase64('a'.repeat(61))).toBe(`${'a'.repeat(60)}\na\n`);
  });

  it('are counted in lines', () => {
    expect(['', 'a', 'a\n', 'a\nb', '\n\n'].map(countLines)).toEqual([0, 1, 1, 2, 2]);
    expect(splitLines('a\nb')).toEqual(['a\n', 'b']);
    expect(splitLines('a\n')).toEqual(['a\n']);
    expect(splitLines('')).toEqual([]);
  });
});

describe('rows', () => {
  const objects: readonly GitObject[] = [
    blobOfText('é\n'),
    blobOfBytes('\xff\0'),
    {
      kind: 'tree',
      entries: [{ path: 'a\nb c', mode: '100644', type: 'blob', sha: shaOf(blobOfText('')) }],
    },
    { kind: 'tree', entries: [] },
    FIRST,
    { ...FIRST, signature: 'signed' },
    { kind: 'tag', object: shaOf(FIRST), type: 'commit', tag: 'v1', tagger: null, message: '' },
  ];

  it('hold every kind of object without loss', () => {
    for (const object of objects) {
      const row = rowOfObject(shaOf(object), object);
      expect(objectOfRow(row)).toEqual(object);
      expect(JSON.parse(JSON.stringify(row))).toEqual(row);
    }
  });

  it('hold UTF-8 as text and the rest as base64', () => {
    expect(rowOfObject('1', blobOfText('é'))).toEqual({ sha: '1', kind: 'blob', text: 'é', size: 2 });
    expect(rowOfObject('1', blobOfBytes('\xff'))).toEqual({
      sha: '1',
      kind: 'blob',
      base64: '/w==',
      size: 1,
    });
  });
});
