import type { SessionHost } from '../../src/gateway/host/host.ts';
import type { HostedSession, OpenRequest } from '../../src/gateway/host/index.ts';
import type { CallRequest } from '../../src/session/index.ts';

/** What the crash test says to its server, and how both of them carry it out. */

/** One change of a session. */
export type SessionChange =
  | { readonly type: 'call'; readonly call: CallRequest }
  | { readonly type: 'wait'; readonly durationMs: number }
  | { readonly type: 'rollback'; readonly at: number }
  | { readonly type: 'checkpoint'; readonly name: string };

export type Operation =
  | { readonly type: 'open'; readonly request: OpenRequest }
  | { readonly type: 'fork'; readonly token: string; readonly at: number }
  | { readonly type: 'close'; readonly token?: string; readonly session?: string }
  | { readonly type: 'list' }
  | { readonly type: 'traits'; readonly token: string }
  | { readonly type: 'change'; readonly token: string; readonly change: SessionChange };

export interface Request {
  readonly id: number;
  readonly operation: Operation;
}

export interface Reply {
  readonly session?: string;
  readonly token?: string;
  readonly sessions?: readonly string[];
  readonly traits?: SessionTraits;
  readonly value?: unknown;
  readonly refused?: string;
  readonly message?: string;
}

/** Everything by which two sessions could differ that went through the same changes. */
export interface SessionTraits {
  readonly lines: readonly string[];
  readonly content: string;
  readonly full: string;
  readonly checkpoints: Readonly<Record<string, number>>;
  readonly ended: string | null;
  /** The step line of one more read, in a fork: what waits for the next call is in it. */
  readonly next: string | null;
}

export function traitsOf(host: SessionHost, session: HostedSession): SessionTraits {
  const { content, full, checkpoints, ended } = host.summary(session);
  const { episode } = session;
  // First what goes on from a snapshot, then what needs the past.
  const fork = episode.fork();
  fork.apply<'call'>({ type: 'call', door: 'rest', call: { tool: 'list_notebooks', input: {} } });
  const next = fork.session.lastStepLine();
  const lines = episode.session.steps().map((step) => JSON.stringify(step));
  return { lines, content, full, checkpoints, ended, next };
}

/** Carries out a change; gives what its caller is told. */
export async function applied(
  host: SessionHost,
  session: HostedSession,
  change: SessionChange,
): Promise<unknown> {
  switch (change.type) {
    case 'call':
      return host.call(session, change.call, { door: 'rest' });
    case 'wait':
      await host.wait(session, change.durationMs);
      return null;
    case 'rollback':
      await host.rollback(session, change.at);
      return null;
    case 'checkpoint':
      await host.checkpoint(session, change.name);
      return null;
  }
}
