/** A run in which all that an agent or a bank may write tries to be markup; with voids and odd ends. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { digestText } from '../../src/base/digest.ts';
import type { Json } from '../../src/base/json.ts';
import { AgentFailure } from '../../src/runner/agent-failure.ts';
import { loadBank } from '../../src/runner/bank.ts';
import { runTrial } from '../../src/runner/execute.ts';
import type { PreparedScenario } from '../../src/runner/prepare.ts';
import { writeReport } from '../../src/runner/report/write.ts';
import { summaryOf } from '../../src/runner/run.ts';
import type { Agent, AgentAction } from '../../src/runner/types.ts';
import { WorldCache } from '../../src/runner/worlds.ts';
import { voidScore } from '../../src/scoring/index.ts';
import { RunFolder } from '../../src/store/run-folder.ts';
import { TINY, writeTinyBank } from '../tiny-bank.ts';

/** Would set `pwned` and fetch something, were it markup anywhere. */
export const HOSTILE = `</script></style></title></pre><img src=x onerror="pwned=1"><script>pwned=1</script>
<svg onload=pwned=1> "onmouseover="pwned=1" ' javascript:pwned=1 &lt;img&gt; \u202egnirts \u0000 {{7*7}}`;

/** What the agent does in each of the four scenarios. */
const ACTIONS: readonly (readonly AgentAction[])[] = [
  [
    { type: 'say', text: HOSTILE },
    { type: 'call', tool: HOSTILE, arguments: { [HOSTILE]: HOSTILE } },
    { type: 'call', tool: 'lookup_order', malformed: HOSTILE },
    { type: 'call', tool: 'send_email', arguments: { to: 'a@example.org', subject: HOSTILE, body: HOSTILE } },
    { type: 'call', tool: 'lookup_order', arguments: { order_id: HOSTILE } },
    { type: 'answer', text: HOSTILE },
  ],
  Array.from({ length: 8 }, () => ({ type: 'call', tool: 'list_orders', arguments: { q: HOSTILE } })),
  [{ type: 'call', tool: 'lookup_order', arguments: { order_id: 'x'.repeat(5_000) } }],
  [{ type: 'answer', text: '' }],
];

function hostileAgent(): Agent {
  return {
    name: HOSTILE,
    config: { note: HOSTILE },
    start: ({ scenario }) => {
      const actions = ACTIONS[Number(scenario.split('-')[1])] ?? [];
      let made = 0;
      return {
        next: () => {
          const action = actions[made];
          made += 1;
          if (!action) throw new AgentFailure('agent-crashed', HOSTILE);
          return action;
        },
      };
    },
  };
}

/** Writes the run and its report; gives back the page's path. */
export async function writeHostileReport(directory: string): Promise<string> {
  mkdirSync(directory, { recursive: true });
  const bank = await loadBank([writeTinyBank(join(directory, 'bank'), TINY)], new WorldCache());
  const prepared = bank.chosen.map(
    (one): PreparedScenario => ({
      ...one,
      scenario: { ...one.scenario, cluster: HOSTILE, task: { text: HOSTILE } },
    }),
  );
  const agent = hostileAgent();
  const run = join(directory, 'run');
  const folder = RunFolder.open(run, {
    bank: { name: HOSTILE, version: '1.0.0', hash: bank.hash },
    scenarios: prepared.map(({ scenario: { id, hash, cluster } }) => ({ id, hash, cluster })),
    behaviour: { engine: 'a'.repeat(64), services: { [HOSTILE]: 'b'.repeat(64) } },
    agent: { name: HOSTILE, config: agent.config },
    seed: HOSTILE,
    k: 2,
    mode: 'end-to-end',
  });
  for (const one of prepared) {
    const { text, score } = await runTrial(one, agent, { seed: HOSTILE, trial: 0 });
    const { id: scenario } = one.scenario;
    const trajectory = text === null ? null : digestText(text);
    folder.add({ scenario, trial: 0, text, trajectory, score, wallClockMs: null });
    const lost = voidScore('infrastructure', HOSTILE);
    folder.add({ scenario, trial: 1, text: null, trajectory: null, score: lost, wallClockMs: null });
  }
  folder.finish(summaryOf(folder) as unknown as Json);
  folder.release();
  return writeReport([run], join(directory, 'report.html'));
}
