import { fork } from 'node:child_process';
import { MeasuredServer, openSession, SESSIONS, type Target } from './http-cost.ts';
import { type Figure, report } from './measure.ts';

/**
 * What GitHub's requests cost over HTTP on the large world, against a bare `node:http` server in the same
 * process that sends the same body: reading an issue, a page of about two hundred open ones, opening one.
 * Search and memory are measured in processes of their own, without HTTP.
 */

/** Calls of one round: no actor may make more things in a minute. */
const REQUESTS = 80;
const OPEN_ISSUES = 200;

const child = fork(new URL('rest-server.ts', import.meta.url), ['github/large'], {
  execArgv: process.env.BENCH_ARGS?.split(' ') ?? [],
});
const server = await MeasuredServer.started(child, REQUESTS);
const figures = await measured().finally(() => server.stop());
report('github', { ...figures, ...(await within('github-within.ts')) });

async function measured(): Promise<Record<string, Figure>> {
  const { port } = server;
  const control = { port, token: server.token, method: 'POST', body: '{}' } as const;
  const session = await openSession(server, 'github');
  const get = (path: string): Target => ({ port, method: 'GET', path, token: session.token });
  const repository = await repositoryWith(OPEN_ISSUES, get);
  const issues = `/repos/${repository.full_name}/issues`;
  const [first] = JSON.parse(await server.send(get(issues))) as { number: number }[];
  // Rolled back between rounds, as limits are of the minute and the hour.
  const reset = (): Promise<unknown> => server.send({ ...control, path: `${SESSIONS}/${session.id}/reset` });
  const read = await server.compared(get(`${issues}/${first?.number ?? 1}`), reset);
  const list = await server.compared(get(issues), reset);
  const create: Target = {
    ...get(issues),
    method: 'POST',
    body: JSON.stringify({ title: 'It flickers at night', body: 'Seen on three lamps.', labels: ['bug'] }),
  };
  const created = await server.compared(create, reset);
  return {
    open_issues_listed_from: { value: repository.open_issues_count, unit: '' },
    bare_issue: { value: read.bare, unit: 'us' },
    issue: { value: read.ours, unit: 'us' },
    issue_ratio: { value: read.ratio, unit: 'x', target: 2 },
    bare_list: { value: list.bare, unit: 'us' },
    list: { value: list.ours, unit: 'us' },
    list_ratio: { value: list.ratio, unit: 'x', target: 3 },
    bare_create: { value: created.bare, unit: 'us' },
    create: { value: created.ours, unit: 'us' },
    create_ratio: { value: created.ratio, unit: 'x', target: 3 },
  };
}

interface Listed {
  readonly full_name: string;
  readonly open_issues_count: number;
  readonly archived: boolean;
}

/** The repository of the organisation whose number of open issues and pulls is nearest to this. */
async function repositoryWith(count: number, get: (path: string) => Target): Promise<Listed> {
  const all: Listed[] = [];
  for (let page = 1; page <= 5; page += 1) {
    const path = `/orgs/octo-works/repos?per_page=100&page=${page}`;
    all.push(...(JSON.parse(await server.send(get(path))) as Listed[]));
  }
  const distance = ({ open_issues_count }: Listed): number => Math.abs(open_issues_count - count);
  const [nearest] = all
    .filter(({ archived }) => !archived)
    .sort((one, other) => distance(one) - distance(other));
  if (!nearest) throw new Error('the large world has no repositories');
  return nearest;
}

function within(file: string): Promise<Record<string, Figure>> {
  return new Promise((resolve, reject) => {
    const part = fork(new URL(file, import.meta.url), { execArgv: ['--expose-gc'] });
    part.once('message', (message) => resolve(message as Record<string, Figure>));
    part.once('error', reject);
    part.once('exit', (code) => {
      if (code !== 0) reject(new Error(`${file} ended with ${code}`));
    });
  });
}
