import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestServer, tokenOf } from '../../../test/servers.ts';
import { main } from '../main.ts';

let root = '';
let corpus = '';

const NOTE = {
  id: 'note_seed0009',
  notebook_id: 'book_7',
  title: 'Seen',
  tags: ['home'],
  revision: 2,
  protected: false,
  updated_at: '2025-01-01T00:00:00.000Z',
  body: 'Text',
};

const HEADERS = { 'content-type': 'application/json; charset=utf-8' };
const HOST = 'api.notes.example';

/** Two exchanges with notes, as if recorded of a service elsewhere. */
const LINES = [
  {
    id: 'n-1',
    scenario: 'one',
    seq: 1,
    endpoint: 'GET /notes/{id}',
    operation: 'notes.get',
    request: { method: 'GET', host: HOST, path: '/notes/note_seed0009', auth: 'bearer' },
    response: { status: 200, headers: HEADERS, body: NOTE },
  },
  {
    id: 'n-2',
    scenario: 'one',
    seq: 2,
    endpoint: 'PUT /notes/{id}/tags/{tag}',
    operation: 'notes.tag',
    request: { method: 'PUT', host: HOST, path: '/notes/note_seed0009/tags/urgent', auth: 'bearer' },
    response: {
      status: 200,
      headers: HEADERS,
      body: { ...NOTE, body: undefined, tags: ['home', 'late'] },
    },
  },
].map((line) => ({ ...line, era: 'current', recorded_at: '2025-02-03' }));

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'groundhog-fidelity-'));
  corpus = join(root, 'corpus.jsonl');
  writeFileSync(corpus, LINES.map((line) => `${JSON.stringify(line)}\n`).join(''));
});
afterAll(() => rmSync(root, { recursive: true }));

/** Runs the command line within this process; gives what it printed and its exit code. */
async function call(...argv: string[]): Promise<{ readonly printed: string; readonly exit: number }> {
  let printed = '';
  const spies = (['stdout', 'stderr'] as const).map((stream) =>
    vi.spyOn(process[stream], 'write').mockImplementation((text) => {
      printed += String(text);
      return true;
    }),
  );
  try {
    const exit = await main(argv);
    return { printed, exit };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

function jsonOf(printed: string): Record<string, unknown> {
  return JSON.parse(printed.trim().split('\n').at(-1) ?? '') as Record<string, unknown>;
}

describe('fidelity', () => {
  it('scores a corpus and groups its misses', async () => {
    const { printed, exit } = await call('fidelity', 'notes', '--corpus', corpus, '--json');
    expect(exit).toBe(0);
    expect(jsonOf(printed)).toMatchObject({
      service: 'notes',
      exchanges: 2,
      served: 2,
      strict: { value: 0.5, n: 2, clusters: 1 },
      pass: { value: 1 },
      stateful: { exchanges: 1 },
      seededReads: { exchanges: 1, strict: { value: 1 } },
      byEra: { current: { exchanges: 2 } },
      inventions: 'not checked: no published description',
      misses: [{ cause: 'strict /tags/* at PUT /notes/{id}/tags/{tag}', count: 1, alone: 1 }],
    });
    expect(printed).toContain('static mock');
    expect(printed).toContain(
      '1 (1)  strict /tags/* at PUT /notes/{id}/tags/{tag}: expected "late", got "urgent"',
    );
  });

  it('shows a scenario with all its differences, and writes the whole report', async () => {
    const file = join(root, 'report.json');
    const { printed } = await call(
      'fidelity',
      'notes',
      ...['--corpus', corpus, '--scenario', 'one', '--bodies', '--report', file],
    );
    expect(printed).toContain('strict 1 GET /notes/note_seed0009 -> 200');
    expect(printed).toContain('pass   2 PUT /notes/note_seed0009/tags/urgent -> 200');
    expect(printed).toContain('"title":"Seen"');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ exchanges: 2 });
  });

  it.each([
    [['helpdesk', '--corpus', 'x'], 'helpdesk cannot rebuild a world from a recording'],
    [['notes'], 'name the recorded exchanges'],
    [['notes', '--corpus', '/nowhere.jsonl'], 'there is no corpus at /nowhere.jsonl'],
    [['notes', '--corpus', '/nowhere.jsonl', '--misses', 'few'], '--misses takes a whole number from 0'],
  ])('refuses %j', async (argv, sentence) => {
    const { printed, exit } = await call('fidelity', ...argv);
    expect(exit).toBe(2);
    expect(printed).toContain(sentence);
  });

  it('scores what --only names, and refuses a name that nothing has', async () => {
    const only = await call('fidelity', 'notes', '--corpus', corpus, '--only', 'notes.get', '--json');
    expect(jsonOf(only.printed)).toMatchObject({ exchanges: 1, strict: { value: 1 } });
    expect((await call('fidelity', 'notes', '--corpus', corpus, '--only', 'nothing')).exit).toBe(2);
  });
});

describe('fidelity --live', () => {
  it('asks the real service, records it, and says whether it answers alike', async () => {
    const server = await startTestServer({ services: ['notes'] });
    const session = server.host.open();
    vi.stubEnv('NOTES_LIVE_TOKEN', tokenOf(session, 'notes'));
    const out = join(root, 'live.jsonl');
    const line = JSON.stringify(LINES[0]).replaceAll('note_seed0009', 'note_seed0001');
    const small = join(root, 'small.jsonl');
    writeFileSync(small, line);
    const argv = ['fidelity', 'notes', '--corpus', small, '--live', server.url, '--interval', '0', '--json'];
    try {
      expect((await call(...argv, '--out', out)).printed).toContain('name the variable that holds the token');
      const { printed, exit } = await call(...argv, '--token-env', 'NOTES_LIVE_TOKEN', '--out', out);
      expect(jsonOf(printed)).toMatchObject({ exchanges: 1, drifted: false, pass: { value: 1 } });
      expect(exit).toBe(0);
      expect(readFileSync(out, 'utf8')).toContain('"scenario":"live/one"');
      const again = await call(...argv, '--token-env', 'NOTES_LIVE_TOKEN', '--out', out);
      expect(again.printed).toContain('is there already');
    } finally {
      vi.unstubAllEnvs();
      await server.close();
    }
  });
});

describe('fidelity drift', () => {
  it('ends with 1 where a description says otherwise, and lists what', async () => {
    const spec = join(root, 'spec.yaml');
    writeFileSync(spec, 'paths:\n  /notes/{id}:\n    get: {operationId: notes.get}\n');
    const { printed, exit } = await call('fidelity', 'drift', 'notes', '--spec', spec, '--json');
    expect(exit).toBe(1);
    expect(jsonOf(printed)).toMatchObject({ drifted: true, operations: 1, added: [], moved: [] });
    expect(printed).toContain('gone      notes.create: POST /notes (supported)');
    expect((await call('fidelity', 'drift', 'notes')).exit).toBe(2);
  });
});
