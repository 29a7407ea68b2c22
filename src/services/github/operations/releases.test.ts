import { describe, expect, it } from 'vitest';
import { openScene, type Scene } from '../scene.test-kit.ts';

const LAMP = { owner: 'octo-works', repo: 'lamp' };

function release(scene: Scene, wish: Record<string, string | boolean>) {
  return scene.call('repos/create-release', { ...LAMP, ...(wish as { tag_name: string }) });
}

describe('a release', () => {
  it('makes its tag when it is published, and not before', () => {
    const scene = openScene();
    const tag = () => scene.call('git/get-ref', { ...LAMP, ref: 'tags/v2' }).status;
    const draft = release(scene, { tag_name: 'v2', draft: true }).body;
    expect(draft).toMatchObject({ draft: true, published_at: null, tarball_url: null });
    expect(tag()).toBe(404);
    expect(scene.call('repos/get-release-by-tag', { ...LAMP, tag: 'v2' }).status).toBe(404);
    const place = { ...LAMP, release_id: draft.id };
    const published = scene.call('repos/update-release', { ...place, draft: false }).body;
    expect(published.published_at).not.toBeNull();
    expect(tag()).toBe(200);
    scene.call('repos/delete-release', place);
    expect(tag()).toBe(200);
  });

  it('is the latest by its commit, or by choice; drafts and previews never are', () => {
    const scene = openScene();
    const latest = () => scene.call('repos/get-latest-release', LAMP).body.tag_name;
    const target_commitish = 'dimmer';
    release(scene, { tag_name: 'v2-beta', prerelease: true, target_commitish });
    expect(latest()).toBe('v1.0.0');
    const { id } = release(scene, { tag_name: 'v2', make_latest: 'false', target_commitish }).body;
    expect(latest()).toBe('v1.0.0');
    scene.call('repos/update-release', { ...LAMP, release_id: id, make_latest: 'true' });
    expect(latest()).toBe('v2');
    release(scene, { tag_name: 'v3', target_commitish });
    expect(latest()).toBe('v2');
  });

  it('refuses what it cannot be of', () => {
    const scene = openScene();
    const errors = (wish: Record<string, string>) => release(scene, wish).body.errors[0];
    expect(errors({ tag_name: 'v1.0.0' })).toEqual({
      resource: 'Release',
      code: 'already_exists',
      field: 'tag_name',
    });
    expect(errors({ tag_name: 'v9', target_commitish: 'nowhere' })).toMatchObject({
      code: 'invalid',
      field: 'target_commitish',
    });
    const category = release(scene, { tag_name: 'v9', discussion_category_name: 'nothing' });
    expect(category.status).toBe(404);
    expect(category.body.message).toMatch(/^Discussion could not be created\./u);
  });

  it('holds files by name, whose bytes are given on demand', () => {
    const scene = openScene();
    const place = { ...LAMP, release_id: 310_000_001 };
    const data = Buffer.from('Hello').toString('base64');
    const made = scene.call('repos/upload-release-asset', {
      ...place,
      name: 'a b.txt',
      data,
      content_type: 'text/plain',
    });
    expect(made.body).toMatchObject({
      name: 'a.b.txt',
      size: 5,
      content_type: 'text/plain',
      state: 'uploaded',
    });
    const asset = { ...LAMP, asset_id: made.body.id };
    const bytes = scene.call('repos/get-release-asset', asset, { accept: 'application/octet-stream' });
    expect([bytes.headers['content-type'], bytes.body]).toEqual(['application/octet-stream', data]);
    expect(scene.call('repos/get-release', place).body.assets).toHaveLength(2);
    expect(scene.call('repos/delete-release-asset', asset).status).toBe(204);
    expect(scene.call('repos/get-release-asset', asset).status).toBe(404);
  });
});
