import type { Digest } from '../base/digest.ts';
import type { Json } from '../base/json.ts';
import { withTwins } from '../faults/index.ts';
import { type HeaderRecord, writeRecord } from '../trajectory/index.ts';
import type { WorldValue } from '../world/types.ts';
import type { Toolbox } from './toolbox.ts';
import type { SessionOptions } from './types.ts';

/** The header of an episode. Members stand in the order of the type: its bytes start the hash chain. */
export function headerOf(options: SessionOptions, world: WorldValue, toolbox: Toolbox): HeaderRecord {
  const offered = offeredNames(options, toolbox);
  return {
    type: 'header',
    format: 'groundhog.trajectory',
    version: 1,
    ...(options.scenario && { scenario: options.scenario }),
    ...(options.trial !== undefined && { trial: options.trial }),
    ...(options.agent && { agent: options.agent }),
    behaviour: options.behaviour,
    world: {
      services: options.services.map((service) => ({
        name: service.name,
        seed: options.seeds[service.name] ?? 'loaded',
      })),
      overlay: options.overlay ?? [],
      streamSeed: options.streamSeed,
      epochMs: options.epochMs,
      content: world.contentDigest(),
      full: world.fullDigest(),
      merkle: world.merkleRoot(),
    },
    actors: actorsOf(options),
    tools: toolbox.tools
      .filter(({ tool }) => offered.has(tool.name))
      .map(({ callable }) => ({
        name: callable.name,
        service: callable.service.name,
        effect: callable.effect,
      })),
    ...(options.task && { task: options.task }),
    budgets: { ...options.budgets },
    ...(options.faults && { faults: options.faults as unknown as Json }),
    ...(options.watches && options.watches.length > 0 && { watches: options.watches as unknown as Json }),
  };
}

/** SHA-256 of the header's line. */
export function headerHash(header: HeaderRecord): Digest {
  return writeRecord(header).hash;
}

/** The declared actors; one named `agent` when none are. */
export function actorsOf(options: SessionOptions): NonNullable<SessionOptions['actors']> {
  return options.actors && options.actors.length > 0 ? options.actors : DEFAULT_ACTORS;
}

const DEFAULT_ACTORS: NonNullable<SessionOptions['actors']> = [{ id: 'agent' }];

/** The names of the tools on offer. */
export function offeredNames(options: SessionOptions, toolbox: Toolbox): ReadonlySet<string> {
  return options.tools ? new Set(withTwins(options.tools, options.faults)) : toolbox.toolNames;
}
