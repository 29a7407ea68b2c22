import { digestText } from '../../base/digest.ts';
import { UsageError } from '../../base/errors.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { EnvironmentSource, OpenRequest } from '../host/index.ts';

/** What a reset asks for, checked. */
export interface ResetWishes {
  readonly seed?: number;
  readonly episodeId?: string;
  readonly scenario?: string;
  readonly variant?: string;
  readonly trial?: number;
}

/** What a reset comes to: the same wishes give the same selection, and with it the same hashes. */
export interface Selection {
  readonly request: OpenRequest;
  /** Null in free play. */
  readonly scenario: string | null;
  readonly trial: number;
  /** The client's own id, or `SCENARIO[~VARIANT]#TRIAL`. */
  readonly episodeId: string;
}

/**
 * Which environment a reset opens. A scenario is named by `scenario` (and `variant`), or by an `episode_id`
 * of the form `SCENARIO[~VARIANT][#TRIAL]`; the trial is then `trial`, or that of the id, or the seed, or 0.
 * Where none is named, a number selects both: scenario `n mod N` of the N that are served and trial
 * `floor(n / N)`. The number is the seed, or a hash of the `episode_id`, or how often this environment was
 * reset before.
 * @throws UsageError for a scenario that is not served.
 */
export function select(source: EnvironmentSource, wishes: ResetWishes, resets: number): Selection {
  const { choices, defaults } = source;
  const named = namedBy(source, wishes);
  const number = wishes.seed ?? hashOf(wishes.episodeId) ?? resets;
  const scenario = named?.scenario ?? choices[number % choices.length] ?? null;
  const trial =
    wishes.trial ??
    (named ? (named.trial ?? wishes.seed ?? 0) : Math.floor(number / Math.max(choices.length, 1)));
  const request: OpenRequest =
    scenario === null ? { ...defaults, trial } : { ...withoutPlace(defaults), scenario, trial };
  const name = scenario ?? (defaults.services ?? []).join('+');
  return { request, scenario, trial, episodeId: wishes.episodeId ?? `${name}#${trial}` };
}

function namedBy(
  { choices }: EnvironmentSource,
  { scenario, variant, episodeId }: ResetWishes,
): { readonly scenario: string; readonly trial?: number } | null {
  if (scenario !== undefined) {
    const name = variant === undefined ? scenario : `${scenario}~${variant}`;
    if (choices.includes(name)) return { scenario: name };
    throw new UsageError('unknown-scenario', `no scenario named ${name} is served here`, {
      hint: choices.length === 0 ? 'this server serves services without a task' : `such as ${choices[0]}`,
    });
  }
  if (episodeId === undefined) return null;
  if (choices.includes(episodeId)) return { scenario: episodeId };
  const [, name = '', digits = ''] = /^(.+)#(\d{1,9})$/u.exec(episodeId) ?? [];
  return choices.includes(name) ? { scenario: name, trial: Number(digits) } : null;
}

function hashOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number.parseInt(digestText(text).slice(0, 8), 16);
}

function withoutPlace({ scenario: _scenario, services: _services, ...rest }: OpenRequest): OpenRequest {
  return rest;
}

/** One thing wrong with what a client sent, in the shape of the reference server. */
export interface ValidationIssue {
  readonly [member: string]: Json;
  readonly type: string;
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly input: Json;
}

/** What a client sent does not fit; it is told where. */
export class ValidationProblem extends Error {
  override readonly name = 'ValidationProblem';
  readonly errors: readonly ValidationIssue[];

  constructor(errors: readonly ValidationIssue[]) {
    super('Invalid message');
    this.errors = errors.map((issue) => ({ ...issue, input: shown(issue.input) }));
  }
}

/** What is echoed of a wrong value: nothing that is large, or nested too deep to be written down. */
function shown(input: Json): Json {
  if (typeof input === 'string') return input.slice(0, 200);
  return typeof input === 'object' ? null : input;
}

const EPISODE_ID_MOST = 255;

/** Reads the arguments of a reset; unknown ones are left alone. @throws ValidationProblem */
export function wishesOf(data: JsonObject): ResetWishes {
  const errors: ValidationIssue[] = [];
  const check = (member: string, fits: (value: Json) => boolean, msg: string): Json | undefined => {
    const value = data[member];
    if (value === undefined || value === null) return undefined;
    if (fits(value)) return value;
    errors.push({ type: 'value_error', loc: [member], msg, input: value });
    return undefined;
  };
  const whole = (value: Json): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
  const text = (value: Json): boolean => typeof value === 'string';
  const number = 'Input should be a whole number of at least 0';
  const wishes = {
    seed: check('seed', whole, number),
    episodeId: check(
      'episode_id',
      (value) => typeof value === 'string' && value.length <= EPISODE_ID_MOST,
      `Input should be a text of at most ${EPISODE_ID_MOST} characters`,
    ),
    scenario: check('scenario', text, 'Input should be a text'),
    variant: check('variant', (value) => text(value) || whole(value), 'Input should be a text or a number'),
    trial: check('trial', whole, number),
  };
  if (errors.length > 0) throw new ValidationProblem(errors);
  return Object.fromEntries(
    Object.entries(wishes)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, name === 'variant' ? String(value) : value]),
  );
}
