import { digestText } from '../../base/digest.ts';
import { nearestName, UsageError } from '../../base/errors.ts';
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
 * @throws ValidationProblem for an `episode_id` that means to name a scenario and does not, or another one
 * than `scenario`.
 */
export function select(source: EnvironmentSource, wishes: ResetWishes, resets: number): Selection {
  const { choices, defaults } = source;
  const named = namedBy(source, wishes);
  const number = wishes.seed ?? hashOf(wishes.episodeId) ?? resets;
  const scenario = named?.scenario ?? choices[number % choices.length] ?? null;
  const trial =
    wishes.trial ??
    named?.trial ??
    (named ? (wishes.seed ?? 0) : Math.floor(number / Math.max(choices.length, 1)));
  const request: OpenRequest =
    scenario === null ? { ...defaults, trial } : { ...withoutPlace(defaults), scenario, trial };
  const name = scenario ?? placeName(defaults);
  const id = wishes.episodeId;
  const spoken = id === undefined ? null : readId(source, id);
  // An id that names an episode names the one that is played; any other is the client's own affair.
  const isTrue = !spoken || (spoken.scenario === scenario && (spoken.trial ?? 0) === trial);
  return { request, scenario, trial, episodeId: id !== undefined && isTrue ? id : `${name}#${trial}` };
}

/** What wishes name: a scenario, or in free play the trial alone; null where they leave both open. */
export interface Named {
  readonly scenario: string | null;
  readonly trial?: number;
}

/** What the wishes name. @throws UsageError, ValidationProblem as `select` does. */
export function namedBy(source: EnvironmentSource, wishes: ResetWishes): Named | null {
  const { scenario, variant, episodeId } = wishes;
  const ofId = episodeId === undefined ? null : readId(source, episodeId);
  if (scenario === undefined) {
    if (episodeId !== undefined && !ofId) assertNoSlip(source, episodeId, /[#~]/u.test(episodeId));
    return ofId;
  }
  const wanted = variant === undefined ? scenario : `${scenario}~${variant}`;
  const name = servedName(source, wanted);
  if (name === null) throw unknownScenario(source, wanted);
  if (episodeId === undefined) return { scenario: name };
  if (!ofId) assertNoSlip(source, episodeId, false);
  else if (ofId.scenario !== name) throw badId(episodeId, `This names another scenario than ${wanted}`);
  return { ...ofId, scenario: name };
}

/** A scenario as it is served, also when its bank stands before it; null where it is not. */
function servedName({ choices }: EnvironmentSource, name: string): string | null {
  const bare = name.slice(name.lastIndexOf('/') + 1);
  return [name, bare].find((one) => choices.includes(one)) ?? null;
}

function unknownScenario({ choices }: EnvironmentSource, name: string): UsageError {
  const near = nearestName(name.slice(name.lastIndexOf('/') + 1), choices);
  const known = choices.length === 0 ? 'this server serves services without a task' : `such as ${choices[0]}`;
  return new UsageError('unknown-scenario', `no scenario named ${name} is served here`, {
    hint: near === undefined ? known : `did you mean ${near}?`,
  });
}

/** The episode that an id names: `SCENARIO[~VARIANT][#TRIAL]`, in free play `SERVICES#TRIAL`. */
function readId(source: EnvironmentSource, id: string): Named | null {
  const [, name = id, digits] = /^(.+)#(\d{1,9})$/u.exec(id) ?? [];
  const trial = digits === undefined ? {} : { trial: Number(digits) };
  if (source.choices.length === 0) {
    return digits !== undefined && name === placeName(source.defaults) ? { scenario: null, ...trial } : null;
  }
  const scenario = servedName(source, name);
  return scenario === null ? null : { scenario, ...trial };
}

/** Edits that a slip of the pen has at most; an id of less than eight letters has one, or none. */
const SLIP_MOST = 2;

/**
 * An id that names nothing is free, unless it looks like the name of an episode: another one would be opened
 * in its place.
 * @throws ValidationProblem
 */
function assertNoSlip(source: EnvironmentSource, id: string, isForm: boolean): void {
  const { choices } = source;
  if (choices.length === 0) return;
  const [base = ''] = id.slice(id.lastIndexOf('/') + 1).split(/[#~]/u, 1);
  const names = new Set(choices.flatMap((choice) => [choice, choice.split('~', 1)[0] ?? choice]));
  const most = Math.min(SLIP_MOST, Math.floor(base.length / 4));
  const near = nearestName(base.toLowerCase(), names);
  const isSlip = near !== undefined && isWithin(most, [base.toLowerCase(), near]);
  if (!isSlip && !isForm) return;
  const [, trial = '0'] = /#(\d{1,9})$/u.exec(id) ?? [];
  const whole = nearestName(id.slice(id.lastIndexOf('/') + 1).replace(/#.*$/u, ''), choices);
  const meant = whole ?? choices[0] ?? '';
  throw badId(
    id,
    `This names no episode that is served here, which are SCENARIO[~VARIANT][#TRIAL]: ${
      whole === undefined ? `such as ${meant}#${trial}` : `did you mean ${meant}#${trial}?`
    }`,
  );
}

/** Whether so many edits at most lead from one text to the other. */
function isWithin(edits: number, [left, right]: readonly [string, string]): boolean {
  let same = 0;
  while (same < left.length && left[same] === right[same]) same += 1;
  const [a, b] = [left.slice(same), right.slice(same)];
  if (a === b) return true;
  if (edits === 0) return false;
  const shorter = [
    [a.slice(1), b.slice(1)],
    [a.slice(1), b],
    [a, b.slice(1)],
  ] as const;
  return shorter.some((pair) => isWithin(edits - 1, pair));
}

function badId(id: string, msg: string): ValidationProblem {
  const issue = { type: 'value_error', loc: ['episode_id'], msg, input: id };
  return new ValidationProblem([issue], `Invalid episode_id: ${msg}`);
}

function placeName({ services = [] }: OpenRequest): string {
  return services.join('+');
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

  /** `message` is all that many clients show. */
  constructor(errors: readonly ValidationIssue[], message = 'Invalid message') {
    super(message);
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
