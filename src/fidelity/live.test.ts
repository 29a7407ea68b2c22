import { afterEach, describe, expect, it } from 'vitest';
import { boxes, type Defect, RECORDING, recorded, shownBox } from '../../test/boxes.ts';
import { startTestServer, tokenOf } from '../../test/servers.ts';
import type { RunningServer } from '../gateway/serve.ts';
import { corpusRecords, scenariosOf } from './corpus.ts';
import { recordLive } from './live.ts';
import { Redaction } from './redaction.ts';
import { measure } from './report.ts';
import { ScenarioSeeder } from './seeding.ts';
import { Throttle } from './throttle.ts';
import type { CorpusRecord } from './types.ts';

const BEHAVIOUR = { engine: 'e', services: { boxes: 'b' } };

/** What an organisation's scenario looked like once, elsewhere. */
const WRITES: readonly CorpusRecord[] = [
  {
    endpoint: 'POST /orgs/{org}/boxes',
    operation: 'boxes/create-in-org',
    path: '/orgs/elsewhere/boxes',
    body: { name: 'crate' },
    status: 201,
    response: shownBox(777_000, 'elsewhere/crate'),
  },
  {
    endpoint: 'PUT /boxes/{box_id}/open',
    operation: 'boxes/open',
    path: '/boxes/777000/open',
    status: 200,
    response: shownBox(777_000, 'elsewhere/crate', { opened: true }),
  },
  {
    endpoint: 'PUT /boxes/{box_id}/open',
    operation: 'boxes/open',
    path: '/boxes/1700/open',
    status: 200,
    response: shownBox(1700, 'Old', { note: 'seeded', opened: true }),
  },
].map((line, index) => recorded({ scenario: 'org', ...line }, 100 + index));

let server: RunningServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** The service stands in for the real one: with what the recording shows in it, and a defect. */
async function live(defect?: Defect) {
  const service = boxes(defect);
  const [scenario] = scenariosOf(RECORDING);
  if (!scenario) throw new Error('the recording is empty');
  const { world } = new ScenarioSeeder(service).seed(scenario);
  server = await startTestServer({
    choices: [],
    defaults: {},
    services: [service],
    open: () => ({
      name: 'live',
      services: [service],
      options: {
        services: [service],
        world,
        behaviour: BEHAVIOUR,
        seeds: { boxes: 'small' },
        streamSeed: 'live',
        epochMs: 0,
      },
      task: null,
      policy: '',
      user: null,
      score: null,
    }),
  });
  const session = server.host.open();
  return { url: server.url, session, token: tokenOf(session, 'boxes') };
}

async function verified(
  records: readonly CorpusRecord[],
  { defect, sandbox, requestsMost = 100 }: { defect?: Defect; sandbox?: string; requestsMost?: number } = {},
) {
  const { url, token, session } = await live(defect);
  const lines: string[] = [];
  const notes: string[] = [];
  const made = await recordLive(scenariosOf(records), {
    service: boxes(),
    baseUrl: url,
    token,
    sandbox,
    requestsMost,
    day: '2026-11-30',
    redaction: new Redaction([token], 'key'),
    throttle: new Throttle({ intervalMs: 0 }),
    write: (line) => lines.push(line),
    note: (text) => notes.push(text),
  });
  const { report } = await measure(scenariosOf(made), { service: boxes(), behaviour: BEHAVIOUR });
  const calls = session.episode.session.steps().map(({ tool }) => tool);
  return { made, lines, notes, report, calls, token };
}

function causes({ report }: Awaited<ReturnType<typeof verified>>): readonly string[] {
  return report.misses.map(({ cause }) => cause);
}

describe('verification against a live service', () => {
  it('finds nothing where it is what the replica is, and records it in the format of a corpus', async () => {
    const result = await verified(RECORDING);
    expect(causes(result)).toEqual([]);
    expect(result.report).toMatchObject({ exchanges: 1, strict: { value: 1 } });
    expect(corpusRecords(result.lines.join('\n'), 'new.jsonl')).toEqual(result.made);
    expect(result.made[0]).toMatchObject({
      era: 'current',
      recordedAt: '2026-11-30',
      endpoint: 'GET /boxes/{box_id}',
      request: { path: '/boxes/1700' },
      response: { status: 200, body: { note: 'seeded' } },
    });
    expect(result.lines.join()).not.toContain(result.token);
  });

  it('reads only, unless there is a sandbox', async () => {
    const { calls } = await verified([...RECORDING, ...WRITES]);
    expect(calls).toEqual(['boxes/get']);
  });

  it('sends at most as many requests as it may', async () => {
    const reads = [1, 2, 3].map((id) =>
      recorded(
        {
          scenario: `read ${id}`,
          endpoint: 'GET /boxes/{box_id}',
          operation: 'boxes/get',
          path: `/boxes/${id}`,
          status: 404,
          response: { message: 'Not Found' },
        },
        200 + id,
      ),
    );
    expect((await verified(reads, { requestsMost: 2 })).calls).toHaveLength(2);
  });

  it('writes into the sandbox alone, on what it made itself, and cleans up', async () => {
    const result = await verified([...RECORDING, ...WRITES], { sandbox: 'play' });
    expect(result.calls).toEqual(['boxes/get', 'boxes/create-in-org', 'boxes/open', 'boxes/delete']);
    expect(result.notes).toEqual([]);
    expect(result.made.map(({ request }) => request.path)).toEqual([
      '/boxes/1700',
      expect.stringMatching(/^\/orgs\/user-[0-9a-f]{6}\/boxes$/u),
      '/boxes/5000/open',
    ]);
    expect(result.made[1]?.determined).toEqual([]);
    expect(causes(result)).toEqual([]);
  });

  it('reports a renamed member', async () => {
    const defect: Defect = (answer, { operation }) => {
      if (operation?.id !== 'boxes/get') return answer;
      const { note, ...rest } = answer.body as { readonly note: string };
      return { ...answer, body: { ...rest, remark: note } };
    };
    const result = await verified(RECORDING, { defect });
    expect(causes(result)).toEqual(['presence /remark at GET /boxes/{box_id}']);
  });

  it('reports a parameter that must be given now', async () => {
    const defect: Defect = (answer, { operation, input }) =>
      operation?.id === 'boxes/create-in-org' && !('size' in (input as object))
        ? { ...answer, status: 422, body: { message: 'size must be given' } }
        : answer;
    const result = await verified([...RECORDING, ...WRITES], { defect, sandbox: 'play' });
    expect(causes(result)).toEqual(['status 201 in place of 422 at POST /orgs/{org}/boxes']);
    expect(result.report.misses[0]?.example.expected).toBe('422 size must be given');
  });

  it('reports another error', async () => {
    const missing = recorded(
      {
        scenario: 'missing',
        endpoint: 'GET /boxes/{box_id}',
        operation: 'boxes/get',
        path: '/boxes/31',
        status: 404,
        response: { message: 'Not Found' },
      },
      300,
    );
    const defect: Defect = (answer) =>
      answer.status === 404
        ? { ...answer, body: { message: 'Not Found', errors: [{ resource: 'Box', code: 'missing' }] } }
        : answer;
    const result = await verified([missing], { defect });
    expect(causes(result)).toEqual(expect.arrayContaining(['error /errors at GET /boxes/{box_id}']));
  });
});
