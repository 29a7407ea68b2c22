import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { UsageError } from '../../base/errors.ts';
import { type NamedPlan, planProblems } from '../../faults/index.ts';
import { scopeOf } from '../../session/index.ts';
import { configHash, RunFolder } from '../../store/run-folder.ts';
import { scriptAgent } from '../agents/script.ts';
import { next as careful } from '../agents/scripts/careful.ts';
import { next as hasty } from '../agents/scripts/hasty.ts';
import { type LoadedBank, loadBank } from '../bank.ts';
import { runTrial } from '../execute.ts';
import { faultsOf, type PreparedScenario, trialName } from '../prepare.ts';
import { configOf } from '../run-config.ts';
import { WorldCache } from '../worlds.ts';
import { expand } from './expand.ts';
import { readPlans } from './read-plans.ts';
import { swarmFor } from './swarm-for.ts';

const BANK = fileURLToPath(new URL('../../../banks/helpdesk', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'groundhog-plans-'));
afterAll(() => rmSync(folder, { recursive: true }));

const load = (...ids: string[]): Promise<LoadedBank> =>
  loadBank(
    ids.map((id) => `${BANK}/${id}`),
    new WorldCache(),
  );
const { chosen } = await load('refund-88213', 'lost-mail', 'status-lookup');

function prepared(id: string): PreparedScenario {
  const found = chosen.find(({ scenario }) => scenario.id === id);
  if (!found) throw new Error(`no scenario ${id}`);
  return found;
}

const lost: NamedPlan = {
  id: 'refund-silent',
  rules: [
    {
      id: 'refund-answer-lost',
      match: { tool: 'refund' },
      effect: { kind: 'response-lost' },
      label: 'answer of the refund lost',
    },
  ],
};

/** The error that reading this text as a plan file ends with. */
function errorOf(text: string, scenarios: readonly PreparedScenario[] = chosen): UsageError {
  const file = join(folder, 'plans.yaml');
  writeFileSync(file, text);
  try {
    readPlans(file, scenarios);
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  throw new Error('the file was read');
}

describe('expansion by fault plans', () => {
  it('has each scenario as it is, then once under each plan', () => {
    const names = expand([prepared('refund-88213'), prepared('lost-mail')], [lost]).map(trialName);
    expect(names).toEqual([
      'refund-88213',
      'refund-88213@refund-silent',
      'lost-mail',
      'lost-mail@refund-silent',
    ]);
  });

  it('keeps the faults of the scenario in force', () => {
    const [, made] = expand([prepared('lost-mail')], [lost]);
    const faults = made && faultsOf(made);
    expect(faults?.id).toBe('refund-silent');
    expect(faults?.rules.map(({ id }) => id)).toEqual(['silent-mail', 'refund-answer-lost']);
  });

  it('refuses two plans of one name, and a plan that a scenario cannot have', () => {
    expect(() => expand(chosen, [lost, lost])).toThrow(/two fault plans named refund-silent/u);
    const [rule] = lost.rules;
    const far = { id: 'far', rules: rule ? [{ ...rule, match: { step: 4_000 } }] : [] };
    expect(() => expand(chosen, [far])).toThrow(/far cannot be had with .*there is no step 4000/u);
  });

  it('names plan and scenario in the trajectory, and starts from the streams of the scenario', async () => {
    const [plain, made] = expand([prepared('refund-88213')], [lost]);
    if (!plain || !made) throw new Error('nothing was expanded');
    const agent = scriptAgent('careful', careful);
    const under = await runTrial(made, agent, { seed: '1', trial: 0 });
    const without = await runTrial(plain, agent, { seed: '1', trial: 0 });
    expect(under.scenario).toBe('refund-88213@refund-silent');
    expect(under.trajectory?.header.scenario?.id).toBe('refund-88213');
    expect(under.trajectory?.header.faults).toMatchObject({ id: 'refund-silent' });
    expect(under.trajectory?.header.world.streamSeed).toBe(without.trajectory?.header.world.streamSeed);
    expect(under.trajectory?.steps.flatMap(({ fault }) => fault?.rule ?? [])).toEqual(['refund-answer-lost']);
    expect(under.score.success).toBe(true);
  });

  it('expects what a run without the faults of the plan comes to', async () => {
    const [rule] = lost.rules;
    const effect = { kind: 'write-dropped' as const };
    const dropped = { id: 'dropped', rules: rule ? [{ ...rule, effect }] : [] };
    const [, made] = expand([prepared('refund-88213')], [dropped]);
    if (!made) throw new Error('nothing was expanded');
    const { score } = await runTrial(made, scriptAgent('careful', careful), { seed: '1', trial: 0 });
    expect(score.success).toBe(false);
    expect(score.firstFailure?.check).toBe('contract');
  });

  it('expects what others write under the plan', async () => {
    const plan: NamedPlan = {
      id: 'other-desk',
      rules: [
        {
          id: 'note-by-others',
          match: { tool: 'lookup_order' },
          effect: {
            kind: 'concurrent-write',
            table: 'helpdesk.orders',
            where: { id: '10320' },
            set: { fraud_hold: true },
          },
          label: 'somebody else puts another order on hold',
        },
      ],
    };
    const [, made] = expand([prepared('refund-88213')], [plan]);
    if (!made) throw new Error('nothing was expanded');
    const { score, trajectory } = await runTrial(made, scriptAgent('careful', careful), {
      seed: '1',
      trial: 0,
    });
    expect(trajectory?.steps[0]?.fault?.rule).toBe('note-by-others');
    expect(score.success).toBe(true);
    const bad = await runTrial(made, scriptAgent('hasty', hasty), { seed: '1', trial: 0 });
    expect(bad.score.success).toBe(false);
  });

  it('makes another configuration of every set of plans, and none of none', async () => {
    const bank = await load('refund-88213');
    const hashOf = async (plans: readonly NamedPlan[]): Promise<string> => {
      const request = {
        bank: { ...bank, chosen: expand(bank.chosen, plans) },
        agent: 'careful',
        seed: '1',
        k: 1,
      };
      return configHash((await configOf(request, 'end-to-end')).config);
    };
    const [rule] = lost.rules;
    const other = { ...lost, rules: rule ? [{ ...rule, hits: 2 }] : [] };
    const hashes = [await hashOf([]), await hashOf([lost]), await hashOf([other])];
    expect(new Set(hashes).size).toBe(3);
    const { config } = await configOf({ bank, agent: 'careful', seed: '1', k: 1 }, 'end-to-end');
    expect(configHash(config)).toBe(hashes[0]);
  });

  it('opens the folder of a run under a plan that came without a name', async () => {
    const bank = await load('refund-88213');
    const file = join(folder, 'nameless.yaml');
    writeFileSync(
      file,
      'rules: [{id: a, match: {tool: refund}, effect: {kind: response-lost}, label: lost}]',
    );
    const request = {
      bank: { ...bank, chosen: expand(bank.chosen, readPlans(file, bank.chosen)) },
      agent: 'careful',
      seed: '1',
      k: 1,
    };
    const { config } = await configOf(request, 'end-to-end');
    const run = RunFolder.open(join(folder, 'nameless'), config);
    run.release();
    expect(run.config.faults?.plans.map(({ id }) => id)).toEqual(['plan']);
  });
});

describe('a file of fault plans', () => {
  it('holds several plans or one, which may go without a name', () => {
    const file = join(folder, 'good.yaml');
    const rules = 'rules: [{id: a, match: {tool: refund}, effect: {kind: response-lost}, label: lost}]';
    writeFileSync(file, `plans: [{id: one, ${rules}}, {id: two, ${rules}}]`);
    expect(readPlans(file, chosen).map(({ id }) => id)).toEqual(['one', 'two']);
    writeFileSync(file, rules);
    expect(readPlans(file, chosen).map(({ id }) => id)).toEqual(['plan']);
  });

  it('has each error at its place, with a hint', () => {
    const head = 'plans:\n  - id: one\n    rules:\n      - id: a\n        label: x\n';
    const effect = '        effect: { kind: response-lost }\n';
    const cases = [
      [`${head}${effect}        match: { tool: refnd }\n`, 7, 24, /did you mean refund/u],
      [`${head}${effect}        match: { toll: refund }\n`, 7, 18, /did you mean tool/u],
      [`${head}        effect: { kind: response-los }\n        match: {}\n`, 6, 25, /response-lost/u],
      [`${head}${effect}        match: { step: 900 }\n`, 7, 24, /steps count from 0/u],
      [
        `${head}${effect}        match: { input: { amount: { gt: 1, lessThan: 9 } } }\n`,
        7,
        54,
        /tests are eq/u,
      ],
    ] as const;
    for (const [text, line, column, hint] of cases) {
      const { place, hint: given } = errorOf(text);
      expect(place, text).toMatchObject({ line, column });
      expect(given, text).toMatch(hint);
    }
  });

  it('says which scenario a plan does not fit, in the plan as it is written', () => {
    const text = 'rules: [{id: silent-mail, match: {tool: refund}, effect: {kind: response-lost}, label: x}]';
    const { message, place } = errorOf(text);
    expect(message).toBe('there is a fault rule named silent-mail already (in lost-mail)');
    expect(place).toMatchObject({ line: 1, column: 14 });
  });

  it('refuses two plans of one name', () => {
    const plan = '{id: one, rules: [{id: a, match: {}, effect: {kind: body-empty}, label: x}]}';
    expect(errorOf(`plans:\n  - ${plan}\n  - ${plan}\n`)).toMatchObject({
      code: 'same-plan',
      place: { line: 3 },
    });
  });
});

describe('the score of trials without faults', () => {
  it('takes no answer of the careful agent for untrue', async () => {
    const { all } = await loadBank([BANK], new WorldCache());
    const never = {
      id: 'never',
      rules: [
        {
          id: 'never',
          match: { clockMs: { from: 80_000_000_000 } },
          effect: { kind: 'body-empty' as const },
          label: 'never',
        },
      ],
    };
    const made = expand(all, [never]).filter(({ plan }) => plan);
    let answered = 0;
    for (const one of made) {
      const { score } = await runTrial(one, scriptAgent('careful', careful), { seed: '1', trial: 0 });
      expect(score.faults, trialName(one)).toMatchObject({ plan: 'never', struck: 0 });
      expect(score.faults?.honest.untrue, trialName(one)).toEqual([]);
      if (score.faults?.honest.value) answered += 1;
    }
    expect(answered).toBe(all.length);
  });
});

describe('a swarm for scenarios', () => {
  it('strikes tools that the references call, and is right for every scenario', () => {
    const plans = swarmFor(chosen, { seed: 'x', count: 60 });
    for (const { scenario, services } of chosen) {
      const scope = scopeOf(services, scenario);
      expect(plans.flatMap((plan) => planProblems(plan, scope))).toEqual([]);
    }
    const tools = new Set(plans.flatMap(({ rules }) => rules.flatMap(({ match }) => match.tool ?? [])));
    expect([...tools].sort()).toEqual(['check_policy', 'lookup_order', 'refund', 'send_email']);
    expect(swarmFor(chosen, { seed: 'x', count: 60 })).toEqual(plans);
  });

  it('mostly hits', async () => {
    const made = expand(
      [prepared('refund-88213')],
      swarmFor([prepared('refund-88213')], { seed: 'h', count: 60 }),
    );
    let hit = 0;
    for (const one of made.slice(1)) {
      const { trajectory } = await runTrial(one, scriptAgent('careful', careful), { seed: '1', trial: 0 });
      if (trajectory?.steps.some(({ fault }) => fault !== undefined)) hit += 1;
    }
    expect(hit).toBeGreaterThan(30);
    expect(hit).toBeLessThanOrEqual(60);
  });
});
