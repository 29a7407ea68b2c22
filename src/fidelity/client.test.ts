import { describe, expect, it } from 'vitest';
import type { Json } from '../base/json.ts';
import { wireRequest } from './client.ts';

function sent(body: Json, type = 'application/json') {
  const headers = { 'content-type': type };
  const request = { method: 'POST', host: null, path: '/files', query: {}, headers, auth: 'none', body };
  return wireRequest('http://replica.example', request, {}).body;
}

describe('a recorded body', () => {
  it('is sent as it was: JSON, a form, or a text that is neither', () => {
    expect(sent({ name: 'a' })).toBe('{"name":"a"}');
    expect(sent({ name: 'a b' }, 'application/x-www-form-urlencoded')).toBe('name=a%20b');
    expect(sent('a,b')).toBe('a,b');
    expect(sent({ $text: 'Hello, world!\n' }, 'text/plain')).toBe('Hello, world!\n');
    expect(sent({ $text: 'a', more: 1 })).toBe('{"$text":"a","more":1}');
  });
});
