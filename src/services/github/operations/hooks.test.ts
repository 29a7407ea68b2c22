import { describe, expect, it } from 'vitest';
import { hmacHex } from '../../../base/digest.ts';
import { openScene } from '../scene.test-kit.ts';

interface Sent {
  readonly type: string;
  readonly data: { readonly headers: Readonly<Record<string, string>>; readonly body: string };
}

const lamp = { owner: 'octo-works', repo: 'lamp' };
const config = { url: 'https://lamps.example/new', secret: 'hush' };

describe('hooks', () => {
  it('never show their secret, and are pinged at once', () => {
    const { call } = openScene();
    const made = call('repos/create-webhook', { ...lamp, config });
    expect(made).toMatchObject({
      status: 201,
      body: {
        events: ['push'],
        active: true,
        config: { url: config.url, content_type: 'form', insecure_ssl: '0', secret: '********' },
        last_response: { status: 'unused' },
      },
    });
    expect(made.headers.location).toBe(made.body.url);
    const hook = { ...lamp, hook_id: made.body.id };
    expect(call('repos/list-webhook-deliveries', hook).body).toMatchObject([{ event: 'ping' }]);
    expect(call('repos/get-webhook', hook).body.last_response.code).toBe(200);
  });

  it('refuse other names than web, no address, and the same twice', () => {
    const { call } = openScene();
    const refused = (input: object): number => call('repos/create-webhook', { ...lamp, ...input }).status;
    expect(refused({ name: 'email', config })).toBe(422);
    expect(refused({ name: 'web', config: {} })).toBe(422);
    expect([refused({ config }), refused({ config })]).toEqual([201, 422]);
  });

  it('are told again of what they were told', () => {
    const { call } = openScene();
    const hook = { ...lamp, hook_id: 550_000_001 };
    call('repos/ping-webhook', hook);
    const [latest] = call('repos/list-webhook-deliveries', hook).body;
    const again = { ...hook, delivery_id: latest.id };
    expect(call('repos/redeliver-webhook-delivery', again).status).toBe(202);
    const told = call('repos/list-webhook-deliveries', { ...hook, per_page: 1 });
    expect(told.body[0]).toMatchObject({ guid: latest.guid, redelivery: true });
    const cursor = /cursor=([^&>]+)/u.exec(told.headers.link ?? '')?.[1] ?? '';
    const next = call('repos/list-webhook-deliveries', { ...hook, per_page: 1, cursor });
    expect(next.body[0].id).toBe(latest.id);
    expect(next.headers.link).toContain('rel="prev"');
  });

  it('are signed with their secret, over the body as it is sent', () => {
    const { call, session } = openScene();
    // The value of the documentation on validating deliveries.
    expect(hmacHex('sha256', "It's a Secret to Everybody", 'Hello, World!')).toBe(
      '757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
    );
    const made = call('repos/create-webhook', { ...lamp, config: { ...config, content_type: 'json' } });
    call('repos/ping-webhook', { ...lamp, hook_id: made.body.id });
    const event = session.steps().at(-1)?.events?.[0] as Sent | undefined;
    expect(event).toMatchObject({ type: 'webhook', data: { url: config.url } });
    const { headers, body } = event?.data ?? { headers: {}, body: '' };
    expect(headers['X-Hub-Signature-256']).toBe(`sha256=${hmacHex('sha256', config.secret, body)}`);
    expect(headers['X-Hub-Signature']).toBe(`sha1=${hmacHex('sha1', config.secret, body)}`);
    expect(JSON.parse(body)).toMatchObject({ hook_id: made.body.id });
  });

  it('keep what a change of their config leaves out', () => {
    const { call } = openScene();
    const hook = { ...lamp, hook_id: 550_000_001 };
    call('repos/update-webhook-config-for-repo', { ...hook, content_type: 'form' });
    expect(call('repos/get-webhook-config-for-repo', hook).body).toMatchObject({
      url: 'https://lamps.example/hook',
      content_type: 'form',
      secret: '********',
    });
    const changed = call('repos/update-webhook', {
      ...hook,
      add_events: ['release'],
      remove_events: ['push'],
    });
    expect(changed.body.events).toEqual(['issues', 'release']);
  });
});

describe('hooks are told', () => {
  const hook = { ...lamp, hook_id: 550_000_001 };
  const told = (scene: ReturnType<typeof openScene>): object[] =>
    scene
      .call('repos/list-webhook-deliveries', hook)
      .body.map(({ event, action, id }: { event: string; action: string | null; id: number }) => ({
        event,
        action,
        payload: scene.call('repos/get-webhook-delivery', { ...hook, delivery_id: id }).body.request.payload,
      }));

  it('of issues that are opened, changed and closed', () => {
    const scene = openScene();
    const { number } = scene.call('issues/create', { ...lamp, title: 'Dark' }).body;
    scene.call('issues/update', { ...lamp, issue_number: number, title: 'Darker', state: 'closed' });
    const [closed, edited, opened] = told(scene);
    expect(opened).toMatchObject({ event: 'issues', action: 'opened' });
    expect(edited).toMatchObject({ action: 'edited', payload: { changes: { title: { from: 'Dark' } } } });
    expect(closed).toMatchObject({
      action: 'closed',
      payload: {
        action: 'closed',
        issue: { number, state: 'closed', title: 'Darker' },
        repository: { name: 'lamp' },
        organization: { login: 'octo-works' },
        sender: { login: 'mona' },
      },
    });
  });

  it('of pushes, however they come about', () => {
    const scene = openScene();
    const content = Buffer.from('news').toString('base64');
    const file = { ...lamp, path: 'news.md', message: 'News', content };
    const made = scene.call('repos/create-or-update-file-contents', file).body;
    expect(told(scene)[0]).toMatchObject({
      event: 'push',
      action: null,
      payload: {
        ref: 'refs/heads/main',
        after: made.commit.sha,
        forced: false,
        commits: [{ id: made.commit.sha, message: 'News' }],
        pusher: { name: 'mona' },
      },
    });
  });

  it('of nothing that they did not ask for', () => {
    const scene = openScene();
    const before = told(scene).length;
    scene.call('issues/create-label', { ...lamp, name: 'dim', color: 'ffffff' });
    scene.call('activity/star-repo-for-authenticated-user', lamp);
    expect(told(scene)).toHaveLength(before);
  });

  it('of everything, where they asked for everything', () => {
    const scene = openScene();
    scene.call('repos/update-webhook', { ...hook, events: ['*'] });
    const before = told(scene).length;
    const issue = { ...lamp, issue_number: 1 };
    scene.call('issues/create-comment', { ...issue, body: 'So dark.' });
    scene.call('issues/add-labels', { ...issue, labels: ['dim'] });
    scene.call('activity/star-repo-for-authenticated-user', lamp);
    scene.call('git/create-ref', { ...lamp, ref: 'refs/heads/hook-test', sha: shaOf(scene) });
    scene.call('git/delete-ref', { ...lamp, ref: 'heads/hook-test' });
    const news = told(scene).slice(0, told(scene).length - before) as { event: string; action: string }[];
    expect(news.toReversed().map(({ event, action }) => `${event} ${String(action)}`)).toEqual([
      'issue_comment created',
      'issues labeled',
      'star created',
      'watch started',
      'create null',
      'push null',
      'delete null',
      'push null',
    ]);
  });

  const shaOf = (scene: ReturnType<typeof openScene>): string =>
    scene.call('git/get-ref', { ...lamp, ref: 'heads/main' }).body.object.sha;
});
