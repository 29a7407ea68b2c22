import { type Completion, isJsonObject, type Json, type JsonObject } from '../../../service/index.ts';
import { documentationUrl, redirectsUrl } from './documentation.ts';

/** The first day on which errors were seen to repeat their status. */
const REPEATED_STATUS_MS = Date.UTC(2024, 3, 1);

const UPLOAD = 'repos/upload-release-asset';

/** Errors name the page that there was at the moment, and repeat their status since they do. */
export function datedBody(
  { answer, error, operation, nowMs }: Completion,
  headers: Readonly<Record<string, string>>,
): Json {
  const { body } = answer;
  if (!error || !isJsonObject(body) || body.documentation_url === undefined) return body;
  const { status, ...rest } = body;
  const isRepeated = status !== undefined && nowMs >= REPEATED_STATUS_MS;
  const page =
    error.code === 'moved'
      ? redirectsUrl(nowMs)
      : documentationUrl({ operation: operation?.id, status: error.status }, nowMs);
  const told = isUpload({ operation, error })
    ? ofUploads(rest, { nowMs, requestId: headers['x-github-request-id'] ?? '' })
    : { ...rest, documentation_url: page };
  return isRepeated ? { ...told, status } : told;
}

/** Whether the host of uploads refuses what was sent, which has a form of its own for that. */
function isUpload({ operation, error }: Pick<Completion, 'operation' | 'error'>): boolean {
  return operation?.id === UPLOAD && error?.status === 422;
}

/** Errors there name their request, and no page of their own. */
function ofUploads(
  { message = '', errors }: JsonObject,
  { nowMs, requestId }: { readonly nowMs: number; readonly requestId: string },
): JsonObject {
  const documentation_url = documentationUrl({ operation: undefined, status: 422 }, nowMs);
  return { message, request_id: requestId, documentation_url, ...(errors !== undefined && { errors }) };
}

/** Refused uploads are the errors that say that they are not to be kept. */
export function errorHeaders(call: Pick<Completion, 'operation' | 'error'>): Record<string, string> {
  return isUpload(call) ? { 'cache-control': 'no-cache' } : {};
}
