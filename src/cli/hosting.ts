import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { UsageError } from '../base/errors.ts';
import { type Credential, type HostedSession, type OpenRequest, SessionHost } from '../gateway/host/index.ts';
import type { ServerOptions } from '../gateway/serve.ts';
import type { ServedTarget } from '../runner/served.ts';
import { servedSource } from '../runner/served.ts';
import type { Invocation, OptionSpec } from './command.ts';
import { choiceOption, countOption, flagOption, listOption, textOption } from './options.ts';

/** What the commands that open doors have in common: what to serve, and how. */

type Options = Invocation['options'];

export const TARGET_OPTIONS: readonly OptionSpec[] = [
  {
    name: 'scenario',
    value: 'target',
    description: 'BANK/ID, or BANK for all of its scenarios: a folder or a catalog name',
    repeats: true,
  },
  { name: 'services', value: 'names', description: 'seeded services to play in: notes,helpdesk/standard' },
];

export const SEED_OPTIONS: readonly OptionSpec[] = [
  { name: 'seed', value: 'text', description: 'seeds the world streams, never the seed rows', default: '1' },
  { name: 'trial', value: 'n', description: 'which trial this is: it seeds the streams too', default: '0' },
];

export const VARIANT_OPTIONS: readonly OptionSpec[] = [
  { name: 'variants', value: 'n', description: 'instances of every scenario family' },
  { name: 'variant-seed', value: 'text', description: 'picks the instances', default: '1' },
];

export const TIME_OPTIONS: readonly OptionSpec[] = [
  {
    name: 'time',
    value: 'how',
    description: 'fixed, or observed: real waiting passes in the world too',
    default: 'fixed',
  },
  {
    name: 'time-scale',
    value: 'n',
    description: 'virtual milliseconds for each real one, with --time observed',
  },
  {
    name: 'pace',
    value: 'how',
    description: 'none, or real: answers take as long as they do in the world',
    default: 'none',
  },
  { name: 'permissive', description: 'with one session: any token, or none, is its first actor' },
];

/**
 * What is served, of `--scenario`, `--services` and the variants.
 * @throws UsageError for both of them, and for a scenario without a name.
 */
export function targetOf(options: Options): ServedTarget {
  const variants = countOption(options, 'variants', 1);
  const variantSeed = textOption(options, 'variant-seed') ?? '1';
  const services = textOption(options, 'services');
  const scenarios = listOption(options, 'scenario');
  if (scenarios.some((name) => name.trim() === '')) {
    throw new UsageError('bad-option', '--scenario takes a scenario, or a bank for all of its scenarios', {
      hint: '--scenario helpdesk/refund-88213',
    });
  }
  if (scenarios.length > 0 && services !== undefined) {
    throw new UsageError('two-targets', 'name a scenario or services, not both', {
      hint: 'the services of a scenario come with it',
    });
  }
  return {
    scenarios,
    services: services === undefined ? [] : services.split(',').filter((name) => name !== ''),
    ...(variants !== undefined && { variants: { variants, variantSeed } }),
  };
}

/** One scenario of the bank that a target names, as it is named from any folder. */
export function scenarioOf(target: string, id: string): string {
  const isBank = !target.includes('/') || existsSync(join(target, 'bank.yaml'));
  const bank = isBank ? target : dirname(target);
  return `${existsSync(bank) ? resolve(bank) : bank}/${id}`;
}

/**
 * A host with one session, opened on what was named.
 * @throws UsageError when that is several scenarios.
 */
export async function oneEpisode(
  options: Options,
): Promise<{ readonly host: SessionHost; readonly session: HostedSession }> {
  const target = targetOf(options);
  const host = new SessionHost({ source: await servedSource(target), sessionsMost: 1, nowMs: Date.now });
  const { choices, defaults } = host.source;
  if (choices.length > 1) {
    throw new UsageError(
      'many-scenarios',
      `one episode takes one scenario, and these are ${choices.length}`,
      {
        hint: `such as --scenario ${scenarioOf(target.scenarios?.[0] ?? '', choices[0] ?? '')}`,
      },
    );
  }
  return { host, session: host.open({ ...defaults, ...seedsOf(options) }) };
}

function seedsOf(options: Options): Pick<OpenRequest, 'seed' | 'trial'> {
  return { seed: textOption(options, 'seed') ?? '1', trial: countOption(options, 'trial', 0) ?? 0 };
}

/** How time passes and who is let in, of the options of that name. */
export function manners(options: Options): Pick<ServerOptions, 'time' | 'pace' | 'permissive'> {
  const time = choiceOption(options, 'time', ['fixed', 'observed']) ?? 'fixed';
  const scale = scaleOf(options, time);
  return {
    time: time === 'observed' ? { observed: true, scale } : 'fixed',
    pace: choiceOption(options, 'pace', ['none', 'real']) ?? 'none',
    permissive: flagOption(options, 'permissive'),
  };
}

function scaleOf(options: Options, time: 'fixed' | 'observed'): number {
  const text = textOption(options, 'time-scale');
  if (text === undefined) return 1;
  const scale = Number(text);
  if (time !== 'observed') throw new UsageError('bad-option', '--time-scale needs --time observed');
  if (text.trim() !== '' && Number.isFinite(scale) && scale > 0) return scale;
  throw new UsageError('bad-option', `--time-scale takes a number above 0, not ${JSON.stringify(text)}`);
}

/** A session's tokens, by what they open. */
export interface SessionTokens {
  /** The session's own, by actor. */
  readonly session: Readonly<Record<string, string>>;
  /** By service, then by actor. */
  readonly services: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The variables that programs look for a token in, with the first actor's. */
  readonly environment: Readonly<Record<string, string>>;
}

export function tokensOf({ credentials, episode }: HostedSession): SessionTokens {
  const given = credentials.filter(({ worldToken }) => worldToken === undefined);
  const [first] = episode.session.actors;
  const byActor = (service: string | null): Record<string, string> =>
    Object.fromEntries(
      given.filter((one) => one.service === service).map(({ actor, token }: Credential) => [actor, token]),
    );
  const { services } = episode.environment;
  return {
    session: byActor(null),
    services: Object.fromEntries(services.map(({ name }) => [name, byActor(name)])),
    environment: Object.fromEntries(
      services.flatMap(({ name, access }) =>
        access.environment.map((variable) => [variable, byActor(name)[first?.id ?? ''] ?? '']),
      ),
    ),
  };
}
