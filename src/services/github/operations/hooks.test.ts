import { describe, expect, it } from 'vitest';
import { openScene } from '../scene.test-kit.ts';

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
