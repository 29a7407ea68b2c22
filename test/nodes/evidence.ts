/** Prints, as one JSON object, digests that must not depend on the Node release. Run by `nodes.test.ts`. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { digestText } from '../../src/base/digest.ts';
import { agentNamed } from '../../src/runner/agents/index.ts';
import { loadBank } from '../../src/runner/bank.ts';
import { runTrial } from '../../src/runner/execute.ts';
import { environmentOf, loadTrajectory } from '../../src/runner/recorded.ts';
import { WorldCache } from '../../src/runner/worlds.ts';
import { replayTrajectory } from '../../src/session/index.ts';
import { lawChain } from '../laws/chain.ts';

const GOLDEN = new URL('../golden', import.meta.url).pathname;

const worlds = new WorldCache();
const bank = await loadBank(['helpdesk'], worlds);
const scenarioOf = (id: string) => {
  const prepared = bank.all.find(({ scenario }) => scenario.id === id);
  if (!prepared) throw new Error(`no scenario ${id}`);
  return prepared;
};

const trajectories: Record<string, string> = {};
const scores: Record<string, string> = {};
for (const name of ['oracle', 'careful', 'flaky', 'hasty']) {
  const agent = await agentNamed(name, scenarioOf);
  for (const prepared of bank.chosen) {
    const { text, score } = await runTrial(prepared, agent, { seed: 'nodes', trial: 0 });
    const key = `${name}/${prepared.scenario.id}`;
    trajectories[key] = digestText(text ?? 'none');
    scores[key] = digestText(JSON.stringify(score));
  }
}

const golden: Record<string, string> = {};
for (const file of existsSync(GOLDEN)
  ? readdirSync(GOLDEN).filter((name) => name.endsWith('.traj.jsonl'))
  : []) {
  const trajectory = loadTrajectory(join(GOLDEN, file));
  const { identical } = replayTrajectory(trajectory, environmentOf(trajectory, worlds));
  golden[file] = `${digestText(readFileSync(join(GOLDEN, file), 'utf8'))} ${identical}`;
}

const chains = ['one', 'two', 'three'].map((seed) => digestText(lawChain(seed).join('\n')));
const seeds = ['helpdesk/small', 'helpdesk/standard', 'notes/small', 'airline/small'].map((recipe) => {
  const [name = '', seed = ''] = recipe.split('/');
  return `${recipe} ${worlds.get([{ name, seed }]).world.merkleRoot()}`;
});
console.log(JSON.stringify({ chains, seeds, golden, trajectories, scores }));
