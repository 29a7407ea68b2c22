import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { openScene, type Scene } from '../scene.test-kit.ts';

const LAMP = { owner: 'octo-works', repo: 'lamp' };
const HEAD = '510fb7830815143bd825087477f14c8f53997460';

function commitOf(scene: Scene, input: Record<string, unknown>) {
  return scene.call('git/create-commit', { ...LAMP, ...(input as Record<string, string>) });
}

describe('git objects', () => {
  it('have the hashes that git gives them', () => {
    const scene = openScene();
    const tree = scene.call('git/create-tree', {
      ...LAMP,
      tree: [{ path: 'a', mode: '100644', type: 'blob', content: '' }],
    }).body;
    expect(tree.sha).toBe('496d6428b9cf92981dc9495211e6e1120fb6f2ba');
    const person = { name: 'Ada', email: 'ada@example.com', date: '2026-03-01T10:00:00Z' };
    const { body } = commitOf(scene, { message: 'Same', tree: tree.sha, author: person, committer: person });
    const lines = [
      `tree ${tree.sha}`,
      'author Ada <ada@example.com> 1772359200 +0000',
      'committer Ada <ada@example.com> 1772359200 +0000',
      '',
      'Same',
    ];
    const git = ['hash-object', '-t', 'commit', '--stdin', '--literally'];
    expect(body.sha).toBe(execFileSync('git', git, { input: lines.join('\n'), encoding: 'utf8' }).trim());
    expect(body.verification).toMatchObject({ verified: false, reason: 'unsigned', signature: null });
  });

  it('refuse what does not fit together', () => {
    const scene = openScene();
    const words = (told: { status: number; body: { message: string } }) => [told.status, told.body.message];
    expect(words(commitOf(scene, { message: 'x', tree: 'f'.repeat(40) }))).toEqual([
      422,
      'Tree SHA does not exist',
    ]);
    const tree = scene.call('git/create-tree', {
      ...LAMP,
      base_tree: HEAD,
      tree: [{ path: 'nowhere', mode: '100644', type: 'blob', sha: null }],
    });
    expect(words(tree)).toEqual([422, 'GitRPC::BadObjectState']);
    const nameless = scene.call('git/create-ref', { ...LAMP, ref: 'heads', sha: HEAD });
    expect(nameless.status).toBe(422);
    const missing = scene.call('git/create-ref', { ...LAMP, ref: 'refs/heads/x', sha: 'f'.repeat(40) });
    expect(words(missing)).toEqual([422, 'Object does not exist']);
  });

  it('tell what a signature is worth', () => {
    const scene = openScene();
    const tree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
    const reason = (signature: string) =>
      commitOf(scene, { message: 'x', tree, signature }).body.verification.reason;
    expect(reason('unknown')).toBe('unknown_signature_type');
    const armour = (inside: string) =>
      `-----BEGIN PGP SIGNATURE-----\n${inside}\n-----END PGP SIGNATURE-----`;
    expect(reason(armour('invalid'))).toBe('gpgverify_error');
    expect(reason(armour(`\n${'iQEz'.repeat(20)}`))).toBe('unknown_key');
  });

  it('list a tree with everything below, directories before what is in them', () => {
    const scene = openScene();
    const { body } = scene.call('git/get-tree', { ...LAMP, tree_sha: 'main', recursive: '1' });
    const paths = body.tree.map((entry: { path: string }) => entry.path);
    expect(paths).toEqual(['LICENSE', 'README.md', 'docs', 'docs/README.md', 'src', 'src/dim.js']);
    // A branch's tree goes by the hash of its commit.
    expect(body.sha).toBe(HEAD);
  });
});

describe('refs', () => {
  it('move forward freely, and back by force', () => {
    const scene = openScene();
    const dimmer = scene.call('git/get-ref', { ...LAMP, ref: 'heads/dimmer' }).body.object.sha;
    const move = (sha: string, force?: boolean) =>
      scene.call('git/update-ref', { ...LAMP, ref: 'heads/dimmer', sha, ...(force && { force }) });
    expect(move(HEAD).body.message).toBe('Update is not a fast forward');
    expect(move(HEAD, true).body.object.sha).toBe(HEAD);
    expect(move(dimmer).status).toBe(200);
  });

  it('of protected branches are neither forced nor deleted', () => {
    const scene = openScene();
    const protect = { required_status_checks: null, required_pull_request_reviews: null, restrictions: null };
    const place = { ...LAMP, branch: 'dimmer' };
    scene.call('repos/update-branch-protection', { ...place, ...protect, enforce_admins: null });
    const gone = scene.call('git/delete-ref', { ...LAMP, ref: 'heads/dimmer' });
    expect(gone.body.message).toBe('Cannot delete this protected branch');
    const forced = scene.call('git/update-ref', { ...LAMP, ref: 'heads/dimmer', sha: HEAD, force: true });
    expect(forced.body.message).toBe('Cannot force-push to this protected branch');
    scene.call('repos/update-branch-protection', {
      ...place,
      ...protect,
      enforce_admins: null,
      allow_deletions: true,
      allow_force_pushes: true,
    });
    expect(scene.call('git/delete-ref', { ...LAMP, ref: 'heads/dimmer' }).status).toBe(204);
  });

  it('name annotated tags, which releases and commits see through', () => {
    const scene = openScene();
    const tag = scene.call('git/create-tag', {
      ...LAMP,
      tag: 'v2.0.0',
      message: 'Two',
      object: HEAD,
      type: 'commit',
    }).body;
    scene.call('git/create-ref', { ...LAMP, ref: 'refs/tags/v2.0.0', sha: tag.sha });
    expect(scene.call('git/get-ref', { ...LAMP, ref: 'tags/v2.0.0' }).body.object.type).toBe('tag');
    expect(scene.call('repos/list-tags', LAMP).body.map((one: { name: string }) => one.name)).toEqual([
      'v2.0.0',
      'v1.0.0',
    ]);
    expect(scene.call('repos/get-commit', { ...LAMP, ref: 'v2.0.0' }).body.sha).toBe(HEAD);
    expect(scene.call('repos/get-commit', { ...LAMP, ref: HEAD.slice(0, 8) }).body.sha).toBe(HEAD);
  });
});
