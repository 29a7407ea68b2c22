import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEnvDoor, shimSource, toolsOfSource } from '../../src/gateway/openenv/index.ts';
import type { RunningServer } from '../../src/gateway/serve.ts';
import { startTestServer } from '../servers.ts';

/** The published Python clients of OpenEnv, and the class that we write for trainers, against our server. */

const run = promisify(execFile);
const HERE = new URL('.', import.meta.url).pathname;
const PACKAGES = ['openenv-core==0.3.0', 'openenv==0.3.1', 'openenv==0.10.0'] as const;
/** What the clients import. Their servers want more, which is not needed here. */
const NEEDED = ['fastapi', 'fastmcp<4', 'httpx', 'requests', 'websockets'];
/** Kept from run to run: they are large. */
const CACHE = join(
  HERE,
  '../../node_modules/.cache/groundhog-openenv',
  createHash('sha256').update(NEEDED.join()).digest('hex').slice(0, 12),
);
const PYTHON = join(CACHE, 'bin/python');
const INSTALLING_MS = 600_000;

async function once(name: string, make: () => Promise<unknown>): Promise<void> {
  const done = join(CACHE, `${name}.done`);
  if (existsSync(done)) return;
  await make();
  writeFileSync(done, '');
}

function folderOf(spec: string): string {
  return join(CACHE, 'packages', spec.replace('==', '-'));
}

const folder = mkdtempSync(join(tmpdir(), 'groundhog-openenv-'));
let server: RunningServer;

async function python(script: string, given: readonly string[], spec?: string): Promise<unknown> {
  const environment = {
    ...process.env,
    PYTHONWARNINGS: 'ignore',
    GROUNDHOG_URL: server.url,
    ...(spec !== undefined && { PYTHONPATH: folderOf(spec) }),
  };
  const { stdout } = await run(PYTHON, [join(HERE, script), ...given], { env: environment });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
}

beforeAll(async () => {
  mkdirSync(CACHE, { recursive: true });
  await once('venv', async () => {
    await run('python3', ['-m', 'venv', CACHE]);
    await run(PYTHON, ['-m', 'pip', 'install', '--quiet', ...NEEDED]);
  });
  for (const spec of PACKAGES) {
    const target = ['--quiet', '--no-deps', '--target', folderOf(spec), spec];
    await once(spec, () => run(PYTHON, ['-m', 'pip', 'install', ...target]));
  }
  server = await startTestServer({ scenarios: ['helpdesk'] }, { doors: (host) => [openEnvDoor(host)] });
}, INSTALLING_MS);

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await server?.close();
});

describe.each(PACKAGES)('%s', (spec) => {
  it('solves a scenario with GenericEnvClient', async () => {
    expect(await python('openenv_generic.py', [server.url], spec)).toMatchObject({
      tools: expect.arrayContaining(['lookup_order', 'submit_answer']) as string[],
      task: expect.stringContaining('88213') as string,
      trial: 3,
      branch: 'branch-1',
      order: '88213',
      rewards: [null, null, null, null, 1],
      done: [false, false, false, false, true],
      state: { step_count: 4, scenario: 'refund-88213', reward: 1 },
      refused: expect.stringContaining('VALIDATION_ERROR') as string,
      blocking: 0,
    });
  });

  it('solves it with MCPToolClient, another one beside it in a world of its own', async () => {
    const [solved, other] = (await python('openenv_tools.py', [server.url], spec)) as object[];
    const seen = {
      task: expect.stringContaining('88213') as string,
      tools: expect.arrayContaining([['lookup_order', ['order_id']]]) as object,
      order: '88213',
      missing: 'order_not_found',
      unknown: expect.stringContaining('no_such_tool') as string,
      steps: 6,
      done: true,
    };
    expect(solved).toMatchObject({ ...seen, reward: 1 });
    expect(other).toMatchObject({ ...seen, reward: 0 });
  });

  it('leaves no session behind', () => expect.poll(() => server.host.size).toBe(0));
});

describe('the validator of the newest package', () => {
  it('finds nothing to complain about', async () => {
    const file = join(folderOf('openenv==0.10.0'), 'openenv/cli/_validation.py');
    const script = join(folder, 'validate.py');
    writeFileSync(
      script,
      `import importlib.util, json, sys
spec = importlib.util.spec_from_file_location("validation", sys.argv[1])
validation = importlib.util.module_from_spec(spec)
spec.loader.exec_module(validation)
print(json.dumps(validation.validate_running_environment(sys.argv[2])))
`,
    );
    const { stdout } = await run(PYTHON, [script, file, server.url]);
    expect(JSON.parse(stdout)).toMatchObject({
      passed: true,
      standard_profile: 'openenv-http/1.x',
      mode: 'simulation',
      summary: { failed_criteria: [] },
    });
  });
});

describe('the generated class', () => {
  it('takes rows, has one typed and documented method for each tool, and gives the reward', async () => {
    const tools = toolsOfSource(server.host.source);
    const file = join(folder, 'helpdesk_env.py');
    writeFileSync(file, shimSource({ world: 'helpdesk', tools }));
    const seen = (await python('openenv_shim.py', [file])) as {
      readonly tools: Record<string, { parameters: string[]; hints: string[]; undocumented: string[] }>;
    };
    expect(seen).toMatchObject({
      task: expect.stringContaining('How this desk works') as string,
      order: '88213',
      missing: 'order_not_found',
      reward: 1,
      done: true,
      episode: 'refund-88213#0',
      late: expect.stringContaining('the episode is over') as string,
      again: [0, false, 'refund-88213#1'],
      nobody: 'Nobody is there to talk to: give the answer.',
      steps: 0,
      unreachable: ['http://127.0.0.1:9', 'nowhere'].map(
        (url) => `no Groundhog server at ${url}: start groundhog serve, or set GROUNDHOG_URL`,
      ),
      missing_package: 'an environment is reached over websockets: pip install websockets',
    });
    expect(Object.keys(seen.tools).sort()).toEqual(tools.map(({ name }) => name).sort());
    for (const { parameters, hints, undocumented } of Object.values(seen.tools)) {
      expect(hints).toEqual([...parameters, 'return'].sort());
      expect(undocumented).toEqual([]);
    }
  });
});
