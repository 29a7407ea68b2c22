import { InvariantError, invariant, UsageError } from '../../base/errors.ts';
import { assertSameStart } from '../../session/index.ts';
import type { SessionLog } from '../../store/session-log.ts';
import { HostedEpisode } from './episode.ts';
import {
  type CallNote,
  checkOf,
  credentialOf,
  type ForkPoint,
  type InputRecord,
  type OpenRecord,
  type SnapshotRecord,
} from './records.ts';
import type { Credential, Environment, EnvironmentSource, OpenRequest } from './types.ts';

/** What changes an episode on its way through the log: inputs, and forks, which go back in their parent. */
type Change = InputRecord | { readonly forkAt: number };

/** A session as its log tells it, before anything of it is run. */
export interface LoggedSession {
  readonly request: OpenRequest;
  readonly createdMs: number;
  readonly forkOf: ForkPoint | undefined;
  readonly credentials: readonly Credential[];
  readonly calls: readonly CallNote[];
  /** Digest of the header at the root; null when it begins with a snapshot, which knows it. */
  readonly start: string | null;
  readonly snapshot: { readonly record: SnapshotRecord; readonly position: number } | null;
  readonly changes: readonly Change[];
}

interface Reading {
  about: Pick<OpenRecord, 'request' | 'createdMs' | 'forkOf'> | null;
  start: string | null;
  snapshot: LoggedSession['snapshot'];
  credentials: Credential[];
  calls: CallNote[];
  changes: Change[];
}

/** Reads what leads to this position: from the newest snapshot on, or, with `whole`, from the start. */
export function readSession(
  log: SessionLog,
  session: string,
  { position, whole }: { readonly position: number; readonly whole: boolean },
): LoggedSession {
  const records = [];
  for (const record of log.backwards(position)) {
    records.push(record);
    if (record.kind === 's' && !whole) break;
  }
  const reading: Reading = {
    about: null,
    start: null,
    snapshot: null,
    credentials: [],
    calls: [],
    changes: [],
  };
  for (const { kind, session: owner, body, position: at } of records.reverse()) {
    if (kind === 's' && whole) continue;
    const data = JSON.parse(body.toString()) as unknown;
    const own = owner === session;
    if (kind === 'o') begin(reading, data as OpenRecord, { owner, own });
    else if (kind === 's') beginAt(reading, data as SnapshotRecord, { owner, own, position: at });
    else if (kind !== 'c') takeInput(reading, data as InputRecord, { owner, own });
  }
  const { about, ...rest } = reading;
  invariant(about, 'the log of a session begins with its opening', { session });
  return { request: about.request, createdMs: about.createdMs, forkOf: about.forkOf, ...rest };
}

interface From {
  readonly owner: string;
  /** False for what a parent did before the fork. */
  readonly own: boolean;
}

function begin(reading: Reading, record: OpenRecord, { owner, own }: From): void {
  reading.about = record;
  if (!record.forkOf) reading.start = record.start;
  else takeChange(reading, { forkAt: record.forkOf.at });
  if (own) reading.credentials = record.credentials.map((logged) => credentialOf(owner, logged));
}

function beginAt(
  reading: Reading,
  record: SnapshotRecord,
  { owner, own, position }: From & { readonly position: number },
): void {
  reading.about = record;
  reading.snapshot = { record, position };
  if (own) reading.credentials = record.credentials.map((logged) => credentialOf(owner, logged));
}

function takeInput(reading: Reading, record: InputRecord, { owner, own }: From): void {
  const { input, step, credentials = [] } = record;
  takeChange(reading, record);
  if (own) reading.credentials.push(...credentials.map((logged) => credentialOf(owner, logged)));
  if (input.type !== 'call' || step === undefined) return;
  reading.calls.push({ step, door: input.door, ...(input.trace && { trace: input.trace }) });
}

function takeChange(reading: Reading, change: Change): void {
  reading.changes.push(change);
  const at = 'forkAt' in change ? change.forkAt : change.input.type === 'rollback' ? change.input.at : null;
  if (at !== null) reading.calls = reading.calls.filter(({ step }) => step < at);
}

/**
 * Brings an episode to where its log leads.
 * @throws UsageError (`world-changed`) when it cannot come back in the world that it was opened in.
 */
export function runSession(
  { request, start, snapshot, changes }: LoggedSession,
  source: EnvironmentSource,
  whole: (position: number) => HostedEpisode,
): HostedEpisode {
  const environment = environmentOf(source, request);
  let episode: HostedEpisode;
  if (snapshot) {
    const { record, position } = snapshot;
    episode = HostedEpisode.resume(environment, record.episode, () => whole(position));
  } else {
    episode = HostedEpisode.open(environment);
    assertSameStart(start ?? '', episode.session.startHash);
  }
  for (const change of changes) {
    if ('forkAt' in change) episode.goBack(change.forkAt);
    else take(episode, change);
  }
  return episode;
}

function environmentOf(source: EnvironmentSource, request: OpenRequest): Environment {
  try {
    return source.open(request);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError('world-changed', `this session cannot come back: ${error.message}`, {
      hint: 'start the server on what it served when the session was opened',
    });
  }
}

function take(episode: HostedEpisode, { input, check }: InputRecord): void {
  try {
    episode.apply(input);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new InvariantError(`an input that a session took once is refused now: ${reason}`, { cause: error });
  }
  if (check === undefined || check === checkOf(episode)) return;
  throw new UsageError('world-changed', 'a step of this session does not come out as it did', {
    hint: 'start the server with the version, and the Node, that made the step',
  });
}
