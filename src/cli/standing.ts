import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalJson } from '../base/canonical.ts';
import type { Json } from '../base/json.ts';
import { drawToken, type HostedSession, type OpenRequest, type SessionHost } from '../gateway/host/index.ts';

/** What stays as it was when a server is started again on its state folder. */

const PAGE = 1000;

/** The session that an earlier server of this folder opened for the same request, or a new one. */
export function standingSession(host: SessionHost, request: OpenRequest): HostedSession {
  const wanted = withoutEpoch(request);
  let after: string | undefined;
  for (;;) {
    const page = host.list({ limit: PAGE, ...(after !== undefined && { after }) });
    const found = page.find((session) => !session.forkOf && withoutEpoch(session.request) === wanted);
    if (found) return found;
    if (page.length < PAGE) return host.open(request);
    after = page.at(-1)?.id;
  }
}

/** An anchored clock gives every opening an epoch of its own. */
function withoutEpoch({ epochMs: _epoch, ...request }: OpenRequest): string {
  return canonicalJson(request as Json);
}

/** The token of the control plane that an earlier server of this folder drew; a new one where none did. */
export function standingControlToken(directory: string): string {
  const file = join(directory, 'control-token');
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const token = drawToken({ prefix: 'ghc_', length: 40 });
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  writeFileSync(file, `${token}\n`, { mode: 0o600 });
  return token;
}
