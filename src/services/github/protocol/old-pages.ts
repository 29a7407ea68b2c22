/** Where the reference of before August 2020 told of operations, by the page and then its headings. */
const HEADINGS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  issues: {
    'issues/get': 'get-a-single-issue',
    'issues/create': 'create-an-issue',
    'issues/update': 'edit-an-issue',
    'issues/list-for-repo': 'list-issues-for-a-repository',
    'issues/lock': 'lock-an-issue',
  },
  'issues/comments': {
    'issues/get-comment': 'get-a-single-comment',
    'issues/create-comment': 'create-a-comment',
    'issues/update-comment': 'edit-a-comment',
    'issues/delete-comment': 'delete-a-comment',
  },
  'issues/labels': {
    'issues/get-label': 'get-a-single-label',
    'issues/create-label': 'create-a-label',
    'issues/update-label': 'update-a-label',
    'issues/delete-label': 'delete-a-label',
    'issues/add-labels': 'add-labels-to-an-issue',
    'issues/remove-label': 'remove-a-label-from-an-issue',
  },
  'issues/milestones': {
    'issues/get-milestone': 'get-a-single-milestone',
    'issues/create-milestone': 'create-a-milestone',
    'issues/update-milestone': 'update-a-milestone',
    'issues/delete-milestone': 'delete-a-milestone',
  },
  pulls: {
    'pulls/get': 'get-a-single-pull-request',
    'pulls/create': 'create-a-pull-request',
    'pulls/update': 'update-a-pull-request',
    'pulls/merge': 'merge-a-pull-request-merge-button',
    'pulls/check-if-merged': 'get-if-a-pull-request-has-been-merged',
  },
  'git/refs': {
    'git/get-ref': 'get-a-reference',
    'git/create-ref': 'create-a-reference',
    'git/update-ref': 'update-a-reference',
    'git/delete-ref': 'delete-a-reference',
  },
  'git/commits': { 'git/get-commit': 'get-a-commit', 'git/create-commit': 'create-a-commit' },
  'git/trees': { 'git/get-tree': 'get-a-tree', 'git/create-tree': 'create-a-tree' },
  'git/blobs': { 'git/get-blob': 'get-a-blob', 'git/create-blob': 'create-a-blob' },
  'repos/contents': {
    'repos/get-content': 'get-contents',
    'repos/get-readme': 'get-the-readme',
    'repos/create-or-update-file-contents': 'create-or-update-a-file',
    'repos/delete-file': 'delete-a-file',
  },
  'repos/branches': {
    'repos/get-branch': 'get-branch',
    'repos/get-branch-protection': 'get-branch-protection',
    'repos/update-branch-protection': 'update-branch-protection',
  },
  'repos/releases': {
    'repos/get-release': 'get-a-single-release',
    'repos/get-latest-release': 'get-the-latest-release',
    'repos/get-release-by-tag': 'get-a-release-by-tag-name',
    'repos/create-release': 'create-a-release',
    'repos/update-release': 'edit-a-release',
    'repos/delete-release': 'delete-a-release',
  },
  'repos/traffic': { 'repos/get-views': 'views', 'repos/get-clones': 'clones' },
  'repos/hooks': { 'repos/get-webhook': 'get-single-hook', 'repos/create-webhook': 'create-a-hook' },
  orgs: { 'orgs/get': 'get-an-organization' },
  'orgs/hooks': { 'orgs/get-webhook': 'get-single-hook', 'orgs/create-webhook': 'create-a-hook' },
  'orgs/members': {
    'orgs/check-membership-for-user': 'check-membership',
    'orgs/check-public-membership-for-user': 'check-public-membership',
    'orgs/set-public-membership-for-authenticated-user': 'publicize-a-users-membership',
  },
  gists: {
    'gists/get': 'get-a-single-gist',
    'gists/create': 'create-a-gist',
    'gists/update': 'edit-a-gist',
    'gists/delete': 'delete-a-gist',
  },
  'checks/suites': {
    'checks/create-suite': 'create-a-check-suite',
    'checks/set-suites-preferences': 'set-preferences-for-check-suites-on-a-repository',
  },
  oauth_authorizations: { 'apps/delete-authorization': 'revoke-a-grant-for-an-application' },
};

const PAGES: ReadonlyMap<string, string> = new Map(
  Object.entries(HEADINGS).flatMap(([page, headings]) =>
    Object.entries(headings).map(([operation, heading]) => [operation, `${page}/#${heading}`] as const),
  ),
);

/** The page of an operation in the old reference, without its host; undefined where it is not known. */
export function oldPageOf(operation: string): string | undefined {
  return PAGES.get(operation);
}
