import type { ChildProcess } from 'node:child_process';
import { Agent, request } from 'node:http';
import { median } from './measure.ts';

/** A request, and the port that it goes to. */
export interface Target {
  readonly port: number;
  readonly method: string;
  readonly path: string;
  readonly token?: string;
  readonly body?: string;
}

const ROUNDS = 31;
/** So many that the engine has compiled what it will: the figures are of a server that is warm. */
const WARM_UPS = 35;
const OPENED = 300;
const CONNECTIONS = 8;

/**
 * The server of `rest-server.ts` as its parent sees it: CPU time of the server process per request, against a
 * bare `node:http` server in the same process that sends the same body.
 */
export class MeasuredServer {
  readonly port: number;
  readonly token: string;
  readonly #child: ChildProcess;
  readonly #barePort: number;
  readonly #requests: number;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

  /** `requests` of one round: as many as a session makes, so that it is as old as sessions get. */
  static async started(child: ChildProcess, requests: number): Promise<MeasuredServer> {
    const told = await answerOf<{ port: number; barePort: number; token: string }>(child);
    return new MeasuredServer(child, told, requests);
  }

  private constructor(
    child: ChildProcess,
    { port, barePort, token }: { readonly port: number; readonly barePort: number; readonly token: string },
    requests: number,
  ) {
    this.#child = child;
    this.port = port;
    this.#barePort = barePort;
    this.token = token;
    this.#requests = requests;
  }

  stop(): void {
    this.#agent.destroy();
    this.#child.send({ ask: 'exit' });
  }

  /** Medians over rounds in which both take turns, so that a busy machine slows both. */
  async compared(
    target: Target,
    between: () => Promise<unknown> = async () => {},
  ): Promise<{ ours: number; bare: number; ratio: number }> {
    await this.#cpu(await this.send(target));
    const bare = { ...target, port: this.#barePort };
    const ours: number[] = [];
    const theirs: number[] = [];
    const ratios: number[] = [];
    for (let round = 0; round < ROUNDS + WARM_UPS; round += 1) {
      await between();
      const one = await this.#round(target, this.#requests);
      const other = await this.#round(bare, this.#requests);
      if (round < WARM_UPS) continue;
      ours.push(one);
      theirs.push(other);
      ratios.push(one / other);
    }
    return { ours: median(ours), bare: median(theirs), ratio: median(ratios) };
  }

  /** CPU microseconds of one request, without a comparison. */
  async cost(target: Target, count = OPENED): Promise<number> {
    const samples: number[] = [];
    for (let round = 0; round < 9; round += 1) {
      const cost = await this.#round(target, count);
      if (round >= 2) samples.push(cost);
    }
    return median(samples);
  }

  send({ port: to, method, path, token: bearer, body }: Target): Promise<string> {
    return new Promise((resolve, reject) => {
      const headers = {
        'user-agent': 'bench',
        ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
        ...(body !== undefined && { 'content-type': 'application/json', 'content-length': body.length }),
      };
      const agent = this.#agent;
      const sent = request({ host: '127.0.0.1', port: to, method, path, headers, agent }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          if ((response.statusCode ?? 0) < 300) resolve(text);
          else reject(new Error(`${method} ${path}: ${response.statusCode} ${text}`));
        });
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }

  /** CPU microseconds of the server per request of one round. */
  async #round(target: Target, count: number): Promise<number> {
    const before = await this.#cpu();
    let left = count;
    const lane = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        await this.send(target);
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, lane));
    return ((await this.#cpu()) - before) / count;
  }

  /** CPU microseconds of the server so far; the bare server sends `body` from now on. */
  async #cpu(body?: string): Promise<number> {
    this.#child.send({ ask: 'cpu', ...(body !== undefined && { body }) });
    return (await answerOf<{ cpuMicros: number }>(this.#child)).cpuMicros;
  }
}

/** Opens a session over the control plane; gives its id and the token of one service. */
export async function openSession(
  server: MeasuredServer,
  service: string,
): Promise<{ readonly id: string; readonly token: string }> {
  const { port, token } = server;
  const opened = await server.send({ port, token, method: 'POST', path: SESSIONS, body: '{}' });
  const { id, credentials } = JSON.parse(opened) as {
    id: string;
    credentials: { service: string | null; token: string }[];
  };
  return { id, token: credentials.find((credential) => credential.service === service)?.token ?? '' };
}

/** Where sessions are on the control plane. */
export const SESSIONS = '/_groundhog/control/v1/sessions';

function answerOf<T>(server: ChildProcess): Promise<T> {
  return new Promise((resolve) => server.once('message', (message) => resolve(message as T)));
}
