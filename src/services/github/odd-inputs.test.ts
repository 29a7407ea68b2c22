import { describe, expect, it } from 'vitest';
import { openScene } from './scene.test-kit.ts';

/** Inputs that nobody means, which once broke something. */

describe('numbers that are none', () => {
  it.each(['abc', '1e999', 'Infinity', '-1e400'])(
    'begin the list of all repositories at its start: %s',
    (since) => {
      const { call } = openScene();
      const { status, body } = call('repos/list-public', { since });
      expect(status).toBe(200);
      expect(body).toEqual(call('repos/list-public').body);
    },
  );
});

const LAMP = { owner: 'octo-works', repo: 'lamp' };

describe('milestones that are no number', () => {
  const refusal = {
    status: '422',
    errors: [{ value: 'v1', resource: 'Issue', field: 'milestone', code: 'invalid' }],
  };

  it.each([
    ['issues/create', { title: 'It hums' }],
    ['issues/update', { issue_number: 1 }],
    ['issues/list-for-repo', {}],
  ])('are refused: %s', (operation, input) => {
    const { call, session } = openScene();
    const before = session.world.contentDigest();
    expect(call(operation, { ...LAMP, ...input, milestone: 'v1' }).body).toMatchObject(refusal);
    expect(session.world.contentDigest()).toBe(before);
  });
});

describe('numbers in a path', () => {
  it.each(['abc', '1.5', '1e99', {}])('lead nowhere when they are none: %j', (issue_number) => {
    const { status, body } = openScene().call('issues/get', { ...LAMP, issue_number });
    expect([status, body.message]).toEqual([404, 'Not Found']);
  });
});

describe('texts with half a character', () => {
  it.each([
    ['repos/update-release', { release_id: 310_000_001, tag_name: '\ud800' }],
    ['issues/create-label', { name: '\udc00' }],
    ['repos/create-or-update-file-contents', { path: 'a\ud800', message: 'Half', content: '' }],
  ])('have URLs all the same: %s', (operation, input) => {
    expect(openScene().call(operation, { ...LAMP, ...input }).status).toBeLessThan(300);
  });
});

describe('names of what every object has', () => {
  it.each(['constructor', 'toString', '__proto__'])('are no templates, licences or endings: %s', (name) => {
    const { call } = openScene();
    expect(call('gitignore/get-template', { name }).status).toBe(404);
    const made = { name: 'odd', license_template: name, gitignore_template: name };
    expect(call('repos/create-for-authenticated-user', made).status).toBe(201);
    const file = { ...LAMP, path: `odd.${name}`, message: 'Odd', content: 'b2Rk' };
    expect(call('repos/create-or-update-file-contents', file).status).toBe(201);
    expect(Object.keys(call('repos/list-languages', LAMP).body)).not.toContain('undefined');
  });
});

describe('methods that a tool has not', () => {
  it.each(['__proto__', 'constructor', 'nope'])('are refused: %s', (method) => {
    const { body } = openScene().call('pull_request_read', { ...LAMP, pullNumber: 4, method });
    expect(JSON.stringify(body)).toContain(`unknown method: ${method}`);
  });
});

describe('names of refs', () => {
  const sha = '510fb7830815143bd825087477f14c8f53997460';

  it.each([
    ['heads/x', "Reference name must start with 'refs/' and contain at least two slashes."],
    ['refs/heads/a b', 'refs/heads/a b is not a valid ref name.'],
    ['refs/heads/a..b', 'refs/heads/a..b is not a valid ref name.'],
    ['refs/heads/main/below', 'Reference update failed'],
  ])('that git does not take are refused: %s', (ref, message) => {
    const { status, body } = openScene().call('git/create-ref', { ...LAMP, ref, sha });
    expect([status, body.message]).toEqual([422, message]);
  });

  it('may not be a folder of others', () => {
    const { call } = openScene();
    expect(call('git/create-ref', { ...LAMP, ref: 'refs/heads/dim/deep', sha }).status).toBe(201);
    const above = call('git/create-ref', { ...LAMP, ref: 'refs/heads/dim', sha });
    expect(above.body.message).toBe('Reference update failed');
    expect(call('git/create-ref', { ...LAMP, ref: 'refs/heads/dimmed', sha }).status).toBe(201);
  });
});

describe('paths that git takes into no tree', () => {
  it.each(['.git/config', 'a/.GIT/x', 'a//b', '../up', 'a/.', 'nul\0'])('are refused: %s', (path) => {
    const { call } = openScene();
    const file = call('repos/create-or-update-file-contents', { ...LAMP, path, message: 'Odd', content: '' });
    const tree = [{ path, mode: '100644', type: 'blob', content: 'x' }];
    expect([file.status, call('git/create-tree', { ...LAMP, tree }).status]).toEqual([422, 422]);
  });
});

describe('requests to the graph that ask for too much', () => {
  const problemOf = (query: string, variables = {}) =>
    openScene().call('graphql', { query, variables }).body.errors?.[0];
  const issues =
    'repository(owner: "octo-works", name: "lamp") { issues(first: $n) { nodes { comments(first: 100) { totalCount } } } }';

  it('are refused by the nodes that may come, those within each other multiplied', () => {
    const many = Array.from({ length: 50 }, (_, index) => `a${index}: ${issues}`).join(' ');
    expect(problemOf(`query ($n: Int) { ${many} }`, { n: 100 })).toEqual({
      type: 'MAX_NODE_LIMIT_EXCEEDED',
      message: 'This query requests up to 505,000 possible nodes which exceeds the maximum limit of 500,000.',
    });
    expect(problemOf(`query ($n: Int) { ${many} }`, { n: 1 })).toBeUndefined();
  });

  it('are refused by their fields, however few words double them', () => {
    const bombs = Array.from(
      { length: 40 },
      (_, index) =>
        `fragment F${index} on Repository { a: parent { ...F${index + 1} } b: parent { ...F${index + 1} } }`,
    );
    const query = `{ repository(owner: "mona", name: "dotfiles") { ...F0 } } ${bombs.join(' ')} fragment F40 on Repository { id }`;
    expect(problemOf(query)).toMatchObject({ type: 'RESOURCE_LIMITS_EXCEEDED' });
  });
});

describe('archived repositories', () => {
  const archived = () => {
    const scene = openScene();
    expect(scene.call('repos/update', { ...LAMP, archived: true }).status).toBe(200);
    return scene;
  };

  it.each([
    ['issues/create-label', { name: 'late', color: 'ffffff' }],
    ['issues/add-labels', { issue_number: 1, labels: ['bug'] }],
    ['issues/lock', { issue_number: 1 }],
    ['issues/create-milestone', { title: 'v9' }],
    ['reactions/create-for-issue', { issue_number: 1, content: 'eyes' }],
    ['repos/update', { description: 'No more' }],
    ['repos/add-collaborator', { username: 'rowan' }],
  ])('are only read: %s', (operation, input) => {
    const { call } = archived();
    const { status, body } = call(operation, { ...LAMP, ...input });
    expect([status, body.message]).toEqual([403, 'Repository was archived so is read-only.']);
  });

  it('may be starred, forked and unarchived', () => {
    const { call } = archived();
    expect(call('activity/star-repo-for-authenticated-user', LAMP).status).toBe(204);
    expect(call('repos/create-fork', LAMP).status).toBe(202);
    expect(call('repos/update', { ...LAMP, archived: false }).status).toBe(200);
    expect(call('issues/create-label', { ...LAMP, name: 'late', color: 'ffffff' }).status).toBe(201);
  });
});

describe('texts that are too long', () => {
  const long = 'x'.repeat(65_537);

  it.each([
    ['issues/create', { title: 'x'.repeat(257) }, 'title is too long (maximum is 256 characters)'],
    ['issues/create', { title: 'x', body: long }, 'body is too long (maximum is 65536 characters)'],
    ['issues/update', { issue_number: 1, body: long }, 'body is too long (maximum is 65536 characters)'],
    [
      'issues/create-comment',
      { issue_number: 1, body: long },
      'Body is too long (maximum is 65536 characters)',
    ],
    ['pulls/update', { pull_number: 4, body: long }, 'body is too long (maximum is 65536 characters)'],
    ['issues/create-label', { name: 'x'.repeat(51) }, 'name is too long (maximum is 50 characters)'],
    [
      'issues/update-label',
      { name: 'bug', description: long },
      'description is too long (maximum is 100 characters)',
    ],
  ])('are refused: %s', (operation, input, message) => {
    const { status, body } = openScene().call(operation, { ...LAMP, ...input });
    expect([status, body.errors[0].message]).toEqual([422, message]);
  });

  it('are counted in characters, and are no labels either', () => {
    const { call } = openScene();
    expect(call('issues/create', { ...LAMP, title: '💡'.repeat(256) }).status).toBe(201);
    const { body } = call('issues/add-labels', { ...LAMP, issue_number: 1, labels: ['bug', ' '] });
    expect(body.errors).toEqual([{ value: ' ', resource: 'Label', field: 'name', code: 'invalid' }]);
  });
});

describe('trees', () => {
  it('hold under a mode only what it is for', () => {
    const { call } = openScene();
    const head = call('git/get-commit', { ...LAMP, commit_sha: '510fb7830815143bd825087477f14c8f53997460' });
    const { sha } = head.body.tree;
    const tree = [{ path: 'a', mode: '100644', type: 'blob', sha }];
    const { status, body } = call('git/create-tree', { ...LAMP, tree });
    expect([status, body.message]).toEqual([422, `tree.sha ${sha} is not a valid blob`]);
    const below = [{ path: 'a', mode: '040000', type: 'tree', sha }];
    expect(call('git/create-tree', { ...LAMP, tree: below }).status).toBe(201);
  });
});

describe('quotes within quotes', () => {
  it('are rendered to a depth, and are words beyond it', () => {
    const { status, body } = openScene().call('markdown/render', { text: `${'> '.repeat(5_000)}deep` });
    expect(status).toBe(200);
    expect(String(body).match(/<blockquote>/gu)).toHaveLength(50);
  });
});

describe('labels of one issue', () => {
  const names = (count: number) => Array.from({ length: count }, (_, index) => `l${index}`);

  it('are a hundred at most', () => {
    const { call } = openScene();
    const put = (labels: string[]) => call('issues/add-labels', { ...LAMP, issue_number: 2, labels });
    const before = call('issues/list-labels-on-issue', { ...LAMP, issue_number: 2 }).body.length;
    const message = 'Validation Failed. Issues cannot have more than 100 labels';
    expect(put(names(101)).body).toMatchObject({ message, errors: [] });
    expect(put(names(100 - before)).body).toHaveLength(100);
    expect(put(['one more']).body.message).toBe(message);
    expect(call('issues/set-labels', { ...LAMP, issue_number: 2, labels: names(101) }).status).toBe(422);
  });
});

describe('names of nothing', () => {
  it('are no titles of milestones', () => {
    const { body } = openScene().call('issues/create-milestone', { ...LAMP, title: ' ' });
    expect(body.errors).toEqual([{ resource: 'Milestone', code: 'missing_field', field: 'title' }]);
  });

  it.each(['a b', '..', 'v1.lock'])('are no tags of releases, nor is %s', (tag_name) => {
    const { status, body } = openScene().call('repos/create-release', { ...LAMP, tag_name });
    expect([status, body.errors[0].message]).toEqual([422, 'tag_name is not a valid tag']);
  });
});
