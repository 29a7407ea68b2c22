import type { Answered, CorpusRequest } from './types.ts';

/** What a recorder writes for an `Accept` header that it did not keep. */
const FILLED_IN = 'application/vnd.github+json';
/** What Java's own HTTP client asks for unless it is told otherwise. */
const UNSPECIFIC = 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2';

/**
 * The request with the `Accept` header that was really sent. Some recorders do not keep it and have a plain
 * one filled in; the answer's `x-github-media-type` echoes what was asked, so where the two contradict each
 * other the answer tells the request.
 */
export function withSentAccept(request: CorpusRequest, { headers }: Answered): CorpusRequest {
  const { accept } = request.headers;
  if (accept !== undefined && accept !== FILLED_IN) return request;
  const asked = askedFor(headers['x-github-media-type']);
  return asked === null ? request : { ...request, headers: { ...request.headers, accept: asked } };
}

/** The header that a media type answers to; null where it is the plain one, or nothing is said. */
function askedFor(mediaType: string | undefined): string | null {
  if (mediaType === undefined) return null;
  if (mediaType.startsWith('unknown')) return UNSPECIFIC;
  const asked = mediaType.split(', ').flatMap((one) => {
    const found = /^github\.(?:v3; param=)?([\w.-]+?)(; format=json)?$/u.exec(one);
    const [, form = 'v3', json] = found ?? [];
    return found && form !== 'v3' ? [`application/vnd.github.${form}${json ? '+json' : ''}`] : [];
  });
  return asked.length > 0 ? asked.join(', ') : null;
}
