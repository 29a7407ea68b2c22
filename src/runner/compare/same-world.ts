import { UsageError } from '../../base/errors.ts';
import type { RunConfig } from '../../store/run-folder.ts';
import type { RunArm } from './arms.ts';

/** Scenarios that are the same in both runs, and those that are not, each with the reason. */
export interface CommonGround {
  readonly kept: ReadonlySet<string>;
  readonly leftOut: readonly { readonly scenario: string; readonly reason: string }[];
}

/**
 * Which scenarios two runs have in common: of the same text (hash) and played by the same code (behaviour
 * digests of the engine and of the services that the scenario's own trajectories name).
 */
export function commonGround(first: RunArm, second: RunArm): CommonGround {
  const hashes = new Map(second.config.scenarios.map(({ id, hash }) => [id, hash]));
  const changed = changedCode(first.config, second.config);
  const kept = new Set<string>();
  const leftOut: { scenario: string; reason: string }[] = [];
  for (const { id, hash } of first.config.scenarios) {
    const other = hashes.get(id);
    hashes.delete(id);
    const reason =
      other === undefined
        ? 'only the first run has it'
        : other !== hash
          ? 'its text changed'
          : codeReason(id, changed, [first, second]);
    if (reason === null) kept.add(id);
    else leftOut.push({ scenario: id, reason });
  }
  for (const scenario of hashes.keys()) leftOut.push({ scenario, reason: 'only the second run has it' });
  return { kept, leftOut };
}

/** @throws UsageError unless every scenario of both runs is the same world; the first difference is named. */
export function assertSameWorld(ground: CommonGround): void {
  const [first] = ground.leftOut;
  if (first === undefined) return;
  const others = ground.leftOut.length > 1 ? `, and ${ground.leftOut.length - 1} more` : '';
  throw new UsageError(
    'other-world',
    `the runs are not of the same world: ${first.scenario} (${first.reason})${others}`,
    {
      hint: '--intersect compares what is the same, --rerun-baseline plays the first run again as things are now',
    },
  );
}

/** @throws UsageError where nothing is left to compare. */
export function assertCommon({ kept }: CommonGround): void {
  if (kept.size > 0) return;
  throw new UsageError('nothing-common', 'the runs have no scenario in common that is the same world', {
    hint: '`groundhog compare --rerun-baseline` plays the first run again as things are now',
  });
}

/** Names of what behaves otherwise: `engine`, or services. */
function changedCode(first: RunConfig, second: RunConfig): ReadonlySet<string> {
  const changed = new Set<string>();
  if (first.behaviour.engine !== second.behaviour.engine) changed.add('engine');
  const services = { ...first.behaviour.services, ...second.behaviour.services };
  for (const name of Object.keys(services)) {
    if (first.behaviour.services[name] !== second.behaviour.services[name]) changed.add(name);
  }
  return changed;
}

function codeReason(scenario: string, changed: ReadonlySet<string>, arms: readonly RunArm[]): string | null {
  if (changed.size === 0) return null;
  if (changed.has('engine')) return 'the engine behaves otherwise';
  const names = arms.flatMap((arm) => servicesOf(scenario, arm));
  const found = names.find((name) => changed.has(name));
  // A service that only one of the runs knows may well be of other scenarios alone.
  if (found !== undefined) return `${found} behaves otherwise`;
  return names.length === 0 ? 'nothing says which services it needs, and some behave otherwise' : null;
}

/** The services that a scenario's trials name; none when no trial has a trajectory. */
function servicesOf(scenario: string, arm: RunArm): readonly string[] {
  const trial = arm.trials.find((one) => one.scenario === scenario && one.trajectory !== null);
  const trajectory = trial === undefined ? null : arm.trajectoryOf(trial);
  return trajectory === null ? [] : Object.keys(trajectory.header.behaviour.services);
}
