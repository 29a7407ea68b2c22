import { UsageError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { Held } from '../host/held.ts';
import type { Credential, HostedSession, OpenRequest, SessionHost, Soon } from '../host/index.ts';
import { PAGE } from './paging.ts';
import { type ControlRoute, controlRoute } from './route.ts';
import * as schemas from './schemas.ts';

/** Routes that open, list, move and close sessions. */
export const sessionRoutes: readonly ControlRoute[] = [
  controlRoute({
    name: 'environments',
    method: 'GET',
    path: '/environments',
    summary: 'What sessions can be opened on.',
    answer: schemas.environments,
    run: ({ host }) => ({
      choices: [...host.source.choices],
      services: host.source.services.map(({ name, version, summary }) => ({ name, version, summary })),
      defaults: plain(host.source.defaults),
    }),
  }),
  controlRoute({
    name: 'open',
    method: 'POST',
    path: '/sessions',
    summary: 'Opens a session and draws its credentials.',
    body: schemas.openRequest,
    answer: schemas.openedSession,
    run: ({ host, body, baseUrl }) => {
      const asked = Object.keys(body).length > 0 ? (body as OpenRequest) : undefined;
      const request = asked && placed(asked, host.source.defaults);
      const session = host.open(request);
      return whenThere(host.safe(), () => opened(session, baseUrl));
    },
  }),
  controlRoute({
    name: 'list',
    method: 'GET',
    path: '/sessions',
    summary: 'Lists sessions in the order in which they were opened, a page at a time.',
    query: schemas.page,
    answer: schemas.sessionList,
    run: ({ host, query }) => {
      const { after: start, limit = PAGE } = query;
      const found = host.list({ ...(start !== undefined && { after: start }), limit });
      // Nothing but what is known of a session that is not in memory: a list brings none back.
      const sessions = found.map((session) => {
        const { id, touchedMs } = session;
        return { id, environment: requestedName(session), touchedMs };
      });
      return { sessions, next: found.length === limit ? (found.at(-1)?.id ?? null) : null };
    },
  }),
  controlRoute({
    name: 'summary',
    method: 'GET',
    path: '/sessions/{id}',
    summary: 'Where a session stands.',
    answer: schemas.summary,
    run: ({ host, session }) => summaryOf(host, session),
  }),
  controlRoute({
    name: 'close',
    method: 'DELETE',
    path: '/sessions/{id}',
    summary: 'Closes a session: its tokens open nothing any more.',
    answer: schemas.closed,
    run: ({ host, session }) => whenThere(host.close(session), () => ({ closed: true as const })),
  }),
  controlRoute({
    name: 'credentials',
    method: 'GET',
    path: '/sessions/{id}/credentials',
    summary: 'All tokens of a session.',
    answer: schemas.credentials,
    run: ({ session }) => ({ credentials: session.credentials.map(shown) }),
  }),
  controlRoute({
    name: 'fork',
    method: 'POST',
    path: '/sessions/{id}/fork',
    summary: 'Opens an independent session that goes on from here or from an earlier step.',
    body: schemas.forkRequest,
    answer: schemas.openedSession,
    run: ({ host, session, body, baseUrl }) => {
      const forked = host.fork(session, body.at);
      return whenThere(host.safe(), () => opened(forked, baseUrl));
    },
  }),
  controlRoute({
    name: 'reset',
    method: 'POST',
    path: '/sessions/{id}/reset',
    summary: 'Back to the start, with the same credentials.',
    answer: schemas.summary,
    run: ({ host, session }) => whenThere(host.rollback(session, 0), () => summaryOf(host, session)),
  }),
  controlRoute({
    name: 'checkpoint',
    method: 'POST',
    path: '/sessions/{id}/checkpoints',
    summary: 'Names the state as it is now.',
    body: schemas.checkpointRequest,
    answer: schemas.checkpointed,
    run: ({ host, session, body: { name } }) => {
      const step = session.episode.session.stepCount;
      return whenThere(host.checkpoint(session, name), () => ({ name, step }));
    },
  }),
  controlRoute({
    name: 'rollback',
    method: 'POST',
    path: '/sessions/{id}/rollback',
    summary: 'Back to the state after some steps, also when the episode is over.',
    body: schemas.rollbackRequest,
    answer: schemas.summary,
    run: ({ host, session, body }) => {
      const at = body.at ?? checkpointStep(session, body.checkpoint ?? '');
      return whenThere(host.rollback(session, at), () => summaryOf(host, session));
    },
  }),
  controlRoute({
    name: 'join',
    method: 'POST',
    path: '/sessions/{id}/actors',
    summary: 'Lets further actors in and draws their credentials.',
    body: schemas.joinRequest,
    answer: schemas.credentials,
    run: ({ host, session, body }) =>
      whenThere(host.join(session, body.actors as Parameters<SessionHost['join']>[1]), (drawn) => ({
        credentials: drawn.map(shown),
      })),
  }),
];

/** A wish without a place to play takes the server's own. */
function placed(request: OpenRequest, defaults: OpenRequest): OpenRequest {
  if (request.scenario !== undefined || request.services !== undefined) return request;
  return { ...defaults, ...request };
}

function checkpointStep({ episode }: HostedSession, name: string): number {
  const at = episode.checkpoints.get(name);
  if (at !== undefined) return at;
  const known = [...episode.checkpoints.keys()];
  throw new UsageError('no-checkpoint', `the session has no checkpoint named ${name}`, {
    hint: known.length > 0 ? `it has ${known.join(', ')}` : 'make one first',
  });
}

function opened(session: HostedSession, baseUrl: string) {
  const { environment } = session.episode;
  const { credentials } = session;
  const own = credentials.find(({ service }) => service === null)?.token ?? '';
  const prefix = `${baseUrl}/_groundhog/s/${own}`;
  return {
    id: session.id,
    environment: environment.name,
    baseUrl,
    services: environment.services.map(({ name, access }) => {
      const token = credentials.find(({ service }) => service === name)?.token ?? '';
      const variables = access.environment.map((variable) => [variable, token]);
      return {
        name,
        prefixUrl: `${prefix}/${name}`,
        hosts: [...access.hosts],
        environment: Object.fromEntries(variables) as Record<string, string>,
      };
    }),
    credentials: credentials.map(shown),
    mcp: { url: `${baseUrl}/mcp`, token: own, pathUrl: `${prefix}/mcp` },
    ...toldOf(session),
  };
}

/** What an agent is told. */
function toldOf({ episode: { environment, opening } }: HostedSession) {
  const { task, policy } = environment;
  const intent = task?.intent && { intent: plain(task.intent) };
  return { task: task && { text: task.text, ...intent }, policy, opening };
}

/** What a session was opened on, as far as that is known without its log; null where it is not. */
function requestedName(session: HostedSession): string | null {
  const request = session instanceof Held ? session.warm?.request : undefined;
  return request ? (request.scenario ?? (request.services ?? []).join('+')) : null;
}

function shown({ service, actor, token }: Credential) {
  return { service, actor, token };
}

function summaryOf(host: SessionHost, session: HostedSession) {
  const { actors, checkpoints, forkOf, ...rest } = host.summary(session);
  return {
    ...rest,
    actors: [...actors],
    checkpoints: { ...checkpoints },
    ...toldOf(session),
    ...(forkOf !== undefined && { forkOf: forkOf as never }),
  };
}

/** The same value, to be written down. */
function plain(value: object) {
  return value as JsonObject as Record<string, never>;
}

/** What follows from a value that is there, or will be. */
export function whenThere<T, R>(soon: Soon<T>, next: (value: T) => R): Soon<R> {
  return soon instanceof Promise ? soon.then(next) : next(soon);
}
