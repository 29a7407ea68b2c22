import { describe, expect, it } from 'vitest';
import { linksOf } from './compare-headers.ts';
import {
  comparableLeaf,
  isRedacted,
  isVolatile,
  plainAddress,
  plainDocumentation,
  plainMessage,
} from './volatile.ts';

const OPTIONS = { countsOwn: false, sizesDiffer: false, exactDocumentation: false };

describe('names', () => {
  it.each([
    'id',
    'node_id',
    'head_sha',
    'created_at',
    'date',
    'event_ts',
    'etag',
    'token',
    'token_last_eight',
  ])('%s is volatile', (name) => expect(isVolatile(name)).toBe(true));

  it.each(['name', 'state', 'valid', 'update', 'number', 'ref', 'hidden', 'format'])('%s is not', (name) =>
    expect(isVolatile(name)).toBe(false),
  );
});

describe('addresses', () => {
  it.each([
    ['https://api.github.com/repos/a/b/issues/12', '/repos/a/b/issues/·'],
    ['https://h/x/{archive_format}{/ref}', '/x/{archive_format}{/ref}'],
    ['https://h/u/58653837?v=4&s=1', '/u/·?s&v'],
    ['http://127.0.0.1:1/_groundhog/s/TOKEN/svc/a/b', '/a/b'],
    ['https://h/commits/ab92e13c0fc844fd51a379a48a3ad0b18231215c#x', '/commits/·'],
    ['https://h/compare/ab92e13...cd12f34', '/compare/·'],
    ['https://gist.h/ab92e13c0fc844fd51a379a48a3ad0b1.git', '/·.git'],
    ['https://h/a/b.git', '/a/b.git'],
    ['https://h/sarifs/fb31fa2c-095d-11ee-98fe-c609abca1772', '/sarifs/·'],
  ])('%s is %s', (address, plain) => {
    expect(plainAddress(address)).toBe(plain);
  });

  it('of documentation lose host and moved prefixes', () => {
    expect(plainDocumentation('https://docs.github.com/en/rest/reference/repos#get')).toBe('/rest/repos#get');
    expect(plainDocumentation('https://developer.github.com/v3/repos/#get')).toBe('/repos/#get');
  });
});

describe('leaves', () => {
  it.each([
    ['login', 'user-766d7e', undefined],
    ['login', 'octo', 'octo'],
    ['stars_count', 3, undefined],
    ['size', 3, 3],
    ['message', `Merge ${'a'.repeat(40)}`, 'Merge ·'],
    ['email', 'a@example.com', undefined],
  ])('%s: %s is compared as %s', (name, value, expected) => {
    expect(comparableLeaf(name, value, OPTIONS)).toBe(expected);
  });

  it('counts are compared where all that they count is of the scenario', () => {
    expect(comparableLeaf('stars_count', 3, { ...OPTIONS, countsOwn: true })).toBe(3);
    expect(comparableLeaf('size', 3, { ...OPTIONS, sizesDiffer: true })).toBeUndefined();
  });

  it('documentation addresses are compared as they are where the record is current', () => {
    const address = 'https://docs.github.com/rest/x';
    expect(comparableLeaf('documentation_url', address, { ...OPTIONS, exactDocumentation: true })).toBe(
      address,
    );
  });

  it('messages lose ids and hashes', () => {
    expect(plainMessage(`User 58653837 and ${'0'.repeat(40)} in 404`)).toBe('User · and · in 404');
  });

  it('redacted texts are told by their form', () => {
    expect(['REDACTED-1', 'Redacted 27d4', 'Person 12ab', '192.0.2.7'].every(isRedacted)).toBe(true);
    expect(isRedacted('user-friendly')).toBe(false);
  });
});

describe('a Link header', () => {
  it('is a set of relations, paths without ids, queries without cursors', () => {
    const theirs =
      '<https://h/repositories/12/issues?page=2&per_page=5>; rel="next", <https://h/x?after=Y>; rel="prev"';
    const ours =
      '<http://b/x?after=Z>; rel="prev", <http://b/repositories/7/issues?per_page=5&page=2>; rel="next"';
    expect(linksOf(theirs)).toEqual(linksOf(ours));
    expect(linksOf(theirs)).not.toEqual(linksOf(theirs.replace('page=2', 'page=3')));
  });
});
