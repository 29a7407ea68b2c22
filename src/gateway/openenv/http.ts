import { UsageError } from '../../base/errors.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { DoorRequest } from '../http/index.ts';
import { readMcpBody, sendJson } from '../mcp/index.ts';
import { readAction } from './actions.ts';
import type { EnvInstance } from './instance.ts';
import type { Registry } from './registry.ts';
import { ValidationProblem } from './selection.ts';

const HEADER = 'x-groundhog-session';
const COOKIE = 'groundhog_session';

/** An environment, and the id to hand out with its answers; null where the client has one already. */
interface Reached {
  readonly instance: EnvInstance;
  readonly id: string | null;
}

/**
 * `/reset`, `/step` and `/state` with a memory, which the reference does not have. A client is known by the
 * header `x-groundhog-session`, by a cookie, or by the bearer token of a session. One that shows nothing
 * begins a new environment with each reset, is told its id, and is taken for whoever reset last until it
 * shows that.
 */
export class HttpEpisodes {
  readonly #registry: Registry;
  /** The environment of the last client that reset without showing anything. */
  #anonymous: Reached | null = null;

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  async reset(request: DoorRequest): Promise<void> {
    await this.#answer(request, async (body) => {
      const reached = this.#known(request) ?? (await this.#anew());
      return { reached, result: await reached.instance.reset(body) };
    });
  }

  async step(request: DoorRequest): Promise<void> {
    await this.#answer(request, async ({ action, timeout_s: timeout, request_id: requestId }) => {
      if (!isJsonObject(action))
        throw invalid('action', 'Input should be a valid dictionary', action ?? null);
      if (timeout !== undefined && timeout !== null && !(typeof timeout === 'number' && timeout > 0)) {
        throw invalid('timeout_s', 'Input should be greater than 0', timeout);
      }
      if (requestId !== undefined && requestId !== null && typeof requestId !== 'string') {
        throw invalid('request_id', 'Input should be a valid string', requestId);
      }
      const read = readAction(action);
      const reached = this.#known(request) ?? this.#lastAnonymous() ?? (await this.#anew());
      return { reached, result: await reached.instance.step(read) };
    });
  }

  async state(request: DoorRequest): Promise<void> {
    await this.#answer(request, async () => {
      const reached = this.#known(request) ?? this.#lastAnonymous();
      return { reached, result: reached ? reached.instance.state() : { episode_id: null, step_count: 0 } };
    });
  }

  /** Null where there was none, or it was closed since. */
  #lastAnonymous(): Reached | null {
    const { id = null } = this.#anonymous ?? {};
    if (id !== null && !this.#registry.has(id)) this.#anonymous = null;
    return this.#anonymous;
  }

  async #anew(): Promise<Reached> {
    if (!this.#registry.hasRoom) throw new UsageError('no-room', 'as many sessions are open as may be');
    const { instance, id } = await this.#registry.create({ unclaimed: true });
    this.#anonymous = { instance, id };
    return this.#anonymous;
  }

  /** @throws UsageError when the client shows an id that opens nothing. */
  #known({ raw, bearer }: DoorRequest): Reached | null {
    const header = raw.headers[HEADER];
    const cookie = cookieOf(raw.headers.cookie);
    const shown = typeof header === 'string' ? header : cookie;
    const kept = shown === null ? undefined : this.#registry.find(shown);
    if (kept) return { instance: kept.instance, id: null };
    for (const token of [shown, bearer]) {
      const instance = token === null ? undefined : this.#registry.adopt(token);
      if (instance) return { instance, id: null };
    }
    if (typeof header !== 'string') return null;
    throw new UsageError('unknown-session', 'no session has this id, or not any more', {
      hint: 'reset without the header to begin another',
    });
  }

  async #answer(
    request: DoorRequest,
    perform: (body: JsonObject) => Promise<{ readonly reached: Reached | null; readonly result: object }>,
  ): Promise<void> {
    try {
      const { reached, result } = await perform(await bodyOf(request));
      if (reached) introduce(request, reached);
      sendJson(request, 200, result);
    } catch (error) {
      if (error instanceof ValidationProblem) {
        const detail = error.errors.map((issue) => ({ ...issue, loc: ['body', ...issue.loc] }));
        return sendJson(request, 422, { detail });
      }
      if (!(error instanceof UsageError)) throw error;
      const status = error.code === 'no-room' ? 503 : error.code === 'unknown-session' ? 404 : 400;
      sendJson(request, status, { detail: error.describe() });
    }
  }
}

/** The body; an empty one is an empty object. @throws ValidationProblem */
async function bodyOf(request: DoorRequest): Promise<JsonObject> {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.raw.headers;
  if ((length === undefined || length === '0') && encoding === undefined) return {};
  const read = await readMcpBody(request);
  if ('problem' in read) throw invalid('', 'JSON decode error', {});
  if (!isJsonObject(read.message)) throw invalid('', 'Input should be a valid dictionary', {});
  return read.message;
}

function invalid(member: string, msg: string, input: NonNullable<unknown> | null): ValidationProblem {
  const loc = member === '' ? [] : [member];
  return new ValidationProblem([{ type: 'value_error', loc, msg, input: input as JsonObject }]);
}

/** Tells a client that has shown nothing which environment it has. */
function introduce({ response }: DoorRequest, { id }: Reached): void {
  if (id === null) return;
  response.setHeader(HEADER, id);
  response.setHeader('set-cookie', `${COOKIE}=${id}; Path=/; HttpOnly; SameSite=Strict`);
}

function cookieOf(header: string | undefined): string | null {
  return /(?:^|;\s*)groundhog_session=([^;]+)/u.exec(header ?? '')?.[1] ?? null;
}
