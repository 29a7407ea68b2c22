/** A client of OpenEnv's `/ws` as bare as can be, for tests: one message out, its answer back. */
import { WebSocket } from 'ws';
import type { JsonObject } from '../src/base/json.ts';

export interface OpenEnvAnswer {
  readonly type: string;
  readonly data: {
    readonly observation: JsonObject;
    readonly reward: number | null;
    readonly done: boolean;
    readonly [member: string]: unknown;
  };
}

export class OpenEnvClient {
  readonly socket: WebSocket;
  readonly #answers: string[] = [];
  readonly #asked: ((text: string) => void)[] = [];
  /** Settles with the code that the connection was closed with. */
  readonly closed: Promise<number>;

  constructor(url: string, path = '/ws', options: { readonly headers?: Record<string, string> } = {}) {
    this.socket = new WebSocket(`${url.replace('http', 'ws')}${path}`, options);
    this.closed = new Promise((resolve) => this.socket.once('close', resolve));
    this.socket.on('message', (data) => {
      const asked = this.#asked.shift();
      if (asked) asked(String(data));
      else this.#answers.push(String(data));
    });
  }

  static async connect(...given: ConstructorParameters<typeof OpenEnvClient>): Promise<OpenEnvClient> {
    const client = new OpenEnvClient(...given);
    await new Promise((resolve, reject) => {
      client.socket.once('open', resolve);
      client.socket.once('error', reject);
    });
    return client;
  }

  /** The next message of the server, also one that came unasked. */
  async next(): Promise<OpenEnvAnswer> {
    const text = this.#answers.shift() ?? (await new Promise<string>((resolve) => this.#asked.push(resolve)));
    return JSON.parse(text) as OpenEnvAnswer;
  }

  ask(message: unknown): Promise<OpenEnvAnswer> {
    const answer = this.next();
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
    return answer;
  }

  async reset(data: JsonObject = {}): Promise<OpenEnvAnswer['data']> {
    return (await this.ask({ type: 'reset', data })).data;
  }

  async step(data: JsonObject): Promise<OpenEnvAnswer['data']> {
    return (await this.ask({ type: 'step', data })).data;
  }

  call(name: string, given: JsonObject = {}): Promise<OpenEnvAnswer['data']> {
    return this.step({ type: 'call_tool', tool_name: name, arguments: given });
  }

  async close(): Promise<void> {
    this.socket.close();
    await this.closed;
  }
}
