import { describe, expect, it } from 'vitest';
import { openScene } from '../scene.test-kit.ts';

const LAMP = { owner: 'octo-works', repo: 'lamp' };

describe('old paths of teams', () => {
  it('say where the new ones are, beside the pages of a list', () => {
    const { call } = openScene();
    const { id } = call('teams/get-by-name', { org: 'octo-works', team_slug: 'makers' }).body;
    const org = call('orgs/get', { org: 'octo-works' }).body.id;
    const repository = call('repos/get', LAMP).body.id;
    const place = `https://api.github.com/organizations/${org}/team/${id}`;
    const given = call('teams/add-or-update-repo-permissions-legacy', { ...LAMP, team_id: id });
    expect(given).toMatchObject({ status: 204, headers: { sunset: 'Mon, 01 Feb 2021 00:00:00 GMT' } });
    expect(given.headers.link).toContain(`<${place}/repositories/${repository}>; rel="alternate"`);
    const { link = '' } = call('teams/list-members-legacy', { team_id: id, per_page: 1 }).headers;
    expect(link).toContain('rel="next"');
    expect(link).toContain(`<${place}/members>; rel="alternate"`);
  });

  it('said nothing of it before', () => {
    const { call } = openScene(Date.UTC(2019, 5, 1));
    const { id } = call('teams/get-by-name', { org: 'octo-works', team_slug: 'makers' }).body;
    expect(call('teams/get-legacy', { team_id: id }).headers.link).toBeUndefined();
  });
});
