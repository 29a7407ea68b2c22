import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Bench, Calls, openBench } from './octokit.ts';

/** Repositories, their files, branches, commits, releases and the git database, by the official client. */

let bench: Bench;
const lamp = { owner: 'octo-works', repo: 'lamp' };
const base64 = (text: string): string => Buffer.from(text).toString('base64');

beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

it('makes, reads, changes and lists repositories', async () => {
  const { rest } = bench;
  const calls = new Calls();
  await calls.is('get', rest.repos.get(lamp), { status: 200, data: { full_name: 'octo-works/lamp' } });
  const wish = { name: 'notebook', auto_init: true, description: 'Notes', private: true };
  await calls.is('create', rest.repos.createForAuthenticatedUser(wish), {
    status: 201,
    data: { full_name: 'mona/notebook', private: true, default_branch: 'main' },
  });
  const notebook = { owner: 'mona', repo: 'notebook' };
  await calls.is('create in org', rest.repos.createInOrg({ org: 'octo-works', name: 'shade' }), {
    status: 201,
    data: { full_name: 'octo-works/shade' },
  });
  await calls.is('update', rest.repos.update({ ...notebook, description: 'All notes', has_wiki: false }), {
    status: 200,
    data: { description: 'All notes', has_wiki: false },
  });
  await calls.is('topics', rest.repos.replaceAllTopics({ ...notebook, names: ['paper', 'ink'] }), {
    status: 200,
    data: { names: expect.arrayContaining(['paper', 'ink']) },
  });
  await calls.is('get topics', rest.repos.getAllTopics(notebook), { status: 200 });
  await calls.is('list own', rest.repos.listForAuthenticatedUser(), { status: 200 });
  await calls.is('list of org', rest.repos.listForOrg({ org: 'octo-works' }), { status: 200 });
  await calls.is('list of user', rest.repos.listForUser({ username: 'mona' }), { status: 200 });
  await calls.is('languages', rest.repos.listLanguages(lamp), { status: 200, data: { JavaScript: 76 } });
  await calls.is('contributors', rest.repos.listContributors(lamp), { status: 200 });
  await calls.is('licence', rest.licenses.getForRepo(lamp), { status: 200, data: { path: 'LICENSE' } });
  await calls.is('fork', rest.repos.createFork({ ...lamp }), { status: 202, data: { fork: true } });
  await calls.is('forks', rest.repos.listForks(lamp), { status: 200, data: [{ fork: true }] });
  await calls.is('rename', rest.repos.update({ ...notebook, name: 'jotter' }), {
    status: 200,
    data: { name: 'jotter' },
  });
  // The client follows where the old name points to.
  await calls.is('old name', rest.repos.get(notebook), { status: 200, data: { name: 'jotter' } });
  await calls.is('delete', rest.repos.delete({ owner: 'mona', repo: 'jotter' }), { status: 204 });
  await calls.is('gone', rest.repos.get({ owner: 'mona', repo: 'jotter' }), { status: 404 });
  calls.end();
});

it('writes files and reads them', async () => {
  const { rest } = bench;
  const calls = new Calls();
  await calls.is('readme', rest.repos.getReadme(lamp), { status: 200, data: { name: 'README.md' } });
  await calls.is('directory', rest.repos.getContent({ ...lamp, path: '' }), { status: 200 });
  const file = { ...lamp, path: 'docs/a b.md' };
  const made = (await calls.is(
    'create file',
    rest.repos.createOrUpdateFileContents({ ...file, message: 'Add', content: base64('one\n') }),
    { status: 201, data: { content: { path: 'docs/a b.md' } } },
  )) as { content: { sha: string } };
  await calls.is('read file', rest.repos.getContent(file), {
    status: 200,
    data: { encoding: 'base64', sha: '5626abf0f72e58d7a153368ba57db4c673c0e171' },
  });
  await calls.is('raw', rest.repos.getContent({ ...file, mediaType: { format: 'raw' } }), { status: 200 });
  await calls.is(
    'stale',
    rest.repos.createOrUpdateFileContents({
      ...file,
      message: 'Change',
      content: base64('two\n'),
      sha: '0'.repeat(40),
    }),
    { status: 409 },
  );
  const changed = (await calls.is(
    'update file',
    rest.repos.createOrUpdateFileContents({
      ...file,
      message: 'Change',
      content: base64('two\n'),
      sha: made.content.sha,
    }),
    { status: 200 },
  )) as { content: { sha: string } };
  await calls.is(
    'delete file',
    rest.repos.deleteFile({ ...file, message: 'Drop', sha: changed.content.sha }),
    {
      status: 200,
      data: { content: null },
    },
  );
  await calls.is('absent file', rest.repos.getContent(file), { status: 404 });
  calls.end();
});

it('works with branches and commits', async () => {
  const { rest } = bench;
  const calls = new Calls();
  const main = (await calls.is('ref', rest.git.getRef({ ...lamp, ref: 'heads/main' }), { status: 200 })) as {
    object: { sha: string };
  };
  const { sha } = main.object;
  await calls.is('create ref', rest.git.createRef({ ...lamp, ref: 'refs/heads/side', sha }), {
    status: 201,
    data: { ref: 'refs/heads/side' },
  });
  await calls.is('again', rest.git.createRef({ ...lamp, ref: 'refs/heads/side', sha }), { status: 422 });
  await calls.is('branches', rest.repos.listBranches(lamp), { status: 200 });
  await calls.is('branch', rest.repos.getBranch({ ...lamp, branch: 'side' }), {
    status: 200,
    data: { name: 'side', commit: { sha } },
  });
  await calls.is('commits', rest.repos.listCommits({ ...lamp, per_page: 2 }), { status: 200 });
  await calls.is('commit', rest.repos.getCommit({ ...lamp, ref: 'main' }), { status: 200, data: { sha } });
  await calls.is('compare', rest.repos.compareCommits({ ...lamp, base: 'main', head: 'dimmer' }), {
    status: 200,
    data: { ahead_by: 1 },
  });
  const basehead = 'main...dimmer';
  await calls.is('compare by basehead', rest.repos.compareCommitsWithBasehead({ ...lamp, basehead }), {
    status: 200,
    data: { files: [{ filename: 'src/dim.js' }] },
  });
  const comment = (await calls.is(
    'comment',
    rest.repos.createCommitComment({ ...lamp, commit_sha: sha, body: 'Good.' }),
    { status: 201 },
  )) as { id: number };
  await calls.is('comments', rest.repos.listCommentsForCommit({ ...lamp, commit_sha: sha }), { status: 200 });
  await calls.is('no comment', rest.repos.deleteCommitComment({ ...lamp, comment_id: comment.id }), {
    status: 204,
  });
  await calls.is('protect', protectSide(), { status: 200, data: { enforce_admins: { enabled: true } } });
  await calls.is('protection', rest.repos.getBranchProtection({ ...lamp, branch: 'side' }), { status: 200 });
  await calls.is('unprotect', rest.repos.deleteBranchProtection({ ...lamp, branch: 'side' }), {
    status: 204,
  });
  await calls.is('merge', rest.repos.merge({ ...lamp, base: 'side', head: 'dimmer' }), { status: 201 });
  await calls.is('merge nothing', rest.repos.merge({ ...lamp, base: 'side', head: 'dimmer' }), {
    status: 204,
  });
  await calls.is('delete ref', rest.git.deleteRef({ ...lamp, ref: 'heads/side' }), { status: 204 });
  await calls.is('tags', rest.repos.listTags(lamp), { status: 200, data: [{ name: 'v1.0.0' }] });
  calls.end();

  function protectSide() {
    return rest.repos.updateBranchProtection({
      ...lamp,
      branch: 'side',
      required_status_checks: { strict: true, contexts: ['build'] },
      enforce_admins: true,
      required_pull_request_reviews: null,
      restrictions: null,
    });
  }
});

it('writes git objects', async () => {
  const { rest } = bench;
  const calls = new Calls();
  const blob = (await calls.is('blob', rest.git.createBlob({ ...lamp, content: 'hi\n' }), {
    status: 201,
    data: { sha: '45b983be36b73c0788dc9cbcb76cbb80fc7bb057' },
  })) as { sha: string };
  await calls.is('get blob', rest.git.getBlob({ ...lamp, file_sha: blob.sha }), {
    status: 200,
    data: { size: 3 },
  });
  const head = (await rest.git.getRef({ ...lamp, ref: 'heads/main' })).data.object.sha;
  const entry = { path: 'hi.txt', mode: '100644' as const, type: 'blob' as const, sha: blob.sha };
  const tree = (await calls.is('tree', rest.git.createTree({ ...lamp, base_tree: head, tree: [entry] }), {
    status: 201,
  })) as { sha: string };
  await calls.is('get tree', rest.git.getTree({ ...lamp, tree_sha: tree.sha, recursive: 'true' }), {
    status: 200,
    data: { tree: expect.arrayContaining([expect.objectContaining({ path: 'hi.txt' })]) },
  });
  const commit = (await calls.is(
    'commit',
    rest.git.createCommit({ ...lamp, message: 'Say hi', tree: tree.sha, parents: [head] }),
    { status: 201, data: { message: 'Say hi' } },
  )) as { sha: string };
  await calls.is('get commit', rest.git.getCommit({ ...lamp, commit_sha: commit.sha }), { status: 200 });
  await calls.is('update ref', rest.git.updateRef({ ...lamp, ref: 'heads/main', sha: commit.sha }), {
    status: 200,
  });
  await calls.is('not forward', rest.git.updateRef({ ...lamp, ref: 'heads/main', sha: head }), {
    status: 422,
    data: { message: 'Update is not a fast forward' },
  });
  const tag = { ...lamp, tag: 'v2.0.0', message: 'Two', object: commit.sha, type: 'commit' as const };
  const made = (await calls.is('tag', rest.git.createTag(tag), { status: 201 })) as { sha: string };
  await calls.is('get tag', rest.git.getTag({ ...lamp, tag_sha: made.sha }), {
    status: 200,
    data: { tag: 'v2.0.0' },
  });
  await calls.is('matching', rest.git.listMatchingRefs({ ...lamp, ref: 'heads/d' }), { status: 200 });
  calls.end();
});

it('publishes releases with their files', async () => {
  const { rest } = bench;
  const calls = new Calls();
  const release = (await calls.is(
    'create',
    rest.repos.createRelease({ ...lamp, tag_name: 'v3.0.0', name: 'Three', body: 'Brighter.' }),
    { status: 201, data: { tag_name: 'v3.0.0', draft: false } },
  )) as { id: number };
  await calls.is('again', rest.repos.createRelease({ ...lamp, tag_name: 'v3.0.0' }), { status: 422 });
  const at = { ...lamp, release_id: release.id };
  const asset = (await calls.is(
    'upload',
    rest.repos.uploadReleaseAsset({ ...at, name: 'lamp.bin', data: 'light', baseUrl: bench.server.url }),
    { status: 201, data: { name: 'lamp.bin', size: 5 } },
  )) as { id: number };
  await calls.is('assets', rest.repos.listReleaseAssets(at), { status: 200, data: [{ name: 'lamp.bin' }] });
  await calls.is('asset', rest.repos.getReleaseAsset({ ...lamp, asset_id: asset.id }), { status: 200 });
  await calls.is('latest', rest.repos.getLatestRelease(lamp), { status: 200, data: { id: release.id } });
  await calls.is('by tag', rest.repos.getReleaseByTag({ ...lamp, tag: 'v3.0.0' }), { status: 200 });
  await calls.is('update', rest.repos.updateRelease({ ...at, prerelease: true }), {
    status: 200,
    data: { prerelease: true },
  });
  await calls.is('list', rest.repos.listReleases(lamp), { status: 200 });
  await calls.is('delete asset', rest.repos.deleteReleaseAsset({ ...lamp, asset_id: asset.id }), {
    status: 204,
  });
  await calls.is('delete', rest.repos.deleteRelease(at), { status: 204 });
  calls.end();
});

it('was asked more than sixty times', () => {
  expect(bench.count()).toBeGreaterThan(60);
});
