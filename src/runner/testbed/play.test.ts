import { describe, expect, it } from 'vitest';
import type { FaultEffect } from '../../faults/index.ts';
import { loadBank } from '../bank.ts';
import { WorldCache } from '../worlds.ts';
import { type CleanRun, cleanRun } from './clean.ts';
import { type Mutant, mutantOf } from './mutant.ts';
import type { Edit } from './types.ts';

const worlds = new WorldCache();

async function clean(id: string): Promise<CleanRun> {
  const { chosen } = await loadBank([`helpdesk/${id}`], worlds);
  const [prepared] = chosen;
  if (!prepared) throw new Error(`there is no ${id}`);
  return cleanRun(prepared, 0, 'play');
}

function struck(run: CleanRun, at: number, effect: FaultEffect): Mutant {
  const rule = { id: 'testbed', match: { step: at }, effect, label: 'test' };
  const mutant = mutantOf(run, { kind: 'test', side: 'response', at, step: at, rule });
  if (!mutant) throw new Error('the edit is none');
  return mutant;
}

const edited = (run: CleanRun, at: number, edit: Partial<Edit>): Mutant | null =>
  mutantOf(run, { kind: 'test', side: 'call', at, step: at, ...edit });
const callsOf = ({ trajectory }: Pick<Mutant, 'trajectory'>): unknown[] =>
  trajectory.steps.map(({ tool, input }) => [tool, input]);
const answerOf = ({ trajectory }: Pick<Mutant, 'trajectory'>): string | null | undefined =>
  trajectory.end?.answer;

// lookup_order, check_policy, refund of 457.90, send_email.
describe('the rest of a run', () => {
  it('is made of what was delivered: a wrong amount goes on to write, mail and answer', async () => {
    const run = await clean('refund-whole-order');
    const first = struck(run, 0, { kind: 'unit-wrong', path: 'total', factor: 0.1 });
    expect(callsOf(first)[2]).toEqual(['refund', { amount: 45.79, order_id: '10412' }]);
    expect(callsOf(first)[3]).toEqual([
      'send_email',
      expect.objectContaining({ body: 'We paid 45.79 back.' }),
    ]);
    expect(answerOf(first)).toContain('I refunded 45.79 for order 10412');
    expect(first).toMatchObject({ silent: false, outcomeChanged: true });
  });

  it('takes a value that is gone from another answer that gave it', async () => {
    const run = await clean('refund-whole-order');
    const nulled = struck(run, 0, { kind: 'field-nulled', path: 'total' });
    expect(callsOf(nulled)).toEqual(callsOf(run));
    expect(nulled).toMatchObject({ silent: true, outcomeChanged: false });
  });

  it('makes the read once more where only that one gave it', async () => {
    const run = await clean('late-parcel');
    const nulled = struck(run, 0, { kind: 'field-nulled', path: 'customer.customer_id' });
    expect(callsOf(nulled).slice(0, 2)).toEqual([callsOf(run)[0], callsOf(run)[0]]);
    expect(callsOf(nulled).slice(1)).toEqual(callsOf(run));
    expect(nulled).toMatchObject({ silent: true, outcomeChanged: false });
  });

  it('waits as long as it is told, and tries once more', async () => {
    const run = await clean('refund-whole-order');
    const refused = struck(run, 2, { kind: 'reject', status: 429, retryAfterSeconds: 7 });
    expect(refused.trajectory.steps[3]).toMatchObject({ tool: 'refund', waited: 7_000, outcome: 'ok' });
    expect(refused).toMatchObject({ silent: true, outcomeChanged: false });
  });

  it('does a write twice whose answer was lost', async () => {
    const run = await clean('refund-whole-order');
    const lost = struck(run, 3, { kind: 'response-lost' });
    expect(callsOf(lost).slice(3)).toEqual([callsOf(run)[3], callsOf(run)[3]]);
    expect(lost).toMatchObject({ silent: true, outcomeChanged: true });
  });

  it('ends at a write that fails, and says so', async () => {
    const run = await clean('refund-whole-order');
    const failed = struck(run, 2, { kind: 'body-malformed' });
    expect(callsOf(failed).length).toBe(4);
    expect(answerOf(failed)).toBe('I could not finish: refund failed with status 409.');
  });

  it('goes on after a read that fails, with words for what it never learned', async () => {
    const run = await clean('status-lookup');
    const nothing = edited(run, 0, {
      calls: [{ call: { tool: 'lookup_order', arguments: { order_id: '99999' } }, stands: 0 }],
      replaced: 1,
    });
    expect(nothing?.trajectory.steps[0]?.status).toBe(404);
    expect(answerOf(nothing as Mutant)).toContain('(unknown)');
  });
});

describe('an edit', () => {
  it('is none where its rule does not strike, or where it changes nothing', async () => {
    const run = await clean('refund-whole-order');
    const rule = {
      id: 'testbed',
      match: { step: 0 },
      effect: { kind: 'page-missing' },
      label: 'test',
    } as const;
    expect(edited(run, 0, { side: 'response', rule })).toBeNull();
    const same = { tool: 'lookup_order', arguments: { order_id: '10412' } };
    expect(edited(run, 0, { calls: [{ call: same, stands: 0 }], replaced: 1 })).toBeNull();
  });

  it('takes a number from what else was seen where a look-up is skipped', async () => {
    const run = await clean('restocking-share');
    const skipped = edited(run, 1, { calls: [], replaced: 1, skipped: 1 });
    expect(callsOf(skipped as Mutant)[1]).toEqual(['refund', { amount: 107.7, order_id: '10498' }]);
    expect(skipped).toMatchObject({ silent: false, outcomeChanged: true });
  });

  it('leaves the answer out, or has it as if all were done, where a run is cut', async () => {
    const run = await clean('refund-whole-order');
    const silence = edited(run, 2, { cut: 'silence', step: 1 });
    expect([silence?.trajectory.end?.reason, silence?.silent]).toEqual(['agent-stopped', false]);
    const answer = edited(run, 2, { cut: 'answer', step: 1 });
    expect([answerOf(answer as Mutant), answer?.silent]).toEqual([answerOf(run), true]);
  });
});
