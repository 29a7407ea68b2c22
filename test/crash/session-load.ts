import { UsageError } from '../../src/base/errors.ts';
import type { SeededRandom } from '../../src/base/random.ts';
import { type HostedSession, SessionHost } from '../../src/gateway/host/index.ts';
import { servedSource } from '../../src/runner/served.ts';
import type { SessionServer } from './session-client.ts';
import { applied, type SessionChange, type SessionTraits, traitsOf } from './session-operations.ts';

/** One session of the server, and the session in this process that made exactly the same changes. */
interface Client {
  token: string;
  readonly id: string;
  readonly mirror: HostedSession;
  /** Sent and not acknowledged, in order. */
  open: SessionChange[];
}

const TOOLS: readonly ((random: SeededRandom) => { tool: string; input: Record<string, unknown> })[] = [
  (random) => ({
    tool: 'create_note',
    input: {
      notebook_id: 'book_1',
      title: `note ${random.integer(0, 9)}`,
      body: 'text '.repeat(random.integer(1, 30)),
    },
  }),
  (random) => ({ tool: 'tag_note', input: { id: 'note_seed0001', tag: `tag-${random.integer(0, 5)}` } }),
  () => ({ tool: 'share_note', input: { id: 'note_seed0002' } }),
  () => ({ tool: 'list_notes', input: {} }),
  () => ({ tool: 'check_policy', input: { order_id: '88213' } }),
  (random) => ({ tool: 'refund', input: { order_id: '88213', amount: random.integer(1, 40) } }),
  () => ({ tool: 'add_ticket_note', input: { ticket_id: 'T-3001', body: 'Called back, no answer.' } }),
  () => ({ tool: 'no_such_tool', input: {} }),
];

const SESSIONS = 6;
const STEPS_MOST = 60;

/** Keeps several sessions of a server busy, and knows what each must look like after a kill. */
export class SessionLoad {
  readonly #random: SeededRandom;
  readonly #host: SessionHost;
  #clients: Client[] = [];
  /** Sessions that may be there, or gone: the server died over their opening or closing. */
  #unsure = 0;
  readonly #closing = new Set<string>();
  acknowledged = 0;
  unacknowledged = 0;
  unacknowledgedPresent = 0;

  private constructor(random: SeededRandom, host: SessionHost) {
    this.#random = random;
    this.#host = host;
  }

  static async make(random: SeededRandom): Promise<SessionLoad> {
    const source = await servedSource({ services: ['notes', 'helpdesk'] });
    return new SessionLoad(random, new SessionHost({ source, sessionsMost: 1e6, nowMs: Date.now }));
  }

  /** Makes changes until the server dies. */
  async run(server: SessionServer): Promise<void> {
    const missing = SESSIONS - this.#clients.length;
    const openings = Array.from({ length: Math.max(0, missing) }, () => this.#open(server));
    await Promise.all(openings);
    await Promise.all(this.#clients.map((client) => this.#keepBusy(server, client)));
  }

  /** Compares every session with what it must be; gives what is wrong, in words. */
  async problems(server: SessionServer): Promise<readonly string[]> {
    const found: string[] = [];
    const present = (await server.ask({ type: 'list' }))?.sessions ?? [];
    for (const client of [...this.#clients]) {
      if (!present.includes(client.id)) {
        if (!this.#closing.has(client.id)) found.push(`session ${client.id} is gone`);
        this.#clients = this.#clients.filter((other) => other !== client);
        continue;
      }
      const reply = await server.ask({ type: 'traits', token: client.token });
      if (!reply?.traits) found.push(`session ${client.id}: ${reply?.message ?? 'no answer'}`);
      else if (!(await this.#agrees(client, reply.traits))) found.push(`session ${client.id} is another one`);
    }
    const known = new Set(this.#clients.map(({ id }) => id));
    const strange = present.filter((id) => !known.has(id));
    if (strange.length > this.#unsure) found.push(`${strange.length} sessions that nobody asked for`);
    for (const session of strange) await server.ask({ type: 'close', session });
    this.#unsure = 0;
    this.#closing.clear();
    return found;
  }

  /** Whether the session made all changes that were acknowledged, and the first few of the others whole. */
  async #agrees(client: Client, got: SessionTraits): Promise<boolean> {
    const { open } = client;
    client.open = [];
    this.unacknowledged += open.length;
    for (let made = 0; ; made += 1) {
      const same = JSON.stringify(got) === JSON.stringify(traitsOf(this.#host, client.mirror));
      if (same) {
        this.unacknowledgedPresent += made;
        return true;
      }
      const change = open[made];
      if (!change) return false;
      await this.#mirror(client, change);
    }
  }

  async #open(server: SessionServer): Promise<Client | null> {
    const request = { services: ['notes', 'helpdesk'], seed: `${this.#random.integer(0, 1e6)}` };
    this.#unsure += 1;
    const reply = await server.ask({ type: 'open', request });
    if (!reply) return null;
    this.#unsure -= 1;
    return this.#adopt(reply, this.#host.open(request));
  }

  #adopt(reply: { readonly token?: string; readonly session?: string }, mirror: HostedSession): Client {
    const { token = '', session: id = '' } = reply;
    const client: Client = { token, id, mirror, open: [] };
    this.#clients.push(client);
    this.acknowledged += 1;
    return client;
  }

  async #keepBusy(server: SessionServer, client: Client): Promise<void> {
    for (;;) {
      if (client.mirror.episode.session.stepCount >= STEPS_MOST) return this.#replace(server, client);
      const forks = this.#clients.length < 2 * SESSIONS && this.#random.integer(0, 60) === 0;
      if (forks) await this.#fork(server, client);
      const changes = Array.from({ length: this.#random.integer(1, 4) }, () => this.#change(client));
      client.open = [...changes];
      const replies = changes.map((change) => server.ask({ type: 'change', token: client.token, change }));
      for (const [index, reply] of replies.entries()) {
        const change = changes[index];
        const said = await reply;
        if (!said || !change) return;
        client.open.shift();
        this.acknowledged += 1;
        await this.#mirror(client, change);
      }
    }
  }

  async #replace(server: SessionServer, client: Client): Promise<void> {
    this.#closing.add(client.id);
    if (!(await server.ask({ type: 'close', token: client.token }))) return;
    this.#closing.delete(client.id);
    this.#clients = this.#clients.filter((other) => other !== client);
    await this.#host.close(client.mirror);
    const next = await this.#open(server);
    if (next) await this.#keepBusy(server, next);
  }

  /** A fork stays idle until the server was started again. */
  async #fork(server: SessionServer, client: Client): Promise<void> {
    const at = this.#random.integer(0, client.mirror.episode.session.stepCount);
    this.#unsure += 1;
    const reply = await server.ask({ type: 'fork', token: client.token, at });
    if (!reply) return;
    this.#unsure -= 1;
    this.#adopt(reply, this.#host.fork(client.mirror, at));
  }

  #change(client: Client): SessionChange {
    const kind = this.#random.integer(0, 20);
    if (kind === 0) return { type: 'wait', durationMs: this.#random.integer(1, 5_000) };
    if (kind === 1) return { type: 'checkpoint', name: `point ${this.#random.integer(0, 3)}` };
    if (kind === 2) {
      const { stepCount } = client.mirror.episode.session;
      return { type: 'rollback', at: Math.max(0, stepCount - this.#random.integer(0, 6)) };
    }
    const make = this.#random.pick(TOOLS);
    return { type: 'call', call: make(this.#random) as never };
  }

  async #mirror(client: Client, change: SessionChange): Promise<void> {
    try {
      await applied(this.#host, client.mirror, change);
    } catch (error) {
      // Refused there as here, without effect.
      if (!(error instanceof UsageError)) throw error;
    }
  }
}
