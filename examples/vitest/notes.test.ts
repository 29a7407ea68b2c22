// Tests of an agent's work with vitest: `expect.extend(matchers)` is all that they need.
import { agentNamed, loadBank, openSession, runTrial, WorldCache } from 'groundhog';
import { matchers } from 'groundhog/vitest';
import { expect, it } from 'vitest';

expect.extend(matchers);
const worlds = new WorldCache();

/** Stands for your program: anything that calls tools on a session. */
function tidyUp(session) {
  const input = { notebook_id: 'book_1', title: 'Packing list', body: 'Tent, stove, map.' };
  const { body } = session.call({ tool: 'create_note', input });
  session.call({ tool: 'tag_note', input: { id: body.id, tag: 'camping' } });
}

it('a program leaves the rows that it should', () => {
  const seeded = worlds.get([{ name: 'notes', seed: 'small' }]);
  const session = openSession({ ...seeded, seeds: { notes: 'small' }, streamSeed: '1', epochMs: 0 });
  tidyUp(session);
  expect(session).toReachState({
    'notes.notes': [{ title: 'Packing list', body: { matches: 'stove' } }],
  });
  expect(session).toKeepInvariants([
    { id: 'nothing-deleted', kind: 'prohibition', tool: 'delete_note', attempts: 'all' },
    { id: 'one-note', kind: 'cardinality', tool: 'create_note', max: 1 },
  ]);
});

it('an agent solves a scenario of a bank, and often enough', async () => {
  const { chosen } = await loadBank(['helpdesk/refund-88213'], worlds);
  const [scenario] = chosen;
  const agent = await agentNamed('careful', () => scenario);
  const trials = [];
  for (let trial = 0; trial < 20; trial += 1) {
    trials.push(await runTrial(scenario, agent, { seed: '1', trial }));
  }
  expect(trials[0]).toReachState(scenario);
  expect(trials[0]).toKeepInvariants(scenario);
  // All 20 succeed; the lower end of their interval is what may be promised.
  expect(trials).toPassAtLeast(0.8);
  expect(trials).not.toPassAtLeast(0.9);
});
