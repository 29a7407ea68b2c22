import { crc32 } from 'node:zlib';
import type { EpisodeSnapshot, HostedEpisode } from './episode.ts';
import type { Credential, DoorName, OpenRequest, SessionInput, TraceContext } from './types.ts';

/** A credential as the log holds it: its session is the record's. */
export type LoggedCredential = readonly [
  token: string,
  service: string | null,
  actor: string,
  worldToken?: string,
];

/** Which session another one goes on from, and after how many of its steps. */
export interface ForkPoint {
  readonly session: string;
  readonly at: number;
}

/** How a session begins: a root of its own, or behind a record of another one. */
export interface OpenRecord {
  readonly request: OpenRequest;
  readonly createdMs: number;
  /** Digest of the header: world, behaviour and everything else that fixes the start. */
  readonly start: string;
  readonly credentials: readonly LoggedCredential[];
  readonly forkOf?: ForkPoint;
}

export interface InputRecord {
  readonly input: SessionInput;
  /** The step that a call became; absent for other inputs, and for a call that was not made. */
  readonly step?: number;
  /** CRC-32 of that step's line: a replay must come to the same. */
  readonly check?: number;
  readonly credentials?: readonly LoggedCredential[];
}

/** Everything that is needed to go on from here without what stands before it. */
export interface SnapshotRecord extends Omit<OpenRecord, 'start'> {
  readonly episode: EpisodeSnapshot;
}

/** How one call came in. */
export interface CallNote {
  readonly step: number;
  readonly door: DoorName;
  readonly trace?: TraceContext;
}

/** The check of the newest step of an episode. */
export function checkOf(episode: HostedEpisode): number {
  return crc32(episode.session.lastStepLine() ?? '');
}

export function loggedCredential({ token, service, actor, worldToken }: Credential): LoggedCredential {
  return worldToken === undefined ? [token, service, actor] : [token, service, actor, worldToken];
}

export function credentialOf(session: string, logged: LoggedCredential): Credential {
  const [token, service, actor, worldToken] = logged;
  return { token, session, service, actor, ...(worldToken !== undefined && { worldToken }) };
}
