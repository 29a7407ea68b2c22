import { InvariantError, UsageError } from '../base/errors.ts';
import { type HostedSession, SessionHost } from '../gateway/host/index.ts';
import type { Environment, EnvironmentSource } from '../gateway/host/types.ts';
import { listen, restDoor } from '../gateway/http/index.ts';
import type { Service } from '../service/types.ts';
import { LONGEST_WAIT_MS } from '../session/index.ts';
import type { BehaviourRecord } from '../trajectory/index.ts';
import { exchange, wireRequest } from './client.ts';
import { credentialHeaders } from './credentials.ts';
import type { Seeded } from './seeding.ts';
import type { Answered, CorpusRequest } from './types.ts';

/** One listener in front of the worlds of many scenarios. */
export interface ReplicaServer {
  /** Opens the world of a scenario. */
  open(scenario: string, seeded: Seeded, epochMs: number): ReplicaSession;
  close(): Promise<void>;
}

/** A scenario that is being played. */
export interface ReplicaSession {
  /** Sends a request over HTTP. @throws Error when no answer comes. */
  send(request: CorpusRequest): Promise<Answered>;
  /** Lets virtual time pass, in milliseconds; a year at most, as between any two calls. */
  wait(durationMs: number): void;
  close(): void;
}

/** Starts the listener on a free port of this machine. */
export async function startReplica(service: Service, behaviour: BehaviourRecord): Promise<ReplicaServer> {
  const opening = new Map<string, Environment>();
  const source: EnvironmentSource = {
    choices: [],
    defaults: {},
    services: [service],
    open: ({ scenario = '' }) => {
      const environment = opening.get(scenario);
      if (environment) return environment;
      throw new UsageError('unknown-scenario', `no scenario named ${scenario} is being played`);
    },
  };
  const failures: unknown[] = [];
  const host = new SessionHost({ source, sessionsMost: 1_000, nowMs: Date.now });
  const listening = await listen([restDoor(host)], { failed: (error) => failures.push(error) });
  return {
    open: (scenario, { world, actor }, epochMs) => {
      opening.set(scenario, {
        name: scenario,
        services: [service],
        options: {
          services: [service],
          world,
          behaviour,
          actors: [actor],
          seeds: { [service.name]: 'recorded' },
          streamSeed: `fidelity/${scenario}`,
          epochMs,
          agent: { name: 'replay', config: null },
        },
        task: null,
        policy: '',
        user: null,
        score: null,
      });
      try {
        return sessionOf(host.open({ scenario }), { host, service, url: listening.url, failures });
      } finally {
        opening.delete(scenario);
      }
    },
    close: async () => {
      await listening.close();
      await host.stop();
    },
  };
}

interface Surroundings {
  readonly host: SessionHost;
  readonly service: Service;
  readonly url: string;
  readonly failures: unknown[];
}

function sessionOf(session: HostedSession, { host, service, url, failures }: Surroundings): ReplicaSession {
  const tokenFor = (name: string | null): string => {
    const found = session.credentials.find((credential) => credential.service === name);
    if (!found) throw new InvariantError('the session drew no credential');
    return found.token;
  };
  const own = tokenFor(null);
  const token = tokenFor(service.name);
  return {
    send: async (request) => {
      failures.length = 0;
      const answer = await exchange(
        wireRequest(url, request, {
          host: request.host ?? service.access.hosts[0] ?? 'localhost',
          'x-groundhog-session': own,
          // Who shows no token is nobody here, as it is there.
          ...(request.auth === 'none' && { 'x-groundhog-actor': 'anonymous' }),
          ...credentialHeaders(service, request.auth, token),
        }),
      );
      const [failure] = failures;
      if (failure) throw failure instanceof Error ? failure : new Error(String(failure));
      return answer;
    },
    wait: (durationMs) => {
      void host.wait(session, Math.min(durationMs, LONGEST_WAIT_MS));
    },
    close: () => {
      void host.close(session);
    },
  };
}
