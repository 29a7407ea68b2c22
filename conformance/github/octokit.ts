import { Octokit } from '@octokit/rest';
import { expect } from 'vitest';
import type { HostedSession } from '../../src/gateway/host/index.ts';
import type { RunningServer } from '../../src/gateway/serve.ts';
import { startTestServer, tokenOf } from '../../test/servers.ts';

/** The replica on a port, a session of its own for each client, and what clients asked of it. */
export interface Bench {
  readonly server: RunningServer;
  readonly session: HostedSession;
  readonly rest: Octokit;
  /** How many requests went out. */
  count(): number;
  close(): Promise<void>;
}

/** Starts the replica on its small seed, with the official client in front of it. */
export async function openBench(
  Client: typeof Octokit = Octokit,
  options: ConstructorParameters<typeof Octokit>[0] = {},
): Promise<Bench> {
  const server = await startTestServer({ services: ['github'] });
  const session = server.host.open();
  let count = 0;
  const rest = new Client({
    auth: tokenOf(session, 'github'),
    baseUrl: server.url,
    log: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
    ...options,
  });
  rest.hook.before('request', () => {
    count += 1;
  });
  return { server, session, rest, count: () => count, close: () => server.close() };
}

/** What the client gave, or what it threw. */
interface Answered {
  readonly status: number;
  readonly data: unknown;
}

/** Calls one after the other; every one that is not answered as it should be is told at the end. */
export class Calls {
  readonly #wrong: string[] = [];

  /** Waits for a call, and compares its status and the members of its body that are named. */
  async is<Value extends { readonly status: number; readonly data: unknown }>(
    label: string,
    call: Promise<Value>,
    expected: { readonly status: number; readonly data?: unknown },
  ): Promise<Value['data']> {
    const answer = await settled(call);
    try {
      expect(answer.status).toBe(expected.status);
      if (expected.data !== undefined) expect(answer.data).toMatchObject(expected.data as object);
    } catch (error) {
      const told = JSON.stringify(answer.data)?.slice(0, 300) ?? '';
      const [reason = ''] = String((error as Error).message).split('\n');
      this.#wrong.push(`${label}: ${answer.status} ${told} (${reason})`);
    }
    return answer.data as Value['data'];
  }

  /** @throws when a call was answered otherwise. */
  end(): void {
    expect(this.#wrong).toEqual([]);
  }
}

async function settled(call: Promise<Answered>): Promise<Answered> {
  try {
    const { status, data } = await call;
    return { status, data };
  } catch (error) {
    const {
      status = 0,
      response,
      message,
    } = error as {
      status?: number;
      message?: string;
      response?: { data: unknown };
    };
    return { status, data: response?.data ?? { message } };
  }
}
