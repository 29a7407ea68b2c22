import { describe, expect, it } from 'vitest';
import { digestText, sha1Hex } from './digest.ts';

describe('sha1Hex', () => {
  it('is SHA-1 of bytes, whether they come as such or as characters', () => {
    expect(sha1Hex('abc')).toBe('a9993e364706816aba3e25717850c26c9cd0d89d');
    expect(sha1Hex('blob 0\0')).toBe('e69de29bb2d1d6434b8b29ae775ad8c2e48c5391');
    const bytes = Uint8Array.from([0, 0x7f, 0x80, 0xff]);
    expect(sha1Hex('\0\x7f\x80\xff')).toBe(sha1Hex(bytes));
    expect(sha1Hex('\xe9')).not.toBe(sha1Hex(new TextEncoder().encode('\xe9')));
  });
});

describe('digestText', () => {
  it('is SHA-256 of the UTF-8 form', () => {
    expect(digestText('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});
