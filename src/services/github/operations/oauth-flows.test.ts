import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, tokenOf } from '../../../../test/servers.ts';
import type { HostedSession } from '../../../gateway/host/index.ts';
import type { RunningServer } from '../../../gateway/serve.ts';

/** The flows by which people let apps act for them, over HTTP as apps and browsers come to them. */

let server: RunningServer;
let session: HostedSession;
const app = { client_id: 'lamp-keeper-client', client_secret: 'example' };

beforeAll(async () => {
  server = await startTestServer({ services: ['github'] });
  session = server.host.open();
});
afterAll(() => server.close());

/** A request without a token: the session is in the path. */
async function post(path: string, form: Record<string, string>, token?: string) {
  const base = `${server.url}/_groundhog/s/${tokenOf(session, null)}/github`;
  const response = await fetch(`${base}${path}`, {
    method: 'POST',
    headers: { 'user-agent': 'test', ...(token && { authorization: `Bearer ${token}` }) },
    body: new URLSearchParams(form),
  });
  const body = (await response.json()) as Record<string, string | number>;
  return { status: response.status, body };
}

async function whose(token: unknown): Promise<{ login: string | null; scopes: string | null }> {
  const headers = { authorization: `Bearer ${String(token)}`, 'user-agent': 'test' };
  const response = await fetch(`${server.url}/user`, { headers });
  const { login = null } = (await response.json()) as { login?: string };
  return { login, scopes: response.headers.get('x-oauth-scopes') };
}

describe('the web flow', () => {
  it('sends the browser back with a code, which is good once', async () => {
    const base = `${server.url}/_groundhog/s/${tokenOf(session, null)}/github`;
    const asked = new URLSearchParams({
      client_id: app.client_id,
      redirect_uri: 'https://lamps.example/back?x=1',
      scope: 'repo user',
      state: 'a b',
      login: 'hubert',
    });
    const page = await fetch(`${base}/login/oauth/authorize?${asked}`, {
      redirect: 'manual',
      headers: { 'user-agent': 'test' },
    });
    expect(page.status).toBe(302);
    const back = new URL(page.headers.get('location') ?? '');
    expect([back.host, back.searchParams.get('x'), back.searchParams.get('state')]).toEqual([
      'lamps.example',
      '1',
      'a b',
    ]);
    const code = back.searchParams.get('code') ?? '';
    const token = await post('/login/oauth/access_token', { ...app, code });
    expect(token).toMatchObject({ status: 200, body: { token_type: 'bearer', scope: 'repo,user' } });
    expect(await whose(token.body.access_token)).toEqual({ login: 'hubert', scopes: 'repo, user' });
    expect((await post('/login/oauth/access_token', { ...app, code })).body.error).toBe(
      'bad_verification_code',
    );
  });

  it('refuses a wrong secret with 200', async () => {
    const wrong = { ...app, client_secret: 'other', code: 'x' };
    expect(await post('/login/oauth/access_token', wrong)).toMatchObject({
      status: 200,
      body: { error: 'incorrect_client_credentials' },
    });
  });
});

describe('the device flow', () => {
  const poll = (device_code: unknown) =>
    post('/login/oauth/access_token', {
      client_id: app.client_id,
      device_code: String(device_code),
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    });
  const wait = (seconds: number) => server.host.wait(session, seconds * 1_000);

  it('waits for the person, and asks for patience', async () => {
    const { body } = await post('/login/device/code', { client_id: app.client_id, scope: 'gist' });
    expect(body).toMatchObject({
      user_code: expect.stringMatching(/^[A-Z]{4}-[A-Z]{4}$/u),
      verification_uri: 'https://github.com/login/device',
      expires_in: 900,
      interval: 5,
    });
    expect((await poll(body.device_code)).body.error).toBe('authorization_pending');
    expect((await poll(body.device_code)).body).toMatchObject({ error: 'slow_down', interval: 10 });
    await post('/login/device', { user_code: String(body.user_code) }, tokenOf(session, 'github'));
    await wait(11);
    const given = await poll(body.device_code);
    expect(given.body).toMatchObject({ token_type: 'bearer', scope: 'gist' });
    expect(await whose(given.body.access_token)).toEqual({ login: 'mona', scopes: 'gist' });
  });

  it('ends after a quarter of an hour, or with a no', async () => {
    const { body } = await post('/login/device/code', { client_id: app.client_id });
    await wait(901);
    expect((await poll(body.device_code)).body.error).toBe('expired_token');
    const other = (await post('/login/device/code', { client_id: app.client_id })).body;
    const no = { user_code: String(other.user_code), authorize: '0' };
    await post('/login/device', no, tokenOf(session, 'github'));
    expect((await poll(other.device_code)).body.error).toBe('access_denied');
    expect((await poll('unknown')).body.error).toBe('incorrect_device_code');
  });
});
