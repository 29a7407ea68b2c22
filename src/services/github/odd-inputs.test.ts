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
