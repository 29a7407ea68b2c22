import { beforeAll, describe, expect, it } from 'vitest';
import { type Call, doubleRefundCalls, played, REFUND, roomyScenario } from '../../../test/double-refund.ts';
import type { JsonObject } from '../../base/json.ts';
import { voidScore } from '../../scoring/index.ts';
import type { Trajectory } from '../../trajectory/index.ts';
import { agentNamed } from '../agents/index.ts';
import { loadBank } from '../bank.ts';
import { runTrial } from '../execute.ts';
import { type PreparedScenario, runReference } from '../prepare.ts';
import { scoreOf } from '../score.ts';
import { WorldCache } from '../worlds.ts';
import { decide } from './decide.ts';
import { type Blame, blameByAgent, blameByReference, type ContinuedPoint } from './index.ts';

let prepared: PreparedScenario;
beforeAll(async () => {
  prepared = await roomyScenario();
});

const order = (id = '88213'): JsonObject => ({ order_id: id });
const LOOK: Call = ['lookup_order', order()];
const CHECK: Call = ['check_policy', order()];
const MAIL: Call = [
  'send_email',
  { to: 'mira.alder@example.com', subject: 'Your refund', body: 'We paid 240.00 back.' },
];

function blamed(calls: readonly Call[], answer?: string, scenario = prepared): Blame {
  return blameByReference(scenario, played(scenario, calls, answer).trajectory);
}

const values = ({ points }: Blame): readonly (number | null)[] => points.map(({ value }) => value);

describe('blame by the reference', () => {
  it('names the second refund among sixty calls, and no other', () => {
    const { calls, second } = doubleRefundCalls(60);
    const { decisive, steps, credit, reason } = blamed(calls);
    expect(decisive).toMatchObject({ step: second, tool: 'refund', drop: 1, estimate: null });
    expect(decisive?.reason).toContain('one-refund');
    expect(reason).toBeNull();
    expect(steps).toHaveLength(60);
    expect(steps.filter(({ drop }) => drop !== 0).map(({ step }) => step)).toEqual([second]);
    expect(credit.steps.reduce((sum: number, one) => sum + (one ?? Number.NaN), credit.end ?? 0)).toBe(-1);
    expect(credit).toMatchObject({ end: 0, total: -1 });
  });

  it('a run that succeeds has no decisive step, and says so', () => {
    const found = blamed([LOOK, CHECK, REFUND, MAIL]);
    expect(found).toMatchObject({ succeeded: true, decisive: null, reason: 'the run succeeded' });
    expect(values(found)).toEqual([1, 1, 1, 1, 1]);
    expect(found.credit).toMatchObject({ end: 0, total: 0 });
  });

  it('a call too early is to blame, not the one that was too late', () => {
    expect(blamed([LOOK, REFUND, CHECK, MAIL])).toMatchObject({ decisive: { step: 1, tool: 'refund' } });
  });

  it('reads and failed calls drop nothing', () => {
    const found = blamed([
      ['lookup_order', order('00000')],
      LOOK,
      ['refund', { ...order('00000'), amount: 10 }],
      CHECK,
      ['nothing', {}],
    ]);
    expect(values(found)).toEqual([1, 1, 1, 1, 1, 1]);
  });

  it('what was left out is the end of the run, not a step of it', () => {
    const found = blamed([LOOK, CHECK, REFUND]);
    expect(found.decisive).toBeNull();
    expect(found.reason).toMatch(/^no step is to blame: .*helpdesk\.emails: a row is missing/u);
    expect(found.credit).toMatchObject({ end: -1, total: -1 });
  });

  it('a wrong answer is the end of the run as well', () => {
    const found = blamed([LOOK, CHECK, REFUND, MAIL], 'Nothing was paid.');
    expect(found).toMatchObject({ succeeded: false, decisive: null, credit: { end: -1 } });
    expect(found.reason).toContain('the answer lacks');
  });

  it('a write that equals no reference call may stand in for one', () => {
    const other: Call = ['send_email', { ...MAIL[1], subject: 'About your table' }];
    const strict = { ...prepared, freeText: {} };
    expect(values(blamed([LOOK, CHECK, REFUND, other], undefined, strict))).toEqual([1, 1, 1, 1, 1]);
  });

  it('a budget that the last calls used up is part of the truth', () => {
    const { scenario } = prepared;
    const narrow = { ...prepared, scenario: { ...scenario, budgets: { calls: 5 } } };
    const found = blamed([LOOK, LOOK, LOOK, LOOK, LOOK], undefined, narrow);
    expect(values(found)).toEqual([1, 1, 1, 0, 0, 0]);
    expect(found.decisive).toMatchObject({ step: 2, tool: 'lookup_order' });
    expect(found.decisive?.reason).toContain('budget-calls');
  });

  it('a record of another world is refused', () => {
    const { trajectory } = played(prepared, [LOOK, CHECK]);
    const steps = trajectory.steps.map((step) => ({ ...step, clock: step.clock + 1 }));
    expect(() => blameByReference(prepared, { ...trajectory, steps })).toThrow('does not replay here');
  });
});

describe('runs of the reference', () => {
  // Of both banks: ids drawn by the run, faults that strike, users who talk, references of hundreds of calls.
  const scenarios = [
    'helpdesk/long-audit',
    'helpdesk/lost-answer',
    'helpdesk/partial-line-chat',
    'github/new-repository',
    'github/backport-boats',
  ];
  it.each(scenarios)('%s succeeds from each of its points', async (name) => {
    const bank = await loadBank([name], new WorldCache());
    const [scenario] = bank.chosen as [PreparedScenario];
    const agent = await agentNamed('oracle', () => scenario);
    const { trajectory, score } = await runTrial(scenario, agent, { seed: '1', trial: 0 });
    expect(score.success).toBe(true);
    const { points } = blameByReference(scenario, trajectory as Trajectory);
    expect(points.filter(({ value }) => value !== 1)).toEqual([]);
  });

  it.each(['github/track-bugs', 'helpdesk/late-parcel', 'helpdesk/lost-mail'])(
    '%s succeeds from between its calls too, by ids that the run drew',
    async (name) => {
      const bank = await loadBank([name], new WorldCache());
      const [found] = bank.chosen as [PreparedScenario];
      const scenario = { ...found, scenario: { ...found.scenario, budgets: { calls: 100 } } };
      const run = runReference(scenario, 'double');
      const calls = run.calls.map(({ tool, input }) => [tool, input] as Call);
      const read = calls[run.session.steps().findIndex(({ before, after }) => before === after)] as Call;
      const { trajectory } = played(
        scenario,
        calls.flatMap((call) => [call, read]),
        found.scenario.reference.answer,
      );
      const { points, succeeded } = blameByReference(scenario, trajectory);
      expect({ succeeded, low: points.filter(({ value }) => value !== 1) }).toEqual({
        succeeded: true,
        low: [],
      });
    },
  );
});

describe('blame by an agent', () => {
  it('gives shares with intervals, and the drop over equal seeds', async () => {
    const { trajectory } = played(prepared, [LOOK, REFUND, CHECK, MAIL]);
    const agent = await agentNamed('careful', () => prepared);
    const found = await blameByAgent(prepared, trajectory, { agent, continuations: 4, seed: '1' });
    expect(found.points.map(({ value }) => value)).toEqual([1, 1, 0, 0, 0]);
    expect(found.points[0]?.success).toMatchObject({ value: 1, n: 4, high: 1 });
    expect(found.decisive).toMatchObject({ step: 1, tool: 'refund', drop: 1 });
    expect(found.decisive?.estimate).toMatchObject({ value: 1, n: 4 });
  });

  it('an agent that fails from the start says nothing about the steps', async () => {
    const { trajectory } = played(prepared, [LOOK, REFUND]);
    const agent = await agentNamed('hasty', () => prepared);
    const found = await blameByAgent(prepared, trajectory, { agent, continuations: 2, seed: '1' });
    expect(found.decisive).toBeNull();
    expect(found.reason).toContain('no continuation succeeds from the start');
  });

  it('takes a conversation up where it stood', async () => {
    const bank = await loadBank(['helpdesk/partial-line-chat'], new WorldCache());
    const [scenario] = bank.chosen as [PreparedScenario];
    const agent = await agentNamed('careful', () => scenario);
    const { trajectory, score } = await runTrial(scenario, agent, { seed: '1', trial: 0 });
    expect({ success: score.success, talked: trajectory?.messages.length !== 0 }).toEqual({
      success: true,
      talked: true,
    });
    const options = { agent, continuations: 1, seed: '1' };
    const found = await blameByAgent(scenario, trajectory as Trajectory, options);
    expect(found.points.filter(({ value }) => value !== 1)).toEqual([]);
  });
});

describe('the decisive step', () => {
  const failed = { ...voidScore('grader', ''), void: null };

  function decided(shares: readonly (number | null)[]): Blame {
    const steps = shares.slice(1).map((_, index) => ({ index, tool: `tool-${index}` }));
    const points = shares.map(
      (value, step): ContinuedPoint => ({ step, value, success: null, passes: [], failure: `after ${step}` }),
    );
    return decide({ header: {}, steps } as unknown as Trajectory, failed, points);
  }

  it('is the largest drop, the earliest of equal ones', () => {
    expect(decided([1, 0.9, 0.4, 0.1]).decisive).toMatchObject({ step: 1, drop: 0.5, reason: 'after 2' });
    expect(decided([0.9, 0.6, 0.3]).decisive).toMatchObject({ step: 0 });
  });

  it('is none that was made good again', () => {
    expect(decided([1, 0, 1, 0]).decisive).toMatchObject({ step: 2, tool: 'tool-2' });
    expect(decided([1, 0, 1]).decisive).toBeNull();
  });

  it('is none where nothing succeeds from the start, or the run is void', () => {
    expect(decided([0, 0]).reason).toContain('no continuation succeeds from the start either: after 0');
    expect(decided([null, 0]).reason).toContain('nothing can be said');
    const { trajectory } = played(prepared, [LOOK]);
    const voided = voidScore('unmodelled', 'step 0 met something');
    expect(decide(trajectory, voided, []).reason).toBe('the run is void (unmodelled): step 0 met something');
    expect(scoreOf(prepared, trajectory, 'double').void).toBeNull();
  });
});
