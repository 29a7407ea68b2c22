import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { UsageError } from '../../base/errors.ts';
import { SeededRandom } from '../../base/random.ts';
import { type ServedTarget, servedSource } from '../../runner/served.ts';
import { type HostedSession, SessionHost } from './index.ts';

/** A host that forgets at every turn, and is started again at times, is no other than one that does not. */

const root = mkdtempSync(join(tmpdir(), 'groundhog-laws-'));
afterAll(() => rmSync(root, { recursive: true }));

/** The same change on both hosts; the session numbers are positions in the list of each. */
type Act = (host: SessionHost, sessions: HostedSession[]) => unknown;

const SAID = ['Which order is it?', 'Shall I refund it?', 'Are you sure?', 'Hm.', 'Your e-mail?'];
const TOOLS = [
  { tool: 'lookup_order', input: { order_id: '88213' } },
  { tool: 'refund', input: { order_id: '88213', amount: 3 } },
  { tool: 'add_ticket_note', input: { ticket_id: 'T-3001', body: 'Called.' } },
  { tool: 'create_note', input: { notebook_id: 'book_1', title: 'one', body: 'x', request_key: 'key 1' } },
  { tool: 'create_note', input: { notebook_id: 'book_1', title: 'two', body: 'x', request_key: 'key 2' } },
  { tool: 'list_notes', input: {} },
  { tool: 'nothing', input: {} },
];

const picked = (sessions: readonly HostedSession[], index: number): HostedSession => {
  const session = sessions[index % sessions.length];
  if (!session) throw new Error('there is no session');
  return session;
};

/** A change that takes a step count takes it relative to the end, whatever that is. */
const backFrom = (session: HostedSession, steps: number): number =>
  Math.max(0, session.episode.session.stepCount - steps);

function drawAct(random: SeededRandom, index: number): Act {
  const number = random.integer(0, 6);
  const on = (run: (host: SessionHost, session: HostedSession) => unknown): Act => {
    return (host, sessions) => run(host, picked(sessions, number));
  };
  const steps = random.integer(0, 9);
  const kind = random.integer(0, 40);
  if (kind === 0) return on((host, session) => host.end(session, { reason: 'answer', answer: 'done' }));
  if (kind < 3) return on((host, session) => host.rollback(session, backFrom(session, steps)));
  if (kind === 3)
    return (host, sessions) => {
      const session = picked(sessions, number);
      sessions.push(host.fork(session, backFrom(session, steps)));
    };
  if (kind === 4 && index > 20)
    return (host, sessions) => {
      if (sessions.length < 2) return undefined;
      const [session] = sessions.splice(number % sessions.length, 1);
      return session && host.close(session);
    };
  if (kind === 5) return on((host, session) => host.checkpoint(session, `point ${steps}`));
  if (kind === 6) return on((host, session) => host.wait(session, steps * 100));
  if (kind === 7)
    return on(async (host, session) => (await host.join(session, [{ id: `actor-${index}` }])).length);
  if (kind === 8) {
    const effect = { kind: 'reject', status: 503, retryAfterSeconds: 1 } as const;
    const rules = [{ id: `rule-${index}`, match: { occurrence: 2 }, effect, label: 'later' }];
    return on((host, session) => host.inject(session, rules));
  }
  const text = random.pick(SAID);
  if (kind < 17) return on((host, session) => host.say(session, text));
  const call = random.pick(TOOLS);
  return on((host, session) => host.call(session, call, { door: 'openenv' }));
}

async function outcome(act: Act, host: SessionHost, sessions: HostedSession[]): Promise<string> {
  try {
    return JSON.stringify(await act(host, sessions)) ?? '';
  } catch (error) {
    if (error instanceof UsageError) return error.code;
    throw error;
  }
}

/** What both hosts must agree on. The ids are their own. */
function standing(host: SessionHost, session: HostedSession) {
  const { id: _id, forkOf, ...summary } = host.summary(session);
  const { finished, verdict, opening } = session.episode;
  return { ...summary, forkAt: (forkOf as { at?: number } | undefined)?.at, finished, verdict, opening };
}

const TARGETS: readonly ServedTarget[] = [
  { scenarios: ['helpdesk/mind-refund-to-credit'] },
  { services: ['notes', 'helpdesk'] },
];

describe('a host that forgets', () => {
  it.each(TARGETS)('is no other than one that remembers: %o', async (target) => {
    const source = await servedSource(target);
    for (let seed = 0; seed < 5; seed += 1) {
      const random = SeededRandom.from(`laws ${seed}`);
      const common = { source, sessionsMost: 100, nowMs: Date.now };
      const directory = join(root, `${source.choices.length}-${seed}`);
      const state = { directory, durability: 'batch', segmentBytes: 20_000, compactBytes: 2_000 } as const;
      const forgetful = () => new SessionHost({ ...common, state, hotMost: 1, snapshotInputs: 3 + seed });
      const twin = new SessionHost(common);
      let host = forgetful();
      let sessions = [host.open(), host.open()];
      const twins = [twin.open(), twin.open()];
      for (let index = 0; index < 90; index += 1) {
        const act = drawAct(random, index);
        const got = await outcome(act, host, sessions);
        expect(got).toBe(await outcome(act, twin, twins));
        if (random.integer(0, 15) === 0) {
          const ids = sessions.map(({ id }) => id);
          await host.stop();
          host = forgetful();
          sessions = ids.flatMap((id) => host.session(id) ?? []);
        }
        const at = random.integer(0, twins.length);
        expect(standing(host, picked(sessions, at))).toEqual(standing(twin, picked(twins, at)));
      }
      expect(sessions).toHaveLength(twins.length);
      for (const [index, session] of sessions.entries()) {
        const other = picked(twins, index);
        expect(session.episode.asIfEnded('so').text).toBe(other.episode.asIfEnded('so').text);
        expect(session.episode.asIfEnded('so').verdict).toEqual(other.episode.asIfEnded('so').verdict);
      }
      expect(host.size).toBe(twin.size);
      await host.stop();
    }
  });
});
