import { WebSocket } from 'ws';
import { type Figure, median, report } from './measure.ts';
import { type MeasuredServer, startMeasuredServer } from './openenv-process.ts';

/**
 * OpenEnv over `/ws`: CPU time of the server for each step, and many sessions at once. The client runs in
 * this process, the server in another.
 */
const SCENARIO = 'helpdesk/refund-88213';
const STEPS = 4_000;
const ROUNDS = 7;
const AT_ONCE = 8;
const SESSIONS = 2_000;
/** In all, over the sessions; each episode is followed by another. */
const STEPS_IN_ALL = 200_000;

/** The reference of the scenario: two reads, two writes. The bank's mean is 3 calls with 1 write. */
const EPISODE = [
  action('lookup_order', { order_id: '88213' }),
  action('check_policy', { order_id: '88213' }),
  action('refund', { order_id: '88213', amount: 240 }),
  action('send_email', {
    to: 'mira.alder@example.com',
    subject: 'Your refund for order 88213',
    body: 'We paid 240.00 back for one side table of order 88213.',
  }),
];
const ANSWER = action('submit_answer', { text: 'I paid 240.00 back and sent an e-mail about it.' });

function action(name: string, given: object): string {
  return JSON.stringify({ type: 'step', data: { type: 'call_tool', tool_name: name, arguments: given } });
}

/** One client that asks, and waits for its answer. */
class Client {
  readonly #socket: WebSocket;
  #answered: (text: string) => void = () => undefined;
  errors = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data) => this.#answered(String(data)));
  }

  static async connect({ url }: MeasuredServer): Promise<Client> {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, { perMessageDeflate: false });
    await new Promise((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });
    return new Client(socket);
  }

  async ask(text: string): Promise<void> {
    const answer = await new Promise<string>((resolve) => {
      this.#answered = resolve;
      this.#socket.send(text);
    });
    // Errors of the service are answers; these are errors of the protocol, and lost results.
    if (!answer.startsWith('{"type":"observation"') || answer.includes('"error":{"error_type"')) {
      this.errors += 1;
      if (this.errors === 1) process.stderr.write(`${answer.slice(0, 300)}\n`);
    }
  }

  reset(seed: number): Promise<void> {
    return this.ask(JSON.stringify({ type: 'reset', data: { seed } }));
  }

  close(): void {
    this.#socket.terminate();
  }
}

/** CPU milliseconds of the server for one of `count` steps of several clients, median of several rounds. */
async function millisOf(
  count: number,
  work: (client: Client) => Promise<void>,
  atOnce = AT_ONCE,
): Promise<number> {
  const clients = await Promise.all(Array.from({ length: atOnce }, () => Client.connect(server)));
  const samples: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = (await server.usage()).cpu;
    const episodes = count / EPISODE.length / atOnce;
    await Promise.all(
      clients.map(async (client) => {
        for (let episode = 0; episode < episodes; episode += 1) await work(client);
      }),
    );
    samples.push(((await server.usage()).cpu - before) / count / 1000);
  }
  for (const client of clients) client.close();
  return median(samples.slice(2));
}

/** A step, its share of a reset included. */
async function oneEpisode(client: Client): Promise<void> {
  await client.reset(1);
  for (const call of EPISODE) await client.ask(call);
}

async function scoredEpisode(client: Client): Promise<void> {
  await oneEpisode(client);
  await client.ask(ANSWER);
}

async function crowdFigures(): Promise<Record<string, Figure>> {
  // Only the server's own session is left once it has noticed that the clients before are gone.
  while ((await server.usage()).sessions > 1) await new Promise((resolve) => setTimeout(resolve, 20));
  const base = await server.usage('memory');
  const clients = await Promise.all(Array.from({ length: SESSIONS }, () => Client.connect(server)));
  await Promise.all(clients.map((client, index) => client.reset(index)));
  const opened = await server.usage('memory');
  const stepsEach = STEPS_IN_ALL / SESSIONS;
  await Promise.all(
    clients.map(async (client, index) => {
      for (let step = 0; step < stepsEach; step += 1) {
        if (step > 0 && step % EPISODE.length === 0) await client.reset(index + step);
        await client.ask(EPISODE[step % EPISODE.length] ?? '');
      }
    }),
  );
  const after = await server.usage('memory');
  const errors = clients.reduce((sum, client) => sum + client.errors, 0);
  for (const client of clients) client.close();
  const perSession = (bytes: number): number => bytes / SESSIONS / 1024;
  return {
    errors: { value: errors, unit: '', target: 0 },
    sessions: { value: after.sessions - base.sessions, unit: '' },
    steps: { value: STEPS_IN_ALL, unit: '' },
    crowd_step: { value: (after.cpu - opened.cpu) / STEPS_IN_ALL / 1000, unit: 'ms', target: 0.25 },
    session_heap: { value: perSession(after.heap - base.heap), unit: 'KB', target: 25 },
    session_heap_after_reset: { value: perSession(opened.heap - base.heap), unit: 'KB' },
    session_resident: { value: perSession(after.resident - base.resident), unit: 'KB' },
  };
}

const server = await startMeasuredServer('scenarios', SCENARIO);
const figures: Record<string, Figure> = {
  step: { value: await millisOf(STEPS, oneEpisode), unit: 'ms', target: 0.25 },
  step_of_a_lone_client: { value: await millisOf(STEPS, oneEpisode, 1), unit: 'ms', target: 0.25 },
  episode_with_score: { value: EPISODE.length * (await millisOf(STEPS / 4, scoredEpisode)), unit: 'ms' },
  ...(await crowdFigures()),
};
server.stop();
report('openenv', figures);
