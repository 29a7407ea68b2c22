import type { Probe } from '../../../service/index.ts';
import { answered, fact, probeOf } from './fact.ts';

const LAMP = { owner: 'octo-works', repo: 'lamp' };
const HEAD = '510fb7830815143bd825087477f14c8f53997460';
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** Files, git objects, refs, branches, commits, comparisons and merges. */
export const gitProbes: readonly Probe[] = [
  fact('repos/get-content', { type: 'file', encoding: 'base64', path: 'README.md' }),
  probeOf('repos/get-content', {
    title: 'a directory, by name',
    input: { ...LAMP, path: '' },
    facts: { '0.name': 'LICENSE', '1.name': 'README.md', '2.type': 'dir', '2.size': 0 },
  }),
  probeOf('repos/get-content', {
    title: 'a path where nothing is',
    input: { ...LAMP, path: 'nowhere.md' },
    status: 404,
    facts: { message: 'Not Found' },
  }),
  fact('repos/get-readme', { name: 'README.md', type: 'file' }),
  fact('repos/get-readme-in-directory', { path: 'docs/README.md' }),
  fact('licenses/get-for-repo', { path: 'LICENSE', 'license.spdx_id': 'MIT' }),
  // The blob of `Hi\n` is what git makes of it.
  fact(
    'repos/create-or-update-file-contents',
    { 'content.sha': 'b14df6442ea5a1b382985a6549b85d435376c351', 'commit.message': 'Take notes' },
    201,
  ),
  probeOf('repos/create-or-update-file-contents', {
    title: 'over a file without its hash',
    input: { ...LAMP, path: 'README.md', message: 'Again', content: 'SGkK', branch: 'dimmer' },
    status: 422,
    facts: { message: 'Invalid request.\n\n"sha" wasn\'t supplied.' },
  }),
  probeOf('repos/create-or-update-file-contents', {
    title: 'over a file that is another one by now',
    input: { ...LAMP, path: 'README.md', message: 'Again', content: 'SGkK', branch: 'dimmer', sha: HEAD },
    status: 409,
    facts: { message: `README.md does not match ${HEAD}` },
  }),
  probeOf('repos/create-or-update-file-contents', {
    title: 'with what is no base64',
    input: { ...LAMP, path: 'x.md', message: 'Again', content: 'a', branch: 'dimmer' },
    status: 422,
    facts: { message: 'content is not valid Base64' },
  }),
  fact('repos/delete-file', { content: null, 'commit.message': 'Say less' }),
  fact('git/create-blob', { sha: '9890b343e86fdcca754905483624eef70accc75c' }, 201),
  fact('git/get-blob', { encoding: 'base64' }),
  fact('git/create-tree', { 'tree.0.path': 'notes.md', truncated: false }, 201),
  fact('git/get-tree', { 'tree.0.path': 'LICENSE', truncated: false }),
  fact('git/create-commit', { 'tree.sha': EMPTY_TREE, 'verification.reason': 'unsigned' }, 201),
  fact('git/get-commit', { message: 'Dim by ten per cent' }),
  fact('git/create-tag', { tag: 'v2.0.0', 'object.type': 'commit' }, 201),
  fact('git/get-tag', { tag: 'v1.0.0', 'object.sha': HEAD }),
  fact('git/get-ref', { ref: 'refs/heads/main', 'object.sha': HEAD }),
  fact('git/list-matching-refs', { '0.ref': 'refs/heads/dimmer' }),
  fact('git/create-ref', { ref: 'refs/heads/brighter', 'object.sha': HEAD }, 201),
  probeOf('git/create-ref', {
    title: 'one that is there',
    input: { ...LAMP, ref: 'refs/heads/main', sha: HEAD },
    status: 422,
    facts: { message: 'Reference already exists' },
  }),
  fact('git/update-ref', { ref: 'refs/heads/main', 'object.sha': HEAD }),
  probeOf('git/update-ref', {
    title: 'back, without force',
    input: { ...LAMP, ref: 'heads/dimmer', sha: HEAD },
    status: 422,
    facts: { message: 'Update is not a fast forward' },
  }),
  probeOf('git/delete-ref', {
    title: 'one that is not there',
    input: { ...LAMP, ref: 'heads/nowhere' },
    status: 422,
    facts: { message: 'Reference does not exist' },
  }),
  ...answered(204, null, ['git/delete-ref']),
  fact('repos/list-branches', { '0.name': 'dimmer', '0.protected': false }),
  fact('repos/get-branch', { name: 'main', 'commit.sha': HEAD, protected: true }),
  fact('repos/rename-branch', { name: 'darker' }, 201),
  fact('repos/list-tags', { '0.name': 'v1.0.0', '0.commit.sha': HEAD }),
  fact('repos/list-commits', { '0.sha': HEAD, '0.author.login': 'hubert' }),
  fact('repos/get-commit', { sha: HEAD, 'stats.additions': 3, 'files.0.status': 'added' }),
  probeOf('repos/get-commit', {
    title: 'one that nobody made',
    input: { ...LAMP, ref: 'nowhere' },
    status: 422,
    facts: { message: 'No commit found for SHA: nowhere' },
  }),
  fact('repos/compare-commits-with-basehead', { status: 'ahead', ahead_by: 1, behind_by: 0 }),
  fact('repos/list-branches-for-head-commit', { '0.name': 'main', '0.commit.sha': HEAD }),
  fact('repos/create-commit-comment', { body: 'Well done.', commit_id: HEAD, line: null }, 201),
  fact('repos/list-comments-for-commit', { '0.body': 'Tested on three lamps.' }),
  fact('repos/list-commit-comments-for-repo', { '0.body': 'Tested on three lamps.' }),
  fact('repos/get-commit-comment', { body: 'Tested on three lamps.' }),
  fact('repos/update-commit-comment', { body: 'Well done!' }),
  fact('reactions/list-for-commit-comment', { '0.content': 'heart' }),
  fact('reactions/create-for-commit-comment', { content: 'rocket' }, 201),
  ...answered(204, null, ['repos/delete-commit-comment', 'reactions/delete-for-commit-comment']),
  // Whoever administers the lamp may merge past the rules of its branch.
  fact('repos/merge', { 'commit.message': 'Merge dimmer into main', 'parents.0.sha': HEAD }, 201),
  probeOf('repos/merge', {
    title: 'what is merged already',
    input: { ...LAMP, base: 'dimmer', head: 'main' },
    status: 204,
    facts: { '': null },
  }),
  probeOf('repos/merge', {
    title: 'into nowhere',
    input: { ...LAMP, base: 'nowhere', head: 'main' },
    status: 404,
    facts: { message: 'Base does not exist' },
  }),
  fact('repos/merge-upstream', { merge_type: 'fast-forward', base_branch: 'octo-works:main' }),
  ...answered(302, '', ['repos/download-tarball-archive', 'repos/download-zipball-archive']),
];
