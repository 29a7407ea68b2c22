import { describe, expect, it } from 'vitest';
import { InvariantError } from '../../base/errors.ts';
import { SeededRandom } from '../../base/random.ts';
import { servedSource } from '../../runner/served.ts';
import { type HostedSession, SessionHost } from './index.ts';

/** Two sessions on one seed: what one of them does neither shows nor changes anything of the other. */

const SECRET = 'only of the other session';

async function other(host: SessionHost, session: HostedSession): Promise<readonly string[]> {
  const via = { door: 'rest' } as const;
  const input = { notebook_id: 'book_1', title: SECRET, body: SECRET, request_key: SECRET };
  const note = await host.call(session, { tool: 'create_note', input }, via);
  const issued = await host.call(session, { tool: 'tokens.create', input: { scope: 'write' } }, via);
  await host.checkpoint(session, SECRET);
  return [
    ...session.credentials.flatMap(({ token, worldToken }) => [token, ...(worldToken ? [worldToken] : [])]),
    String((note.body as { id?: string }).id),
    String((issued.body as { access_token?: string }).access_token),
  ];
}

describe('sessions beside each other', () => {
  it('neither see nor change one another, whatever is called with whichever text of the other', async () => {
    const source = await servedSource({ services: ['notes', 'helpdesk'] });
    const host = new SessionHost({ source, sessionsMost: 10, nowMs: Date.now });
    const alone = new SessionHost({ source, sessionsMost: 10, nowMs: Date.now });
    const [mine, twin] = [host.open(), alone.open()];
    const theirs = host.open({ ...source.defaults, seed: 'theirs' });
    const texts = [...(await other(host, theirs)), theirs.id, SECRET, 'book_1', 'note_seed0001', '88213'];
    const before = JSON.stringify(host.summary(theirs));
    const steps = theirs.episode.session.lastStepLine();
    const operations = source.services.flatMap((service) => service.operations);
    const random = SeededRandom.from('leak');
    const [own] = mine.credentials;
    for (let index = 0; index < 600; index += 1) {
      const operation = random.pick(operations);
      const input = Object.fromEntries(
        Object.entries(operation.example).map(([name, value]) => [
          name,
          typeof value === 'string' && random.integer(0, 2) === 0 ? random.pick(texts) : value,
        ]),
      );
      const call = { tool: operation.id, input };
      const given = await host.call(mine, call, { door: 'rest', ...(own && { credential: own }) });
      const expected = await alone.call(twin, call, { door: 'rest' });
      // Equal to what a session gets that never had another one beside it: nothing came over. Tokens apart,
      // which are drawn.
      if (operation.issuedTokens) expect(given.ok).toBe(expected.ok);
      else expect(given).toEqual(expected);
    }
    expect(JSON.stringify(host.summary(theirs))).toBe(before);
    expect(theirs.episode.session.lastStepLine()).toBe(steps);
    expect(host.summary(mine).full).toBe(alone.summary(twin).full);
  });

  it('are not opened by the credential of another one, whoever asks', async () => {
    const source = await servedSource({ services: ['notes'] });
    const host = new SessionHost({ source, sessionsMost: 2, nowMs: Date.now });
    const [mine, theirs] = [host.open(), host.open()];
    const [credential] = mine.credentials;
    if (!credential) throw new Error('a session has credentials');
    const call = { tool: 'list_notes', input: {} };
    expect(() => host.call(theirs, call, { door: 'rest', credential })).toThrow(InvariantError);
    expect(host.summary(theirs).steps).toBe(0);
  });
});
