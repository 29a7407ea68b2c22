import type { JsonObject } from '../../base/json.ts';
import { seedWorld } from '../../service/seed.ts';
import { openSession, type Session } from '../../session/index.ts';
import { github } from './index.ts';

/** What a call was answered with. */
export interface Told {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly body: any;
  readonly headers: Readonly<Record<string, string>>;
}

/** A session on the small seed: `call` makes one call as `mona`, who may do everything at `octo-works`. */
export interface Scene {
  readonly session: Session;
  call(operation: string, input?: JsonObject, headers?: Readonly<Record<string, string>>): Told;
}

export function openScene(epochMs = github.epochMs): Scene {
  const session = openSession({
    services: [github],
    world: seedWorld([{ service: github, seed: 'small' }]),
    seeds: { github: 'small' },
    streamSeed: 'scene',
    epochMs,
    behaviour: { engine: '', services: {} },
  });
  return {
    session,
    call(tool, input = {}, headers = {}) {
      const { status, body, headers: told = {} } = session.call({ tool, input, headers });
      return { status, body, headers: told };
    },
  };
}
