import { UsageError } from '../../base/errors.ts';
import type { FaultRule } from '../../faults/types.ts';
import type { HostedSession, SessionHost, Verdict } from '../host/index.ts';
import { PAGE, type PageQuery, startOf } from './paging.ts';
import { type ControlRoute, controlRoute } from './route.ts';
import * as schemas from './schemas.ts';
import { whenThere } from './session-routes.ts';

/** Routes of what happens in an episode: time, faults, words, its end, its record and score. */
export const episodeRoutes: readonly ControlRoute[] = [
  controlRoute({
    name: 'wait',
    method: 'POST',
    path: '/sessions/{id}/wait',
    summary: 'Lets virtual time pass before the next call. Nobody really waits.',
    body: schemas.waitRequest,
    answer: schemas.waited,
    run: ({ host, session, body: { durationMs } }) =>
      whenThere(host.wait(session, durationMs), () => ({ durationMs })),
  }),
  controlRoute({
    name: 'inject',
    method: 'POST',
    path: '/sessions/{id}/faults',
    summary: 'Adds fault rules that hold from the next call on.',
    body: schemas.injectRequest,
    answer: schemas.injected,
    run: ({ host, session, body: { rules } }) =>
      whenThere(host.inject(session, rules as readonly FaultRule[]), () => ({ rules: rules.length })),
  }),
  controlRoute({
    name: 'say',
    method: 'POST',
    path: '/sessions/{id}/messages',
    summary: 'Says something to the user, who answers.',
    body: schemas.messageRequest,
    answer: schemas.said,
    run: ({ host, session, body: { text } }) => host.say(session, text),
  }),
  controlRoute({
    name: 'answer',
    method: 'POST',
    path: '/sessions/{id}/answer',
    summary: 'Gives the final answer: the episode ends and is scored.',
    body: schemas.answerRequest,
    answer: schemas.ended,
    run: ({ host, session, body: { text } }) => {
      const { finished } = session.episode;
      if (finished?.end?.reason === 'answer') throw answeredAlready();
      // What ended before its answer, as a budget does, has the verdict of that end.
      const ending = finished ?? host.end(session, { answer: text, reason: 'answer' });
      return whenThere(ending, ({ end }) => ({
        ended: end?.reason ?? 'answer',
        steps: end?.steps ?? 0,
        verdict: verdictOf(session.episode.verdict),
      }));
    },
  }),
  controlRoute({
    name: 'score',
    method: 'POST',
    path: '/sessions/{id}/score',
    summary: 'The verdict if the episode ended now. Changes nothing.',
    body: schemas.scoreRequest,
    answer: schemas.score,
    run: ({ session, body: { answer = null } }) => {
      const { verdict } = session.episode.asIfEnded(answer);
      return { verdict: verdictOf(verdict), reason: verdict ? null : 'no scenario says what is right here' };
    },
  }),
  controlRoute({
    name: 'trajectory',
    method: 'GET',
    path: '/sessions/{id}/trajectory',
    summary: 'The trajectory so far, as if the episode ended now: a file that replays.',
    answer: 'application/x-ndjson',
    run: ({ session }) => session.episode.asIfEnded(null).text,
  }),
  controlRoute({
    name: 'calls',
    method: 'GET',
    path: '/sessions/{id}/calls',
    summary: 'Through which door each step came, and its trace context; empty without `--state`.',
    query: schemas.page,
    answer: schemas.callList,
    run: ({ host, session, query }) => callsOf(host, session, query),
  }),
];

function answeredAlready(): UsageError {
  return new UsageError('finished', 'the answer was given already', {
    hint: 'POST score gives its verdict; reset begins anew',
  });
}

function verdictOf(verdict: Verdict | null) {
  return verdict as unknown as { success: boolean; void: null; report: Record<string, never> } | null;
}

function callsOf(host: SessionHost, session: HostedSession, { after, limit = PAGE }: PageQuery) {
  const from = startOf(after);
  const all = host.callsOf(session);
  const calls = all.slice(from, from + limit).map(({ step, door, trace }) => ({
    step,
    door,
    ...(trace && { trace }),
  }));
  return { calls, next: from + limit < all.length ? String(from + limit) : null };
}
