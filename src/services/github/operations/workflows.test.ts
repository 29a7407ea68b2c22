import { describe, expect, it } from 'vitest';
import { isWithin } from '../rules/run-lists.ts';
import { readWorkflow } from '../rules/workflow-files.ts';
import { openScene } from '../scene.test-kit.ts';

const lamp = { owner: 'octo-works', repo: 'lamp' };
const release = { ...lamp, workflow_id: 'release.yml' };
const MINUTE_MS = 60_000;

describe('a dispatched run', () => {
  it('waits, works and ends as time goes by', () => {
    const { call, session } = openScene();
    expect(call('actions/create-workflow-dispatch', { ...release, ref: 'main' }).status).toBe(204);
    const run = (): { id: number; status: string; conclusion: string | null } =>
      call('actions/list-workflow-runs', release).body.workflow_runs[0];
    expect(run()).toMatchObject({ status: 'queued', conclusion: null, run_number: 1 });
    session.wait(5_000);
    expect(run().status).toBe('in_progress');
    session.wait(MINUTE_MS);
    expect(run()).toMatchObject({ status: 'completed', conclusion: 'success' });
    const jobs = call('actions/list-jobs-for-workflow-run', { ...lamp, run_id: run().id }).body;
    expect(jobs.jobs[0]).toMatchObject({ status: 'completed', conclusion: 'success' });
  });

  it('can be cancelled while it is at work, and run again after', () => {
    const { call } = openScene();
    call('actions/create-workflow-dispatch', { ...release, ref: 'main' });
    const run_id = call('actions/list-workflow-runs', release).body.workflow_runs[0].id;
    const one = { ...lamp, run_id };
    expect(call('actions/delete-workflow-run', one).status).toBe(403);
    expect(call('actions/re-run-workflow', one).status).toBe(403);
    expect(call('actions/cancel-workflow-run', one).status).toBe(202);
    expect(call('actions/get-workflow-run', one).body).toMatchObject({
      status: 'completed',
      conclusion: 'cancelled',
    });
    expect(call('actions/cancel-workflow-run', one).status).toBe(409);
    expect(call('actions/re-run-workflow', one).status).toBe(201);
    expect(call('actions/get-workflow-run', one).body).toMatchObject({ status: 'queued', run_attempt: 2 });
  });

  it('is refused where the workflow is disabled, and where there is no such branch', () => {
    const { call } = openScene();
    call('actions/disable-workflow', release);
    expect(call('actions/create-workflow-dispatch', { ...release, ref: 'main' }).status).toBe(422);
    call('actions/enable-workflow', release);
    expect(call('actions/create-workflow-dispatch', release).body.message).toContain(
      '"ref" wasn\'t supplied',
    );
  });
});

describe('what a run leaves', () => {
  it('is had by an address on another host', () => {
    const { call } = openScene();
    const told = call('actions/download-artifact', {
      ...lamp,
      artifact_id: 2_900_000_001,
      archive_format: 'zip',
    });
    expect(told.status).toBe(302);
    expect(told.headers.location).toMatch(/^https:\/\/pipelines\.actions\.githubusercontent\.com\//u);
    const run = { ...lamp, run_id: 16_000_000_001 };
    call('actions/delete-workflow-run-logs', run);
    expect(call('actions/download-workflow-run-logs', run).status).toBe(404);
  });

  it('is listed by state, conclusion and moment', () => {
    const { call } = openScene();
    const count = (filters: Record<string, string>): number =>
      call('actions/list-workflow-runs-for-repo', { ...lamp, ...filters }).body.total_count;
    expect([count({ status: 'completed' }), count({ status: 'success' }), count({ event: 'push' })]).toEqual([
      2, 1, 2,
    ]);
    expect(count({ created: '<2026-03-01' })).toBe(0);
    expect(isWithin('2026-03-02T09:00:00Z', '2026-03-01..2026-03-02')).toBe(true);
    expect(isWithin('2026-03-02T09:00:00Z', '>2026-03-02T09:00:00Z')).toBe(false);
  });
});

describe('a workflow file', () => {
  it('tells its triggers, its inputs and its jobs', () => {
    const file = readWorkflow(
      [
        'name: Release',
        'on:',
        '  push:',
        '    branches: [main]',
        '  workflow_dispatch:',
        '    inputs:',
        '      version:',
        '        required: true',
        '      channel:',
        '        required: true',
        '        default: stable',
        'jobs:',
        '  build:',
        '    runs-on: ubuntu-latest',
        '  publish:',
        '    needs: build',
      ].join('\n'),
    );
    expect(file.name).toBe('Release');
    expect(file.triggers).toEqual(['push', 'workflow_dispatch']);
    expect([...file.inputs]).toEqual([
      ['version', { required: true, hasDefault: false }],
      ['channel', { required: true, hasDefault: true }],
    ]);
    expect(file.jobs).toEqual(['build', 'publish']);
    expect(readWorkflow('on: [push, pull_request]\n').triggers).toEqual(['push', 'pull_request']);
  });
});
