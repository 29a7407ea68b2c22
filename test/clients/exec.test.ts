import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Called, EXAMPLES, groundhog, REFUND, run } from './groundhog.ts';

/** Programs in their own languages, with hard-coded https:// hosts, inside `groundhog exec`. */

const folder = mkdtempSync(join(tmpdir(), 'groundhog-exec-'));
const python = join(folder, 'venv/bin/python');
const GO = ['/usr/local/go/bin/go', '/usr/bin/go'].find((path) => existsSync(path));

beforeAll(async () => {
  expect((await run(['python3', '-m', 'venv', join(folder, 'venv')])).exit).toBe(0);
  const installed = await run([
    python,
    '-m',
    'pip',
    'install',
    '-q',
    'requests==2.34.2',
    'httpx==0.28.1',
    'aiohttp',
  ]);
  expect(installed).toMatchObject({ exit: 0 });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

interface Result {
  readonly exit: number | null;
  readonly trajectory: string;
  readonly steps: number;
  readonly refused: readonly { readonly host: string; readonly count: number }[];
  readonly diff: { readonly inserts: number; readonly updates: number; readonly deletes: number };
  readonly success: boolean | null;
  readonly score: { readonly value: number | null };
}

async function exec(
  words: readonly string[],
  ...program: readonly string[]
): Promise<Called & { result: Result }> {
  const called = await groundhog(['exec', ...words, '--json', '--', ...program], folder);
  return { ...called, result: called.json<Result>() };
}

const CALLS = `
call("GET", "/orders/88213")
call("GET", "/orders/88213/policy")
call("POST", "/orders/88213/refunds", {"amount": 240})
call("POST", "/emails", ${JSON.stringify(REFUND.email)})
print(${JSON.stringify(REFUND.answer)})
`;

const REQUESTS = `
import os, requests
session = requests.Session()
session.headers["Authorization"] = "Bearer " + os.environ["HELPDESK_TOKEN"]
def call(method, path, body=None):
    session.request(method, "https://api.helpdesk.example" + path, json=body).raise_for_status()
${CALLS}`;

const HTTPX = `
import os, httpx
client = httpx.Client(
    base_url="https://api.helpdesk.example",
    headers={"Authorization": "Bearer " + os.environ["HELPDESK_TOKEN"]},
)
def call(method, path, body=None):
    client.request(method, path, json=body).raise_for_status()
${CALLS}`;

const URLLIB3 = `
import os, urllib3
pool = urllib3.PoolManager(headers={"Authorization": "Bearer " + os.environ["HELPDESK_TOKEN"]})
def call(method, path, body=None):
    answer = pool.request(method, "https://api.helpdesk.example" + path, **({} if body is None else {"json": body}))
    assert answer.status < 300, answer.data
${CALLS}`;

const AIOHTTP = `
import aiohttp, asyncio, os
async def ask(method, path, body):
    headers = {"Authorization": "Bearer " + os.environ["HELPDESK_TOKEN"]}
    async with aiohttp.ClientSession(headers=headers, raise_for_status=True) as session:
        async with session.request(method, "https://api.helpdesk.example" + path, json=body) as answer:
            await answer.read()
def call(method, path, body=None):
    asyncio.run(ask(method, path, body))
${CALLS}`;

const CURL = `
set -eu
call() { curl -sSf -H "Authorization: Bearer $HELPDESK_TOKEN" "https://api.helpdesk.example$@" >/dev/null; }
json() { path=$1; shift; curl -sSf -H "Authorization: Bearer $HELPDESK_TOKEN" \\
  -H 'Content-Type: application/json' -d "$1" "https://api.helpdesk.example$path" >/dev/null; }
call /orders/88213
call /orders/88213/policy
json /orders/88213/refunds '{"amount": 240}'
json /emails '${JSON.stringify(REFUND.email)}'
echo '${REFUND.answer}'
`;

const GO_PROGRAM = `package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
)

func call(method, path, body string) {
	request, _ := http.NewRequest(method, "https://api.helpdesk.example"+path, strings.NewReader(body))
	request.Header.Set("Authorization", "Bearer "+os.Getenv("HELPDESK_TOKEN"))
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	answer, _ := io.ReadAll(response.Body)
	if response.StatusCode >= 300 {
		panic(string(answer))
	}
}

func main() {
	call("GET", "/orders/88213", "")
	call("GET", "/orders/88213/policy", "")
	call("POST", "/orders/88213/refunds", \`{"amount": 240}\`)
	call("POST", "/emails", \`${JSON.stringify(REFUND.email)}\`)
	fmt.Println(${JSON.stringify(REFUND.answer)})
}
`;

const OLD_NODE = '/usr/bin/node';

const PROGRAMS: readonly {
  readonly client: string;
  readonly program: () => readonly string[];
  readonly there: boolean;
}[] = [
  { client: "Node's fetch", program: () => [process.execPath, `${EXAMPLES}/refund.js`], there: true },
  {
    client: "an old Node's fetch",
    program: () => [OLD_NODE, `${EXAMPLES}/refund.js`],
    there: existsSync(OLD_NODE),
  },
  { client: "Python's urllib", program: () => ['python3', `${EXAMPLES}/refund.py`], there: true },
  { client: 'requests', program: () => [python, file('requests_refund.py', REQUESTS)], there: true },
  { client: 'httpx', program: () => [python, file('httpx_refund.py', HTTPX)], there: true },
  { client: 'urllib3', program: () => [python, file('urllib3_refund.py', URLLIB3)], there: true },
  { client: 'aiohttp', program: () => [python, file('aiohttp_refund.py', AIOHTTP)], there: true },
  { client: 'curl', program: () => ['sh', file('refund.sh', CURL)], there: true },
  {
    client: 'Go',
    program: () => [GO ?? 'go', 'run', file('refund.go', GO_PROGRAM)],
    there: GO !== undefined,
  },
];

describe('an unchanged program', () => {
  const trajectories: string[] = [];

  for (const { client, program, there } of PROGRAMS) {
    it.skipIf(!there)(`with ${client} solves the scenario, and leaves its evidence behind`, async () => {
      const { exit, stderr, result } = await exec(['--scenario', REFUND.scenario], ...program());
      expect({ exit, stderr: exit === 0 ? '' : stderr }).toEqual({ exit: 0, stderr: '' });
      expect(result).toMatchObject({
        exit: 0,
        steps: 4,
        refused: [],
        diff: { inserts: 4, updates: 2, deletes: 0 },
        success: true,
        score: { value: 1 },
      });
      trajectories.push(readFileSync(join(folder, result.trajectory), 'utf8'));
    });
  }

  it('leaves the same trajectory in every language, and it replays', async () => {
    expect(trajectories.length).toBeGreaterThanOrEqual(5);
    expect(new Set(trajectories).size).toBe(1);
    const replayed = await groundhog(['replay', file('again.traj.jsonl', trajectories[0] ?? ''), '--json']);
    expect(replayed.json()).toMatchObject({ identical: true });
  });
});

describe('programs that go elsewhere', () => {
  it('git reaches our world and not the network', async () => {
    const header = 'http.extraHeader="Authorization: Bearer $NOTES_TOKEN"';
    const clone = `git -c ${header} ls-remote https://api.notes.example/x.git`;
    const { stderr, result } = await exec(['--services', 'notes'], 'sh', '-c', clone);
    expect(stderr).toContain("repository 'https://api.notes.example/x.git/' not found");
    expect(result).toMatchObject({ exit: 128, steps: 1, refused: [], success: null });
  });

  it('a host that is not modelled is refused and listed, in every language', async () => {
    const url = 'https://api.elsewhere.example/x';
    const programs = [
      ['curl', '-s', '-o', join(folder, 'refused.txt'), url],
      [process.execPath, '-e', `fetch('${url}')`],
      [python, '-c', `import requests; requests.get('${url}')`],
    ];
    for (const program of programs) {
      const { result } = await exec(['--services', 'notes'], ...program);
      expect(result).toMatchObject({ exit: 0, refused: [{ host: 'api.elsewhere.example', count: 1 }] });
    }
    expect(readFileSync(join(folder, 'refused.txt'), 'utf8')).toContain(
      'api.elsewhere.example is not modelled',
    );
  });
});
