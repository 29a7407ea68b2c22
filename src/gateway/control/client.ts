import type { z } from 'zod';
import { UsageError } from '../../base/errors.ts';
import type { FaultRule } from '../../faults/types.ts';
import type { Actor } from '../../service/types.ts';
import type { OpenRequest } from '../host/types.ts';
import type * as schemas from './schemas.ts';

type Answer<S extends keyof typeof schemas> = (typeof schemas)[S] extends z.ZodType
  ? z.infer<(typeof schemas)[S]>
  : never;

/** A session as it was opened or forked: where it answers, and its credentials. */
export type OpenedSession = Answer<'openedSession'>;
export type SessionState = Answer<'state'>;

/** A page of a list: `after` is the `next` of the page before. */
export interface PageRequest {
  readonly after?: string;
  /** 1 to 1,000; 100 when left out. */
  readonly limit?: number;
}

/** What a session is to be opened on; an actor's name stands for one who has nothing else. */
export interface SessionRequest extends Omit<OpenRequest, 'actors'> {
  readonly actors?: readonly (Actor | string)[];
}

/** Where a control plane is, and what opens it. */
export interface ControlAddress {
  /** Such as `http://127.0.0.1:4747/_groundhog/control/v1`. */
  readonly url: string;
  readonly token: string;
}

interface Asked {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  readonly query?: object | undefined;
}

/**
 * The control plane of a server, one method per route. Each one throws a UsageError with the server's own
 * code, sentence and hint when it is refused, and with `unreachable` when nobody answers.
 */
export class ControlClient {
  readonly #url: string;
  readonly #token: string;

  constructor({ url, token }: ControlAddress) {
    this.#url = url.replace(/\/+$/u, '');
    this.#token = token;
  }

  /** What sessions can be opened on. */
  environments(): Promise<Answer<'environments'>> {
    return this.#json({ method: 'GET', path: '/environments' });
  }

  /** Opens a session; on what the server was started for, when nothing is wished. */
  open(request: SessionRequest = {}): Promise<OpenedSession> {
    return this.#json({ method: 'POST', path: '/sessions', body: request });
  }

  list(page?: PageRequest): Promise<Answer<'sessionList'>> {
    return this.#json({ method: 'GET', path: '/sessions', query: page });
  }

  summary(id: string): Promise<Answer<'summary'>> {
    return this.#json({ method: 'GET', path: session(id) });
  }

  /** Closes a session: its tokens open nothing any more. */
  close(id: string): Promise<Answer<'closed'>> {
    return this.#json({ method: 'DELETE', path: session(id) });
  }

  credentials(id: string): Promise<Answer<'credentials'>> {
    return this.#json({ method: 'GET', path: session(id, 'credentials') });
  }

  /** An independent session that goes on from here, or from after the first `at` steps. */
  fork(id: string, { at }: { readonly at?: number } = {}): Promise<OpenedSession> {
    return this.#json({ method: 'POST', path: session(id, 'fork'), body: at === undefined ? {} : { at } });
  }

  /** Back to the start, with the same credentials. */
  reset(id: string): Promise<Answer<'summary'>> {
    return this.#json({ method: 'POST', path: session(id, 'reset') });
  }

  checkpoint(id: string, name: string): Promise<Answer<'checkpointed'>> {
    return this.#json({ method: 'POST', path: session(id, 'checkpoints'), body: { name } });
  }

  rollback(
    id: string,
    to: { readonly at: number } | { readonly checkpoint: string },
  ): Promise<Answer<'summary'>> {
    return this.#json({ method: 'POST', path: session(id, 'rollback'), body: to });
  }

  join(id: string, actors: readonly (Actor | string)[]): Promise<Answer<'credentials'>> {
    return this.#json({ method: 'POST', path: session(id, 'actors'), body: { actors } });
  }

  /** Lets virtual milliseconds pass before the next call. */
  wait(id: string, durationMs: number): Promise<Answer<'waited'>> {
    return this.#json({ method: 'POST', path: session(id, 'wait'), body: { durationMs } });
  }

  inject(id: string, rules: readonly FaultRule[]): Promise<Answer<'injected'>> {
    return this.#json({ method: 'POST', path: session(id, 'faults'), body: { rules } });
  }

  state(id: string): Promise<SessionState> {
    return this.#json({ method: 'GET', path: session(id, 'state') });
  }

  /** Rows of a table, named `service.table`. */
  rows(id: string, table: string, page?: PageRequest): Promise<Answer<'tableRows'>> {
    return this.#json({ method: 'GET', path: session(id, 'tables', table), query: page });
  }

  /** What changed since after the first `from` steps; since the start when left out. */
  diff(id: string, { from }: { readonly from?: number } = {}): Promise<Answer<'diff'>> {
    return this.#json({ method: 'GET', path: session(id, 'diff'), query: { from } });
  }

  /** The trajectory file so far. */
  trajectory(id: string): Promise<string> {
    return this.#text({ method: 'GET', path: session(id, 'trajectory') });
  }

  /** The verdict if the episode ended now with this answer. Changes nothing. */
  score(id: string, { answer }: { readonly answer?: string } = {}): Promise<Answer<'score'>> {
    const body = answer === undefined ? {} : { answer };
    return this.#json({ method: 'POST', path: session(id, 'score'), body });
  }

  /** Gives the final answer: the episode ends. */
  answer(id: string, text: string): Promise<Answer<'ended'>> {
    return this.#json({ method: 'POST', path: session(id, 'answer'), body: { text } });
  }

  /** Says something to the user, who answers. */
  say(id: string, text: string): Promise<Answer<'said'>> {
    return this.#json({ method: 'POST', path: session(id, 'messages'), body: { text } });
  }

  /** Through which door each step came. */
  calls(id: string, page?: PageRequest): Promise<Answer<'callList'>> {
    return this.#json({ method: 'GET', path: session(id, 'calls'), query: page });
  }

  /** Figures in Prometheus text format. */
  metrics(): Promise<string> {
    return this.#text({ method: 'GET', path: '/metrics' });
  }

  /** The OpenAPI document of the control plane. */
  openApi(): Promise<Record<string, unknown>> {
    return this.#json({ method: 'GET', path: '/openapi.json' });
  }

  async #json<T>(asked: Asked): Promise<T> {
    return JSON.parse(await this.#text(asked)) as T;
  }

  async #text({ method, path, body, query }: Asked): Promise<string> {
    const response = await fetch(`${this.#url}${path}${queryText(query)}`, {
      method,
      headers: {
        authorization: `Bearer ${this.#token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).catch((error: unknown) => {
      throw new UsageError('unreachable', `nobody answers at ${this.#url}`, { hint: reasonOf(error) });
    });
    const text = await response.text();
    if (response.ok) return text;
    throw refusalOf(response.status, text);
  }
}

function session(id: string, ...parts: readonly string[]): string {
  return `/${['sessions', id, ...parts].map(encodeURIComponent).join('/')}`;
}

function queryText(query: object = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  if (given.length === 0) return '';
  return `?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))}`;
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof Error ? cause.message : String(cause);
}

function refusalOf(status: number, text: string): UsageError {
  try {
    const { code, message, hint } = (JSON.parse(text) as Answer<'problem'>).error;
    return new UsageError(code, message, hint === undefined ? {} : { hint });
  } catch {
    return new UsageError('bad-answer', `the server answered ${status} with something that is not its own`);
  }
}
