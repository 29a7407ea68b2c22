import type { z } from 'zod';
import type { HostedSession, SessionHost, Soon } from '../host/index.ts';

/** A route of the control plane as data: checked, documented and called by what it says here. */
export interface ControlRoute {
  /** Its operation id, which is the name of the client's method too. */
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below the version prefix, with `{name}` parameters; `{id}` is a session. */
  readonly path: string;
  readonly summary: string;
  readonly query: z.ZodType | null;
  readonly body: z.ZodType | null;
  /** A schema for JSON, or the media type of a text. */
  readonly answer: z.ZodType | string;
  readonly run: (context: RouteContext) => Soon<unknown>;
}

/** What a route works with, checked by its schemas. */
export interface RouteContext {
  readonly host: SessionHost;
  /** Where the caller reaches this server, such as `http://127.0.0.1:4747`. */
  readonly baseUrl: string;
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly query: unknown;
  readonly body: unknown;
  /** The session of the path. @throws InvariantError for a route without one. */
  readonly session: HostedSession;
}

type Out<S> = S extends z.ZodType ? z.infer<S> : undefined;

interface Declaration<Q, B, A> extends Omit<ControlRoute, 'query' | 'body' | 'answer' | 'run'> {
  readonly query?: Q;
  readonly body?: B;
  readonly answer: A;
  readonly run: (
    context: Omit<RouteContext, 'query' | 'body'> & { readonly query: Out<Q>; readonly body: Out<B> },
  ) => Soon<A extends z.ZodType ? z.input<A> : string>;
}

/** Declares a route; types what its function is given and has to give by its schemas. */
export function controlRoute<
  A extends z.ZodType | string,
  Q extends z.ZodType | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
>(declared: Declaration<Q, B, A>): ControlRoute {
  const { query = null, body = null, run, ...rest } = declared;
  return { ...rest, query, body, run: run as ControlRoute['run'] };
}
