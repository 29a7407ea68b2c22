import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../base/json.ts';

const BIN = new URL('../../../bin/groundhog.js', import.meta.url).pathname;

const PLANS = `plans:
  - id: refund-silent
    rules:
      - {id: refund-lost, match: {tool: refund}, effect: {kind: response-lost}, label: answer lost}
  - id: ticket-down
    rules:
      - {id: ticket-down, match: {tool: get_ticket}, effect: {kind: reject, status: 503}, label: down}
`;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'groundhog-resilience-'));
  writeFileSync(join(folder, 'plans.yaml'), PLANS);
});
afterAll(() => rmSync(folder, { recursive: true }));

function groundhog(...words: string[]): {
  status: number | null;
  stderr: string;
  stdout: string;
  json: JsonObject;
} {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...words], {
    cwd: folder,
    encoding: 'utf8',
  });
  const last = stdout.trim().split('\n').at(-1) ?? '';
  return { status, stderr, stdout, json: last.startsWith('{') ? (JSON.parse(last) as JsonObject) : {} };
}

const run = (out: string, ...more: string[]) =>
  groundhog(
    'run',
    'helpdesk/refund-88213',
    'helpdesk/lost-mail',
    '--agent',
    'careful',
    '--out',
    out,
    ...more,
  );

const trialsOf = (out: string): readonly JsonObject[] =>
  readFileSync(join(folder, out, 'results.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as JsonObject);

describe('run --faults', () => {
  it('runs each scenario without and under each plan, and tells trials apart that were not hit', () => {
    const { status, json, stdout } = run('threads', '--faults', 'plans.yaml', '--json');
    expect(status).toBe(0);
    expect(json.trials).toBe(6);
    expect(json.faults).toEqual({
      plans: [
        { id: 'refund-silent', trials: 2, hit: 2, notHit: 0 },
        { id: 'ticket-down', trials: 2, hit: 0, notHit: 2 },
      ],
      hit: 2,
      notHit: 2,
    });
    expect((json.success as JsonObject).n).toBe(6);
    expect(stdout.trim().split('\n')).toHaveLength(1);
    const names = trialsOf('threads').map(({ scenario }) => scenario);
    expect(names.sort()).toEqual([
      'lost-mail',
      'lost-mail@refund-silent',
      'lost-mail@ticket-down',
      'refund-88213',
      'refund-88213@refund-silent',
      'refund-88213@ticket-down',
    ]);
  });

  it('gives the same bytes with threads and inline', () => {
    expect(run('inline', '--faults', 'plans.yaml', '--engine', 'inline').status).toBe(0);
    const files = readdirSync(join(folder, 'threads/trajectories')).sort();
    expect(readdirSync(join(folder, 'inline/trajectories')).sort()).toEqual(files);
    for (const file of files) {
      const [one, other] = ['threads', 'inline'].map((out) =>
        readFileSync(join(folder, out, 'trajectories', file), 'utf8'),
      );
      expect(one, file).toBe(other);
    }
  });

  it('leaves a run without plans as it is', () => {
    const { json } = run('plain', '--json');
    expect(json.faults).toBeUndefined();
    const config = JSON.parse(readFileSync(join(folder, 'plain/run.json'), 'utf8')) as { config: JsonObject };
    expect(config.config.faults).toBeUndefined();
  });

  it('draws the same swarm for the same seed, and another for another', () => {
    const plansOf = (out: string, seed: string): Json => {
      run(out, '--swarm', '3', '--swarm-seed', seed);
      const { config } = JSON.parse(readFileSync(join(folder, out, 'run.json'), 'utf8')) as {
        config: JsonObject;
      };
      return (config.faults as JsonObject).plans as Json;
    };
    const plans = plansOf('swarm-a', 'a');
    expect(plans).toMatchObject([{ id: 'swarm-1' }, { id: 'swarm-2' }, { id: 'swarm-3' }]);
    expect(plansOf('swarm-again', 'a')).toEqual(plans);
    expect(plansOf('swarm-b', 'b')).not.toEqual(plans);
  });

  it('refuses a plan that cannot be had, with the place, and writes nothing', () => {
    writeFileSync(join(folder, 'bad.yaml'), PLANS.replace('tool: get_ticket', 'tool: get_tickt'));
    const { status, stderr } = run('bad', '--faults', 'bad.yaml');
    expect(status).toBe(2);
    expect(stderr).toMatch(/bad\.yaml:7:41: there is no tool named get_tickt/u);
    expect(stderr).toMatch(/did you mean get_ticket/u);
    expect(existsSync(join(folder, 'bad'))).toBe(false);
  });

  it('goes neither step by step nor with a seed alone', () => {
    expect(run('no', '--faults', 'plans.yaml', '--mode', 'stepwise').status).toBe(2);
    expect(run('no', '--swarm-seed', '1').status).toBe(2);
    expect(run('no', '--swarm', '99999999').stderr).toMatch(/--swarm takes at most 10000 plans/u);
    expect(existsSync(join(folder, 'no'))).toBe(false);
  });

  it('is played again with the plans that it had', () => {
    const again = groundhog('compare', 'threads', 'inline', '--rerun-baseline', '--json');
    expect(again.status).toBe(0);
    expect(again.json).toMatchObject({ n: 6, delta: { value: 0 }, leftOut: [] });
  });

  it('is another world for a comparison than a run under another plan of that name', () => {
    writeFileSync(join(folder, 'other.yaml'), PLANS.replace('status: 503', 'status: 500'));
    run('other', '--faults', 'other.yaml');
    const { status, stderr } = groundhog('compare', 'threads', 'other');
    expect(status).toBe(2);
    expect(stderr).toMatch(/lost-mail@ticket-down|refund-88213@ticket-down/u);
    const { json } = groundhog('compare', 'threads', 'other', '--intersect', '--json');
    expect(json.leftOut).toHaveLength(2);
  });
});

describe('a trial under a plan', () => {
  const file = 'threads/trajectories/refund-88213@refund-silent.0.traj.jsonl';

  it('replays, is shown with its score, and can be blamed', () => {
    expect(groundhog('replay', file, '--json').json).toMatchObject({ identical: true });
    const stored = trialsOf('threads').find(({ scenario }) => scenario === 'refund-88213@refund-silent');
    expect(groundhog('show', file, '--json').json.score).toEqual(stored?.score);
    expect(groundhog('show', 'threads', 'refund-88213@refund-silent', '--json').json.score).toEqual(
      stored?.score,
    );
    expect(groundhog('blame', file, '--json')).toMatchObject({ status: 0, json: { succeeded: true } });
  });

  it('can be reported with blame', () => {
    groundhog('run', 'helpdesk/refund-88213', '--agent', 'hasty', '--faults', 'plans.yaml', '--out', 'hasty');
    expect(groundhog('report', 'hasty', '--blame').status).toBe(0);
    const page = readFileSync(join(folder, 'hasty/report.html'), 'utf8');
    expect(page).toContain('refund-88213@refund-silent');
    expect(page).not.toContain('not in its bank as it was recorded');
  });
});

describe('resilience', () => {
  it('prints the table, and gives it as JSON', () => {
    const { status, stdout } = groundhog('resilience', 'threads');
    expect(status).toBe(0);
    expect(stdout).toMatch(/^response-lost +refund +2 +100\.0 %/mu);
    expect(stdout).toMatch(/Under 2 fault plans: 4 trials, 2 hit, 2 not hit/u);
    expect(stdout).toMatch(/^Not hit: ticket-down 2\.$/mu);
    const { json } = groundhog('resilience', 'threads', '--json');
    expect(Object.keys(json)).toEqual(
      expect.arrayContaining([
        'run',
        'hits',
        'total',
        'byKind',
        'byTool',
        'table',
        'plans',
        'cost',
        'costWhenHit',
      ]),
    );
    expect(json.plans).toMatchObject({ hit: 2, notHit: 2 });
    // lost-mail has a fault of its own: it strikes with and without a plan.
    expect(json.byTool).toMatchObject([
      { tool: 'refund', hits: 2 },
      { tool: 'send_email', hits: 3 },
    ]);
  });

  it('says that nothing was measured where nothing struck', () => {
    groundhog('run', 'helpdesk/status-lookup', '--agent', 'careful', '--out', 'untouched');
    const { status, stdout } = groundhog('resilience', 'untouched');
    expect(status).toBe(4);
    expect(stdout).toMatch(/No fault struck/u);
    expect(groundhog('resilience', 'nowhere').status).toBe(2);
  });
});
