import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Octokit } from '@octokit/rest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { splitWords } from '../../src/runner/agents/index.ts';
import { tokenOf } from '../../test/servers.ts';
import { type Bench, openBench } from './octokit.ts';

/** The examples of the service's page, as they are printed there. */

const PAGE = new URL('../../src/services/github/README.md', import.meta.url);
const BIN = new URL('../../bin/groundhog.js', import.meta.url).pathname;
const PREFIX = 'npm run -s groundhog -- ';
const page = readFileSync(PAGE, 'utf8');

function blockOf(language: string): string {
  return page.split(`\n\`\`\`${language}\n`)[1]?.split('\n```')[0] ?? '';
}

let bench: Bench;
let folder = '';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'groundhog-readme-'));
  bench = await openBench();
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await bench.close();
});

const commands = blockOf('sh').split('\n');

function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;
}

describe('commands', () => {
  it('are some', () => expect(commands.length).toBeGreaterThan(1));

  for (const command of commands) {
    const words = splitWords(command.slice(PREFIX.length));
    const program = words[words.indexOf('--') + 1] ?? '';
    it.skipIf(program === 'gh' && !isInstalled(program))(command, () => {
      expect(command.startsWith(`${PREFIX}exec `)).toBe(true);
      const env = { ...process.env, GH_CONFIG_DIR: folder, GH_NO_UPDATE_NOTIFIER: '1' };
      const told = execFileSync(process.execPath, [BIN, ...words], { cwd: folder, env, encoding: 'utf8' });
      expect(told).toMatch(/Flickers when dimmed|"login":"mona"/u);
    });
  }
});

it('the script finds what it looks for', async () => {
  const script = blockOf('js').replace('http://127.0.0.1:4747', bench.server.url);
  expect(script).toContain(bench.server.url);
  const said: unknown[] = [];
  const body = script.replace(/^import .*$/mu, '').replaceAll('console.log', 'say');
  const run = new Function('Octokit', 'process', 'say', `return (async () => {${body}})()`);
  const env = { GITHUB_TOKEN: tokenOf(bench.session, 'github') };
  await run(Octokit, { env }, (value: unknown) => said.push(value));
  expect(said).toEqual([['1 Flickers when dimmed']]);
});

it('the actors may do what their tokens may', async () => {
  const session = bench.server.host.open(JSON.parse(blockOf('json')));
  const clientOf = (id: string): Octokit => {
    const auth = tokenOf(session, 'github', id);
    return new Octokit({ auth, baseUrl: bench.server.url, log: bench.rest.log });
  };
  const logins: string[] = [];
  for (const id of ['mona', 'hubert', 'triage']) {
    const { data } = await clientOf(id).users.getAuthenticated();
    logins.push(data.login);
  }
  expect(logins).toEqual(['mona', 'hubert', 'ines']);
  const lamp = { owner: 'octo-works', repo: 'lamp' };
  const triage = clientOf('triage');
  expect((await triage.issues.create({ ...lamp, title: 'It hums' })).status).toBe(201);
  await expect(triage.pulls.update({ ...lamp, pull_number: 4, title: 'Dimmer' })).rejects.toMatchObject({
    status: 403,
    message: expect.stringContaining('Resource not accessible by personal access token'),
  });
  await expect(clientOf('hubert').gists.create({ files: {} })).rejects.toMatchObject({ status: 404 });
});
