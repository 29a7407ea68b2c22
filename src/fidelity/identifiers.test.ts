import { describe, expect, it } from 'vitest';
import { IdentifierMap } from './identifiers.ts';
import type { CorpusRequest } from './types.ts';

const SHA = 'a'.repeat(40);
const OWN_SHA = 'b'.repeat(40);

function request(part: Partial<CorpusRequest>): CorpusRequest {
  return { method: 'GET', host: null, path: '/', query: {}, headers: {}, auth: 'token', body: null, ...part };
}

function learned(): IdentifierMap {
  const map = new IdentifierMap();
  map.learn(
    {
      id: 987654,
      number: 3,
      sha: SHA,
      node_id: 'MDQ6VXNlcjE=',
      url: 'https://h/repos/a/b/issues/3',
      title: '3',
    },
    { id: 11, number: 1, sha: OWN_SHA, node_id: 'I_1', url: 'https://h/repos/a/b/issues/1', title: '3' },
  );
  return map;
}

describe('ids of a recording', () => {
  it('are replaced in paths, also small numbers where the path says whose they are', () => {
    const map = learned();
    expect(map.requestFor(request({ path: '/x/987654' })).path).toBe('/x/11');
    expect(map.requestFor(request({ path: '/repos/a/b/issues/3/labels' })).path).toBe(
      '/repos/a/b/issues/1/labels',
    );
    expect(map.requestFor(request({ path: '/repos/a/other/issues/3' })).path).toBe('/repos/a/other/issues/3');
    expect(map.requestFor(request({ path: `/compare/${SHA}...main` })).path).toBe(
      `/compare/${OWN_SHA}...main`,
    );
  });

  it('are replaced in queries and bodies, by whole values', () => {
    const sent = learned().requestFor(
      request({
        query: { after: '987654', q: 'about 987654' },
        body: { sha: SHA, count: 987654, issue_id: 987654, milestone: 3, size: 3, ids: [987654], text: '3' },
      }),
    );
    expect(sent.query).toEqual({ after: '11', q: 'about 987654' });
    expect(sent.body).toEqual({
      sha: OWN_SHA,
      count: 11,
      issue_id: 11,
      milestone: 1,
      size: 3,
      ids: [11],
      text: '3',
    });
  });

  it('that were alike on both sides stay', () => {
    const map = new IdentifierMap();
    map.learn({ id: 5000 }, { id: 5000 });
    map.learn({ id: 5000 }, { id: 6000 });
    expect(map.valueFor(5000, 'id')).toBe(5000);
  });

  it('are not learned from lists of different lengths', () => {
    const map = new IdentifierMap();
    map.learn([{ id: 5000 }], [{ id: 1 }, { id: 2 }]);
    expect(map.valueFor(5000, 'id')).toBe(5000);
  });
});
