import { describe, expect, it } from 'vitest';
import { cutBody } from './cutting.ts';
import { Redaction } from './redaction.ts';
import { isRedacted } from './volatile.ts';

const BODY = {
  id: 12,
  node_id: 'U_kgDO',
  login: 'octo-person',
  name: 'Jo Octo',
  company: 'Acme Ltd',
  email: 'jo@acme.test',
  html_url: 'https://github.com/octo-person/spoon-knife',
  name_of_thing: 'spoon-knife',
  client_secret: 'abc',
  body: 'Ask @octo-person or jo@acme.test at 10.1.2.3, version 1.2.3, not octo-persons',
};

function redacted(key = 'key') {
  const redaction = new Redaction(['sesame'], key);
  redaction.learn(BODY);
  return { redaction, body: redaction.body(BODY) };
}

describe('redaction', () => {
  it('puts stand-ins in place of who somebody is, and keeps ids and the work', () => {
    const { body } = redacted();
    const text = JSON.stringify(body);
    for (const secret of ['Jo Octo', 'Acme', 'jo@', 'octo-person/', 'abc', '10.1.2.3']) {
      expect(text).not.toContain(secret);
    }
    expect(body).toMatchObject({ id: 12, node_id: 'U_kgDO', name_of_thing: 'spoon-knife' });
    expect(text).toContain('version 1.2.3, not octo-persons');
  });

  it('gives what the comparison knows as redacted', () => {
    const { login, name, email, client_secret } = redacted().body as Readonly<Record<string, string>>;
    for (const text of [login, name, email, client_secret]) expect(isRedacted(text ?? '')).toBe(true);
  });

  it('gives the same for the same, everywhere, and another for another key', () => {
    const { redaction, body } = redacted();
    const { login } = body as { readonly login: string };
    expect(redaction.text('/repos/octo-person/spoon-knife')).toBe(`/repos/${login}/spoon-knife`);
    expect(redacted().body).toEqual(body);
    expect(redacted('other').body).not.toEqual(body);
  });

  it('leaves no token anywhere', () => {
    const made = `gh${'p'}_${'0'.repeat(36)}`;
    expect(redacted().redaction.text(`sesame ${made}`)).toMatch(/^REDACTED-\w{6} REDACTED-\w{6}$/u);
  });
});

describe('a body for a corpus', () => {
  it('is cut where it is long, and says so', () => {
    const { body, cuts } = cutBody({
      text: 'x'.repeat(301),
      items: [{}, {}, {}, { text: 'gone' }],
      names: ['a', 'b', 'c', 'd'],
    });
    expect(body).toEqual({ text: 'x'.repeat(300), items: [{}, {}, {}], names: ['a', 'b', 'c', 'd'] });
    expect(cuts).toEqual([
      { at: '/text', why: 'text', kept: 300, of: 301 },
      { at: '/items', why: 'array', kept: 3, of: 4 },
    ]);
  });
});
