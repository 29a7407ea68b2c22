import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalJson } from '../base/canonical.ts';
import { UsageError } from '../base/errors.ts';
import type { Json } from '../base/json.ts';
import {
  CONTROL_TOKEN,
  drawToken,
  type HostedSession,
  type OpenRequest,
  type SessionHost,
} from '../gateway/host/index.ts';

/** What stays as it was when a server is started again on its state folder. */

const PAGE = 1000;

/**
 * The session that an earlier server of this folder opened for the same request, or a new one: also where the
 * old one cannot come back, because the world is another one by now.
 */
export function standingSession(
  host: SessionHost,
  request: OpenRequest,
  note: (text: string) => void,
): HostedSession {
  const wanted = withoutEpoch(request);
  let after: string | undefined;
  for (;;) {
    const page = host.list({ limit: PAGE, ...(after !== undefined && { after }) });
    const found = page.filter((session) => !session.forkOf && withoutEpoch(session.request) === wanted);
    for (const session of found) {
      const problem = whyGone(session);
      if (problem === null) return session;
      note(`session ${session.id}: ${problem}; a new one is opened`);
    }
    if (page.length < PAGE) return host.open(request);
    after = page.at(-1)?.id;
  }
}

function whyGone(session: HostedSession): string | null {
  try {
    return session.episode ? null : 'it is gone';
  } catch (error) {
    if (error instanceof UsageError && error.code === 'world-changed') return error.message;
    throw error;
  }
}

/** An anchored clock gives every opening an epoch of its own. */
function withoutEpoch({ epochMs: _epoch, ...request }: OpenRequest): string {
  return canonicalJson(request as Json);
}

const DRAWN = new RegExp(`^${CONTROL_TOKEN.prefix}[A-Za-z0-9]{${CONTROL_TOKEN.length}}$`, 'u');

/** The token of the control plane that an earlier server of this folder drew; a new one where none did. */
export function standingControlToken(directory: string): string {
  const file = join(directory, 'control-token');
  try {
    const standing = readFileSync(file, 'utf8').trim();
    // A file that a full disk or a crash left empty would open the control plane to nobody, or to anyone.
    if (DRAWN.test(standing)) return standing;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const token = drawToken(CONTROL_TOKEN);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  writeFileSync(file, `${token}\n`, { mode: 0o600 });
  return token;
}
