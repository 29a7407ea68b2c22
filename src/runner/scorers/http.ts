import { UsageError } from '../../base/errors.ts';
import { readReply } from './reply.ts';
import { type Scorer, ScorerFailure } from './types.ts';

/** A scorer behind a URL: a POST of the request, a reply of status 200. @throws UsageError for no URL */
export function httpScorer(name: string, url: string, timeoutMs: number): Scorer {
  if (!URL.canParse(url)) {
    throw new UsageError('bad-url', `${JSON.stringify(url)} is no URL`, {
      hint: 'such as http://localhost:8080/score',
    });
  }
  return {
    name,
    async score(request) {
      const timeout = AbortSignal.timeout(timeoutMs);
      try {
        const response = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(request),
          signal: timeout,
          // A client that follows one may leave the run out and ask with GET: then the score is of nothing.
          redirect: 'manual',
        });
        const text = await response.text();
        if (response.ok) return readReply(text);
        const moved = response.headers.get('location');
        if (moved !== null && response.status < 400) {
          throw new ScorerFailure(`${url} has moved to ${moved}: give that URL`, false);
        }
        const isTransient = response.status === 429 || response.status >= 500;
        throw new ScorerFailure(`${url} answered with status ${response.status}`, isTransient);
      } catch (error) {
        if (error instanceof ScorerFailure) throw error;
        const reason = timeout.aborted ? `gave no reply within ${timeoutMs / 1000} s` : 'cannot be reached';
        throw new ScorerFailure(`${url} ${reason}`, true);
      }
    },
    close() {},
  };
}
