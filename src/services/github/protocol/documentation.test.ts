import { describe, expect, it } from 'vitest';
import { documentationUrl, redirectsUrl } from './documentation.ts';

describe('the page that an error names', () => {
  it('is where that was told of at the moment', () => {
    const pages = [2019, 2021, 2024].map((year) =>
      documentationUrl({ operation: 'repos/get-latest-release', status: 404 }, Date.UTC(year, 5, 1)),
    );
    expect(pages).toEqual([
      'https://developer.github.com/v3/repos/releases/#get-the-latest-release',
      'https://docs.github.com/rest/reference/repos#get-the-latest-release',
      'https://docs.github.com/rest/releases/releases#get-the-latest-release',
    ]);
    expect([2019, 2024].map((year) => redirectsUrl(Date.UTC(year, 5, 1)))).toEqual([
      'https://developer.github.com/v3/#http-redirects',
      'https://docs.github.com/v3/#http-redirects',
    ]);
  });

  it('is the first one where the error is about no operation, or its old page is not known', () => {
    const old = Date.UTC(2019, 5, 1);
    for (const [operation, status] of [
      [undefined, 404],
      ['repos/get-latest-release', 401],
      ['rate-limit/get', 404],
    ] as const) {
      expect(documentationUrl({ operation, status }, old)).toBe('https://developer.github.com/v3');
    }
  });
});
