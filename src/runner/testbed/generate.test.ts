import { beforeAll, describe, expect, it } from 'vitest';
import { UsageError } from '../../base/errors.ts';
import { replayTrajectory } from '../../session/index.ts';
import { readTrajectory, type StepRecord } from '../../trajectory/index.ts';
import { loadBank } from '../bank.ts';
import { environmentOf } from '../recorded.ts';
import { scoreOf } from '../score.ts';
import { WorldCache } from '../worlds.ts';
import { CALL_EDITS } from './call-edits.ts';
import { generateTestbed, type Testbed, type TestbedRun } from './index.ts';
import { RESPONSE_EDITS } from './response-edits.ts';

const worlds = new WorldCache();
const OPTIONS = { clean: 40, faulty: 120, seed: 'test', worlds };

/** What the agent asked and was given at a step, and what that did. */
function seen({ tool, input, status, response, delivered, events, diff }: StepRecord): unknown {
  return [tool, input, delivered ?? { status, body: response }, events, diff];
}

describe.each(['helpdesk', 'github'])('a testbed of %s', (bank) => {
  let testbed: Testbed;
  const twinOf = ({ label }: TestbedRun): TestbedRun => {
    const twin = testbed.runs.find((run) => run.label.run === label.pair);
    if (!twin) throw new Error(`${label.run} has no twin`);
    return twin;
  };
  const faulty = (): readonly TestbedRun[] => testbed.runs.filter(({ label }) => label.kind !== null);
  const clean = (): readonly TestbedRun[] => testbed.runs.filter(({ label }) => label.kind === null);

  beforeAll(async () => {
    testbed = await generateTestbed([bank], OPTIONS);
  });

  it('has so many runs of each sort, under ids that tell nothing, in order', () => {
    expect([clean().length, faulty().length]).toEqual([40, 120]);
    const ids = testbed.runs.map(({ label }) => label.run);
    expect(ids).toEqual(ids.toSorted());
    expect(new Set(ids).size).toBe(160);
    // Clean runs do not come first.
    expect(clean().map(({ label }) => label.run)).not.toEqual(ids.slice(0, 40));
  });

  it('has every kind about as often as any other, or says what it is short of', () => {
    const kinds = [...Object.keys(CALL_EDITS), ...Object.keys(RESPONSE_EDITS)];
    const least = Math.floor(120 / kinds.length);
    for (const kind of kinds) {
      const count = faulty().filter(({ label }) => label.kind === kind).length;
      expect([kind, count >= least - (testbed.short[kind] ?? 0)]).toEqual([kind, true]);
    }
  });

  it('has clean runs that the graders pass, each its own twin', () => {
    for (const { label } of clean()) {
      const nothing = { kind: null, side: null, step: null, silent: null, outcomeChanged: null };
      expect(label).toMatchObject({ ...nothing, success: true, pair: label.run });
    }
  });

  it('has twins that are equal, byte for byte, up to the labelled step, and differ there', () => {
    for (const run of faulty()) {
      const { side, step, kind } = run.label;
      const [lines, twin] = [run.text.split('\n'), twinOf(run).text.split('\n')];
      const at = step ?? -1;
      expect(lines.slice(0, at + 1)).toEqual(twin.slice(0, at + 1));
      const own = run.trajectory.steps.map(seen);
      const others = twinOf(run).trajectory.steps.map(seen);
      if (side === 'reply') expect([at, own]).toEqual([others.length, others]);
      else if (kind === 'premature_stop')
        expect([at, own]).toEqual([own.length - 1, others.slice(0, at + 1)]);
      else {
        expect(own.slice(0, at)).toEqual(others.slice(0, at));
        // A write that reads do not see yet is as it was; it shows in the reads behind it.
        const from = kind === 'write-lagging' ? at + 1 : at;
        const until = kind === 'write-lagging' ? undefined : at + 1;
        expect([kind, own.slice(from, until)]).not.toEqual([kind, others.slice(from, until)]);
      }
    }
  });

  it('has faults of answers struck at the labelled step, and in no other run', () => {
    const struck = faulty().filter(({ label }) => label.side === 'response');
    expect(struck.length).toBeGreaterThan(20);
    for (const { label, trajectory } of struck) {
      const steps = trajectory.steps.filter(({ fault }) => fault).map(({ index }) => index);
      expect(steps[0]).toEqual(label.step);
      if (label.kind !== 'write-lagging') expect(steps.length).toBe(1);
    }
    for (const { trajectory } of faulty().filter(({ label }) => label.side !== 'response')) {
      expect(trajectory.steps.filter(({ fault }) => fault)).toEqual([]);
    }
  });

  it('says silent of exactly the runs whose answer is that of the twin', () => {
    for (const run of faulty()) {
      const [own, twin] = [run.trajectory.end?.answer ?? null, twinOf(run).trajectory.end?.answer];
      expect([run.label.kind, run.label.silent]).toEqual([run.label.kind, own === twin]);
    }
    const silent = faulty().filter(({ label }) => label.silent).length;
    expect(silent).toBeGreaterThan(20);
    expect(silent).toBeLessThan(110);
  });

  it('has files that replay byte for byte, and labels that the graders bear out', async () => {
    const loaded = await loadBank([bank], worlds, { variants: 20, variantSeed: 'test', orFewer: true });
    for (const { label, text, trajectory } of testbed.runs) {
      const read = readTrajectory(text, { file: label.run });
      expect(read).toEqual(trajectory);
      const replayed = replayTrajectory(read, environmentOf(read, worlds));
      expect([label, replayed.firstDivergence]).toEqual([label, null]);
      const prepared = loaded.all.find(({ scenario }) => scenario.id === label.instance);
      if (!prepared) throw new Error(`${label.instance} is not in the bank`);
      const score = scoreOf(prepared, read, read.header.world.streamSeed);
      expect([label.run, label.success]).toEqual([label.run, score.success]);
    }
  });
});

describe('generateTestbed', () => {
  it('gives the same runs for the same seed, and others for another', async () => {
    const texts = async (seed: string): Promise<readonly unknown[]> => {
      const { runs } = await generateTestbed(['helpdesk'], { ...OPTIONS, seed, clean: 10, faulty: 30 });
      return runs.map(({ label, text }) => [label, text]);
    };
    const [one, again, other] = [await texts('a'), await texts('a'), await texts('b')];
    expect(again).toEqual(one);
    expect(other).not.toEqual(one);
  });

  it('says which scenarios it leaves out, and refuses a bank of nothing else', async () => {
    const { leftOut } = await generateTestbed(['helpdesk'], { ...OPTIONS, clean: 5, faulty: 0 });
    expect(leftOut.find(({ scenario }) => scenario === 'lost-answer')?.reason).toContain('faults of its own');
    expect(leftOut.find(({ scenario }) => scenario === 'anger-insists')?.reason).toContain('conversation');
    await expect(generateTestbed(['helpdesk/lost-answer'], OPTIONS)).rejects.toThrow(UsageError);
  });

  it('makes further trials where the instances do not suffice', async () => {
    const { runs, instances } = await generateTestbed(['helpdesk/refund-88213'], {
      ...OPTIONS,
      clean: 3,
      faulty: 0,
    });
    expect(instances).toBe(1);
    expect(new Set(runs.map(({ label }) => label.trial))).toEqual(new Set([0, 1, 2]));
    expect(new Set(runs.map(({ text }) => text)).size).toBe(3);
  });
});
