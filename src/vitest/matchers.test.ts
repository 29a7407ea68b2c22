import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Call, played, REFUND, roomyScenario } from '../../test/double-refund.ts';
import { shelf, shelfBehaviour, shelfWorld } from '../../test/shelf-service.ts';
import { agentNamed } from '../runner/agents/index.ts';
import { loadBank } from '../runner/bank.ts';
import { runTrial, type TrialResult } from '../runner/execute.ts';
import { optionsFor, type PreparedScenario } from '../runner/prepare.ts';
import { type FinishedRun, runBank } from '../runner/run.ts';
import { WorldCache } from '../runner/worlds.ts';
import { voidScore } from '../scoring/index.ts';
import { openSession, type Session } from '../session/index.ts';
import { matchers } from './index.ts';

expect.extend(matchers);

const ORDER = { order_id: '88213' };
const LOOK: Call = ['lookup_order', ORDER];
const CHECK: Call = ['check_policy', ORDER];
const MAIL: Call = [
  'send_email',
  { to: 'mira.alder@example.com', subject: 'Your refund', body: 'We paid 240.00 back.' },
];
const GOOD = [LOOK, CHECK, REFUND, MAIL];

let prepared: PreparedScenario;
let folder = '';
beforeAll(async () => {
  prepared = await roomyScenario();
  folder = mkdtempSync(join(tmpdir(), 'groundhog-vitest-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** An open session in which these calls were made. */
function sessionOf(calls: readonly Call[]): Session {
  const session = openSession(optionsFor(prepared, { streamSeed: 'double', asAgent: true }));
  for (const [tool, input] of calls) session.call({ tool, input });
  return session;
}

describe('toReachState', () => {
  it('takes the contract of a scenario, for sessions, trajectories, trials and files', () => {
    const { trajectory, text } = played(prepared, GOOD);
    const file = join(folder, 'good.traj.jsonl');
    writeFileSync(file, text);
    for (const run of [sessionOf(GOOD), trajectory, { trajectory }, file]) expect(run).toReachState(prepared);
    expect(sessionOf(GOOD.slice(0, 3))).not.toReachState(prepared);
  });

  it('says what is wrong, at which step, by which call', () => {
    const twice = sessionOf([...GOOD, REFUND]);
    expect(() => expect(twice).toReachState(prepared)).toThrow(
      /expected state:\n {2}step 4 \(refund \{"amount":240,"order_id":"88213"\}\): helpdesk\.refunds/u,
    );
    expect(() => expect(sessionOf(GOOD)).not.toReachState(prepared)).toThrow('was expected not to');
  });

  it('takes a contract of one’s own', () => {
    const expected = { expect: [], allow: [{ table: 'helpdesk.audit_log' }] };
    expect(sessionOf([LOOK, CHECK])).toReachState(expected);
    expect(sessionOf([REFUND])).not.toReachState(expected);
  });

  it('takes rows, each with a row of its own, and names the nearest', () => {
    const session = sessionOf(GOOD);
    expect(session).toReachState({ 'helpdesk.orders': [{ id: '88213', refunded_cents: { lte: 24_000 } }] });
    const refund = { order_id: '88213', amount_cents: 24_000 };
    expect(session).toReachState({ 'helpdesk.refunds': [refund] });
    expect(session).not.toReachState({ 'helpdesk.refunds': [refund, refund] });
    const wrong = { 'helpdesk.orders': [{ id: '88213', refunded_cents: 0 }] };
    expect(() => expect(session).toReachState(wrong)).toThrow(
      /step 2 \(refund .*\): helpdesk\.orders has no such row; in the nearest, refunded_cents is 24000/u,
    );
    expect(() => expect(session.fork().finish({ reason: 'answer' })).toReachState(wrong)).toThrow('step 2');
    expect(() => expect(session).toReachState({ 'helpdesk.refunds': [{ order_id: 'x' }] })).toThrow(
      'no such row',
    );
  });

  it('takes a service of one’s own, whose environment is handed in', () => {
    const services = [shelf];
    const environment = { services, world: shelfWorld, behaviour: shelfBehaviour };
    const session = openSession({
      ...{ ...environment, seeds: { shelf: 'small' } },
      ...{ streamSeed: '1', epochMs: 0 },
    });
    expect(session).toReachState({ expect: [] }, { environment });
    expect(session.finish({ reason: 'answer' })).toReachState({ expect: [] }, { environment });
  });

  it('refuses what is no run', () => {
    expect(() => expect(7).toReachState(prepared)).toThrow('expected a session, a trajectory');
    expect(() => expect({ trajectory: null }).not.toReachState(prepared)).toThrow('expected a session');
  });
});

describe('a state that no run could miss, or none could reach', () => {
  it.each([
    [null, 'expected a scenario, a contract, or rows'],
    [[], 'expected a scenario, a contract, or rows'],
    [{}, 'names no row'],
    [{ 'helpdesk.orders': [] }, 'names no row'],
    [{ 'helpdesk.orders': {} }, 'no list of rows'],
    [{ 'helpdesk.orders': [null] }, 'no list of rows'],
    [{ 'helpdesk.oders': [{ id: '1' }] }, 'no table named helpdesk.oders (did you mean helpdesk.orders?)'],
    [{ 'helpdesk.orders': [{ idd: '1' }] }, 'helpdesk.orders has no column named idd'],
    [{ 'helpdesk.orders': [{ id: { matches: '(' } }] }, '"(" is no regular expression'],
    [{ expect: [{ table: 'notes.notes', op: 'delete', key: 'a' }] }, 'no table named notes.notes'],
  ])('%j is refused, with `.not` as well', (expected, words) => {
    const session = sessionOf(GOOD);
    expect(() => expect(session).toReachState(expected as never)).toThrow(words);
    expect(() => expect(session).not.toReachState(expected as never)).toThrow(words);
  });

  it('is that of another scenario too', async () => {
    const { chosen } = await loadBank(['helpdesk/status-lookup'], new WorldCache());
    const [other] = chosen as [PreparedScenario];
    const { trajectory } = played(prepared, GOOD);
    const words = `the run is a trial of ${prepared.scenario.id}, and is held to status-lookup`;
    expect(() => expect(trajectory).not.toReachState(other)).toThrow(words);
    expect(() => expect(trajectory).not.toKeepInvariants(other)).toThrow(words);
  });

  it('and a file that is not there is named', () => {
    expect(() => expect('gone.traj.jsonl').toReachState(prepared)).toThrow(
      'gone.traj.jsonl: there is no such',
    );
  });
});

describe('toKeepInvariants', () => {
  it('takes a scenario or a list, and names the rule and the step', () => {
    expect(sessionOf(GOOD)).toKeepInvariants(prepared);
    const late = sessionOf([LOOK, REFUND, CHECK]);
    expect(() => expect(late).toKeepInvariants(prepared)).toThrow(
      /breaks an invariant:\n {2}step 1 \(refund .*\): policy-first: /u,
    );
    expect(late).toKeepInvariants([{ id: 'one', kind: 'cardinality', tool: 'refund', max: 1 }]);
    expect(late).not.toKeepInvariants([{ id: 'none', kind: 'prohibition', tool: 'refund' }]);
  });

  it('holds rules of the end to what has ended only', () => {
    const rule = { id: 'by-answer', kind: 'termination', by: 'answer' } as const;
    const session = sessionOf([LOOK]);
    expect(session).toKeepInvariants([rule]);
    session.finish({ reason: 'agent-stopped' });
    expect(session).not.toKeepInvariants([rule]);
  });

  it('judges rules of state that nobody watched while it was recorded', () => {
    const most = (cents: number) =>
      ({
        id: `at-most-${cents}`,
        kind: 'state',
        always: {
          table: 'helpdesk.orders',
          where: { id: '88213' },
          check: { refunded_cents: { lte: cents } },
        },
      }) as const;
    const { trajectory } = played(prepared, GOOD);
    expect(trajectory).toKeepInvariants([most(24_000)]);
    expect(() => expect(trajectory).toKeepInvariants([most(10)])).toThrow(/step 2 \(refund .*at-most-10/u);
  });

  it('refuses to judge without rules, or by a broken one', () => {
    expect(() => expect(sessionOf([LOOK])).toKeepInvariants()).toThrow('name the invariants');
    const odd = [{ id: 'odd', kind: 'odd' }] as never;
    expect(() => expect(sessionOf([LOOK])).not.toKeepInvariants(odd)).toThrow('odd cannot be judged');
  });

  it('refuses rules that no run could break: of a tool that is not there, over no trial', () => {
    const rules = [{ id: 'none', kind: 'prohibition', tool: 'refnud' }] as const;
    const session = sessionOf([REFUND]);
    expect(() => expect(session).toKeepInvariants(rules)).toThrow(
      'no tool named refnud (did you mean refund?)',
    );
    expect(() => expect([]).toKeepInvariants()).toThrow('no trial was held to an invariant');
    const voided = { scenario: 'a', trial: 0, score: voidScore('infrastructure', 'a disk was full') };
    expect(() => expect([voided]).toKeepInvariants()).toThrow('no trial was held to an invariant');
    expect(() => expect([session]).toKeepInvariants(rules)).toThrow('a list of trials');
    for (const odd of [null, {}, 'x', [], [null]] as never[]) {
      expect(() => expect(session).not.toKeepInvariants(odd)).toThrow('a list of invariants');
    }
  });
});

describe('toPassAtLeast', () => {
  let trials: TrialResult[] = [];
  let run: FinishedRun;
  beforeAll(async () => {
    const bank = await loadBank(['helpdesk/refund-88213', 'helpdesk/status-lookup'], new WorldCache());
    const [scenario] = bank.chosen as [PreparedScenario];
    const agent = await agentNamed('careful', () => scenario);
    trials = [];
    for (let trial = 0; trial < 20; trial += 1)
      trials.push(await runTrial(scenario, agent, { seed: '1', trial }));
    const out = join(folder, 'run');
    run = await runBank({ bank, agent: 'hasty', k: 2, seed: '1', engine: 'inline', out });
  });

  it('holds the lower end of the interval to a rate, or the share where it is asked', () => {
    expect(trials).toPassAtLeast(0.8);
    expect(trials).not.toPassAtLeast(0.9);
    expect(trials).toPassAtLeast(1, { by: 'share' });
    expect(trials.slice(0, 3)).not.toPassAtLeast(0.8);
    expect(trials).toPassAtLeast(0.85, { confidence: 0.8 });
    expect(() => expect(trials).toPassAtLeast(0.9)).toThrow(
      /expected a lower bound of at least 90 %: 100 % \[82 %, 100 %\] of 20 trials/u,
    );
  });

  it('takes k of n, and asks for n trials', () => {
    expect(trials).toPassAtLeast({ k: 8, n: 10 });
    expect(trials).toPassAtLeast({ k: 20, n: 20 }, { by: 'share' });
    expect(() => expect(trials).toPassAtLeast({ k: 8, n: 21 })).toThrow('and 21 trials');
  });

  it('counts void trials as failed, and says so', () => {
    const voided = { scenario: 'a', trial: 0, score: voidScore('infrastructure', 'a disk was full') };
    const some = [...trials.slice(0, 4), voided];
    expect(some).toPassAtLeast(0.8, { by: 'share' });
    expect(() => expect(some).toPassAtLeast(0.9, { by: 'share' })).toThrow(
      /1 void, counted as failed\n {2}a trial 0: void \(infrastructure\): a disk was full/u,
    );
  });

  it('takes a run, by its folder or as it was given back, and names what failed', () => {
    for (const given of [run, join(folder, 'run')]) {
      expect(given).not.toPassAtLeast(0.5);
      expect(given).not.toKeepInvariants();
    }
    expect(() => expect(run).toPassAtLeast(1)).toThrow(
      /refund-88213 trial 0: step 1: refund at step 1 has no/u,
    );
    expect(() => expect(run).toKeepInvariants()).toThrow(
      /2 of 4 trials break .*\n {2}refund-88213 trial 0: step 1: /u,
    );
    expect(run).toKeepInvariants([{ id: 'no-deletion', kind: 'prohibition', tool: 'delete_account' }]);
  });

  it('refuses what is no share, and what has no trials', () => {
    expect(() => expect(trials).toPassAtLeast(1.5)).toThrow('no share between 0 and 1');
    for (const odd of [null, undefined, {}, { k: 1.5, n: 2 }, { k: 1, n: 0 }] as never[]) {
      expect(() => expect(trials).not.toPassAtLeast(odd)).toThrow('no share between 0 and 1');
    }
    expect(() => expect(trials).not.toPassAtLeast(0.5, { confidence: 2 })).toThrow('between 0 and 1');
    expect(() => expect(trials).not.toPassAtLeast(0.5, { by: 'luck' as never })).toThrow(
      'lower-bound or share',
    );
    expect(() => expect([]).not.toPassAtLeast(0.5)).toThrow('no rate can be given');
    expect(() => expect(sessionOf([])).toPassAtLeast(0.5)).toThrow('expected a run folder');
  });
});
