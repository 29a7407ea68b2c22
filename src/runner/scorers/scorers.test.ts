import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UsageError } from '../../base/errors.ts';
import { readTraces } from '../../traces/index.ts';
import { type ScorerReport, scoreWith, serveScores } from './index.ts';
import { requestOf } from './types.ts';

const TRACE = new URL('../../../examples/traces/chat.jsonl', import.meta.url).pathname;
const SPANS = new URL('../../../examples/traces/spans.json', import.meta.url).pathname;
const RULES = new URL('../../../examples/traces/rules.yaml', import.meta.url).pathname;
const LIMITS = { timeoutMs: 500, attempts: 3, pauseMs: 1 };
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'groundhog-scorers-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Answer = (body: { readonly id: string }, response: ServerResponse, count: number) => void;

/** A scorer behind a URL, and what it was asked. */
async function withServer<T>(
  answer: Answer,
  use: (url: string, asked: { readonly id: string }[]) => Promise<T>,
): Promise<T> {
  const asked: { readonly id: string }[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    request.on('end', () => {
      const body = JSON.parse(text) as { readonly id: string };
      asked.push(body);
      answer(body, response, asked.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, asked);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

function program(name: string, lines: readonly string[]): string {
  const file = join(folder, `${name}.js`);
  writeFileSync(file, lines.join('\n'));
  chmodSync(file, 0o755);
  return `s=command:${process.execPath} ${file}`;
}

async function scored(spec: string): Promise<ScorerReport> {
  const report = (await scoreWith([spec], { files: [TRACE] }, LIMITS)).s;
  if (!report) throw new Error('no report');
  return report;
}

describe('a scorer behind a URL', () => {
  it('is sent the run and nothing of its labels, and its reply is recorded with its version', async () => {
    const reply = { score: 0.5, label: 'fair', explanation: 'half', version: 'mine 2', cost: 0.25 };
    await withServer(
      (_body, response) => response.end(JSON.stringify(reply)),
      async (url, asked) => {
        const report = await scored(`s=${url}`);
        expect(report).toMatchObject({
          versions: ['mine 2'],
          labels: { fair: 2 },
          scored: 2,
          failed: 0,
          cost: 0.5,
        });
        expect(report.mean.value).toBe(0.5);
        expect(Object.keys(asked[0] ?? {})).toEqual([
          'protocol',
          'id',
          'run',
          'task',
          'calls',
          'messages',
          'answer',
        ]);
      },
    );
  });

  it('is asked again where that may help, and not where it may not', async () => {
    await withServer(
      (_body, response, count) => {
        response.statusCode = count < 3 ? 503 : 200;
        response.end('{"score": 1}');
      },
      async (url) => expect((await scored(`s=${url}`)).runs.map(({ attempts }) => attempts)).toEqual([3, 1]),
    );
    await withServer(
      (_body, response) => {
        response.statusCode = 400;
        response.end('no');
      },
      async (url, asked) => {
        const { failed, mean, runs } = await scored(`s=${url}`);
        expect([failed, asked.length, runs[0]?.attempts]).toEqual([2, 2, 1]);
        expect(mean).toEqual({ value: null, reason: 'no run was given a score' });
      },
    );
  });

  it('that hangs or says what is no reply leaves the run without a score, with the reason', async () => {
    await withServer(
      () => {},
      async (url) => expect((await scored(`s=${url}`)).runs[0]?.reason).toMatch(/no reply within 0\.5 s/u),
    );
    await withServer(
      (_body, response) => response.end('{"score": "high"}'),
      async (url) => expect((await scored(`s=${url}`)).runs[0]?.reason).toMatch(/^score is not of the form/u),
    );
    await withServer(
      (_body, response) => response.end('{"error": "no GPU"}'),
      async (url) => expect((await scored(`s=${url}`)).runs[0]?.reason).toBe('no GPU'),
    );
  });
});

describe('a scorer that is a program', () => {
  const READ = "require('readline').createInterface({input: process.stdin}).on('line', (line) => {";

  it('is started once, and may talk between its replies', async () => {
    const spec = program('talks', [
      'let n = 0; console.log("loading the model …");',
      READ,
      'const {id} = JSON.parse(line); n += 1; console.log("thinking"); console.log(JSON.stringify({id, score: n}));',
      '});',
    ]);
    expect((await scored(spec)).runs.map(({ score }) => score)).toEqual([1, 2]);
  });

  it('that ends is started again, and says with what it ended', async () => {
    const spec = program('dies', ['console.error("out of memory"); process.exit(9);']);
    const { runs } = await scored(spec);
    expect(runs[0]).toMatchObject({ attempts: 3, reason: 'the program ended with 9: out of memory' });
  });

  it('that never replies is not waited for', async () => {
    const spec = program('hangs', ['setInterval(() => {}, 1000);']);
    expect((await scored(spec)).runs[0]?.reason).toMatch(/no reply within/u);
  });
});

describe('a scorer that misbehaves', () => {
  const answering = "require('readline').createInterface({ input: process.stdin }).on('line', (line) => {";

  it('and does not end when asked to is ended', async () => {
    const spec = program('stays', [
      "process.on('SIGTERM', () => {});",
      'setInterval(() => {}, 1000);',
      `${answering} console.log(JSON.stringify({ id: JSON.parse(line).id, score: process.pid })) });`,
    ]);
    const pid = Number((await scored(spec)).mean.value);
    await expect.poll(() => isAlive(pid), { timeout: 5_000 }).toBe(false);
  });

  it('replies at a length that no verdict has: the run is left without a score', async () => {
    const spec = program('long', [
      `${answering} console.log(JSON.stringify({ id: JSON.parse(line).id, score: 1, label: 'x'.repeat(2e6) })) });`,
    ]);
    expect((await scored(spec)).runs[0]).toMatchObject({
      score: null,
      reason: expect.stringMatching(/more than/u),
    });
  });

  it('sends on to elsewhere: it is said where, and no score is taken from there', async () => {
    await withServer(
      (_body, response) => response.writeHead(302, { location: '/other' }).end(),
      async (url, asked) => {
        expect((await scored(`s=${url}`)).runs[0]?.reason).toMatch(/has moved to \/other/u);
        expect(asked).toHaveLength(2);
      },
    );
  });

  it('gives labels that objects have members of: they are counted like others', async () => {
    await withServer(
      (_body, response) => response.end('{"label": "__proto__"}'),
      async (url) => expect(Object.entries((await scored(`s=${url}`)).labels)).toEqual([['__proto__', 2]]),
    );
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('what names no scorer', () => {
  it.each(['http://x', 's=', 's=ftp://x', 'a b=http://x', 's=command:no-such-program-here', 's=http://'])(
    'is refused: %s',
    async (spec) => {
      await expect(scoreWith([spec], { files: [TRACE] }, LIMITS)).rejects.toThrow(UsageError);
    },
  );

  it('is refused twice under one name', async () => {
    const specs = ['s=http://127.0.0.1:1/', 's=http://127.0.0.1:2/'];
    await expect(scoreWith(specs, { files: [TRACE] }, LIMITS)).rejects.toThrow(/two scorers named s/u);
  });
});

describe('our scores for others', () => {
  it('are a scorer like any other', async () => {
    const server = await serveScores({ rules: RULES });
    try {
      const report = await scored(`s=${server.url}`);
      expect(report.scored).toBe(2);
      expect(report.versions[0]).toMatch(/^groundhog \d/u);
      expect(
        Object.keys(report.labels).every((label) => ['held', 'broken', 'not judged'].includes(label)),
      ).toBe(true);
      expect(report.labels['not judged']).toBeUndefined();
    } finally {
      await server.close();
    }
  });

  it.each([TRACE, SPANS])('are the same for a request of the port and for the trace: %s', async (file) => {
    const text = readFileSync(file, 'utf8');
    const server = await serveScores({ rules: RULES });
    const runsOf = async (body: string): Promise<unknown[]> => {
      const response = await fetch(server.url, { method: 'POST', body });
      return ((await response.json()) as { readonly runs: unknown[] }).runs;
    };
    try {
      const asked = readTraces(file, text).map((run) => runsOf(JSON.stringify(requestOf('1', run))));
      expect((await Promise.all(asked)).flat()).toEqual(await runsOf(text));
    } finally {
      await server.close();
    }
  });

  it('know what the request says of failures, and of arguments that nobody kept', async () => {
    const server = await serveScores({});
    const errorsAfter = async (call: object): Promise<unknown> => {
      const body = JSON.stringify({ calls: [{ tool: 'refund', arguments: {}, result: 'no', ...call }] });
      const response = await fetch(server.url, { method: 'POST', body });
      const { runs } = (await response.json()) as { readonly runs: { readonly metrics: object }[] };
      return runs[0]?.metrics;
    };
    try {
      expect(await errorsAfter({ failed: true })).toMatchObject({ errors: { value: 1 } });
      expect(await errorsAfter({ failed: false })).toMatchObject({ errors: { value: 0 } });
      expect(await errorsAfter({ arguments: null })).not.toEqual(await errorsAfter({}));
    } finally {
      await server.close();
    }
  });

  it('take a trace of any format, and say what is none', async () => {
    const server = await serveScores({});
    const post = async (body: string): Promise<[number, string]> => {
      const response = await fetch(server.url, { method: 'POST', body });
      return [response.status, await response.text()];
    };
    try {
      const messages = [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Hello' },
      ];
      const [status, text] = await post(JSON.stringify({ messages }));
      expect(status).toBe(200);
      expect(JSON.parse(text)).toMatchObject({ score: null, label: 'not judged' });
      expect((await post('{"no": "run"}'))[0]).toBe(400);
      expect((await post('garbage'))[0]).toBe(400);
      expect((await fetch(server.url)).status).toBe(405);
      expect((await fetch(server.url.replace('/score', '/other'), { method: 'POST' })).status).toBe(404);
    } finally {
      await server.close();
    }
  });
});
