import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../service/index.ts';
import { readGpgKey } from '../rules/gpg.ts';
import { renderMarkdown } from '../rules/markdown.ts';
import { openScene } from '../scene.test-kit.ts';

const one = { installation_id: 95_000_001 };

describe('installations', () => {
  it('are given tokens for all that they have, or for less', () => {
    const { call } = openScene();
    const whole = call('apps/create-installation-access-token', one);
    expect(whole).toMatchObject({ status: 201, body: { repository_selection: 'all' } });
    expect(whole.body.permissions).toMatchObject({ issues: 'write' });
    const part = call('apps/create-installation-access-token', {
      ...one,
      repositories: ['lamp'],
      permissions: { issues: 'read' },
    }).body;
    expect(part).toMatchObject({ repository_selection: 'selected', permissions: { issues: 'read' } });
    expect(part.repositories).toHaveLength(1);
    const much = { ...one, permissions: { administration: 'write' } };
    expect(call('apps/create-installation-access-token', much).status).toBe(422);
    const unknown = { ...one, repositories: ['nowhere'] };
    expect(call('apps/create-installation-access-token', unknown).status).toBe(422);
  });

  it('act as the app, as far as their token goes, for an hour', () => {
    const { call, session } = openScene();
    const credential = String(call('apps/create-installation-access-token', one).body.token);
    const act = (tool: string, input: JsonObject): { status: number; body: JsonObject } => {
      const { status, body } = session.call({ tool, input, credential });
      return { status, body: body as JsonObject };
    };
    const lamp = { owner: 'octo-works', repo: 'lamp' };
    const made = act('issues/create', { ...lamp, title: 'The lamp is out' });
    expect(made).toMatchObject({ status: 201, body: { user: { login: 'lamp-keeper[bot]', type: 'Bot' } } });
    const refused = act('repos/update', { ...lamp, description: 'Mine' });
    expect(refused).toMatchObject({
      status: 403,
      body: { message: 'Resource not accessible by integration' },
    });
    session.wait(3_600_000);
    expect(act('repos/get', lamp)).toMatchObject({ status: 401, body: { message: 'Bad credentials' } });
  });

  it('have the repositories that were picked', () => {
    const { call } = openScene();
    const id = call('repos/get', { owner: 'octo-works', repo: 'lamp' }).body.id;
    call('apps/remove-repo-from-installation-for-authenticated-user', { ...one, repository_id: id });
    const left = call('apps/list-installation-repos-for-authenticated-user', one).body;
    expect(left).toMatchObject({ total_count: 2, repository_selection: 'selected' });
  });

  it('are gone once they are deleted', () => {
    const { call } = openScene();
    call('apps/delete-installation', one);
    expect(call('apps/get-installation', one).status).toBe(404);
    expect(call('apps/get-org-installation', { org: 'octo-works' }).status).toBe(404);
  });
});

describe('an app made of a manifest', () => {
  it('is made once', () => {
    const { call } = openScene();
    const code = 'a'.repeat(40);
    expect(call('apps/create-from-manifest', { code }).body.slug).toBe('lamp-tester');
    expect(call('apps/create-from-manifest', { code }).status).toBe(404);
    expect(call('apps/get-by-slug', { app_slug: 'lamp-tester' }).status).toBe(200);
  });
});

describe("a person's token", () => {
  it('is good until it is reset or taken back', () => {
    const { call } = openScene();
    const shown = { client_id: 'lamp-keeper-client', access_token: 'gho-example-of-a-token' };
    expect(call('apps/check-token', shown).body.user.login).toBe('mona');
    expect(call('apps/reset-token', shown).status).toBe(200);
    expect(call('apps/check-token', shown).status).toBe(404);
    expect(call('apps/delete-token', shown).status).toBe(404);
  });
});

describe('limits', () => {
  it('agree with the headers', () => {
    const { call } = openScene();
    const before = call('repos/get', { owner: 'octo-works', repo: 'lamp' }).headers;
    const { resources, rate } = call('rate-limit/get').body;
    expect(String(resources.core.remaining)).toBe(before['x-ratelimit-remaining']);
    expect(rate).toEqual(resources.core);
    expect(resources.search.limit).toBe(30);
  });
});

describe('Markdown', () => {
  it('becomes HTML, and nothing in it runs', () => {
    expect(renderMarkdown('# Warm **light**\n\n- a\n- `b<c`\n\n<script>')).toBe(
      [
        '<h1>Warm <strong>light</strong></h1>',
        '<ul>\n<li>a</li>\n<li><code>b&lt;c</code></li>\n</ul>',
        '<p>&lt;script&gt;</p>',
      ].join('\n'),
    );
  });
});

describe('GPG keys', () => {
  it('are read off their packets', () => {
    const at = { id: 1, nextId: () => 2, created_at: '2026-03-02T09:00:00Z' };
    const armoured =
      '-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nmAYEAAAAAAE=\n-----END PGP PUBLIC KEY BLOCK-----\n';
    expect(readGpgKey(armoured, at)).toMatchObject({ key_id: '8E6D399CC45DFE81', subkeys: [], emails: [] });
    expect(readGpgKey('no key at all', at)).toBeNull();
  });
});
