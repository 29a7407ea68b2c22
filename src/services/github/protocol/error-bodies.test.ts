import { describe, expect, it } from 'vitest';
import { openScene } from '../scene.test-kit.ts';

const NONE = { owner: 'octo-works', repo: 'none' };

describe('the body of an error', () => {
  it('repeats the status since the spring of 2024', () => {
    const missing = (atMs: number) => Object.keys(openScene(atMs).call('issues/list-for-repo', NONE).body);
    expect(missing(Date.UTC(2024, 1, 13))).toEqual(['message', 'documentation_url']);
    expect(missing(Date.UTC(2024, 10, 20))).toEqual(['message', 'documentation_url', 'status']);
  });

  it('is another where an upload is refused: it names the request', () => {
    const { call } = openScene();
    const file = { owner: 'octo-works', repo: 'lamp', release_id: 310_000_001, name: 'twice', data: 'AQID' };
    expect(call('repos/upload-release-asset', file).status).toBe(201);
    const { status, body, headers } = call('repos/upload-release-asset', file);
    expect([status, headers['cache-control']]).toEqual([422, 'no-cache']);
    expect(body).toEqual({
      message: 'Validation Failed',
      request_id: headers['x-github-request-id'],
      documentation_url: 'https://docs.github.com/rest',
      errors: [{ resource: 'ReleaseAsset', code: 'already_exists', field: 'name' }],
      status: '422',
    });
  });
});

describe('an answer of nothing', () => {
  it('has a type only in the years in which it had one', () => {
    const typeIn = (year: number) =>
      openScene(Date.UTC(year, 0, 1)).call('repos/delete', { owner: 'mona', repo: 'dotfiles' }).headers[
        'content-type'
      ];
    expect([2017, 2019, 2020, 2026].map(typeIn)).toEqual([
      undefined,
      'application/octet-stream',
      undefined,
      undefined,
    ]);
  });
});
