import { UsageError } from '../../../base/errors.ts';
import type { Json, JsonObject } from '../../../base/json.ts';
import { type LoadedBank, loadBank } from '../../../runner/bank.ts';
import { boundRowsOf } from '../../../runner/bound-rows.ts';
import { offeredTools } from '../../../runner/offered-tools.ts';
import type { PreparedScenario } from '../../../runner/prepare.ts';
import { WorldCache } from '../../../runner/worlds.ts';
import type { Command, ExitCode } from '../../command.ts';
import { flagOption } from '../../options.ts';
import { counted } from '../../render/counted.ts';
import { layOut } from '../../render/table.ts';

export const command: Command = {
  summary: 'Show one scenario as an agent meets it: task, tools, budgets; and what it is judged by.',
  args: [{ name: 'scenario', description: 'BANK/SCENARIO: of a folder or a catalog name' }],
  options: [
    { name: 'full', description: "print the tools' JSON Schemas and the policy, too" },
    { name: 'reference', description: 'give the solution away: the calls and the answer of the reference' },
  ],
  examples: [
    'bank show helpdesk/refund-88213',
    'bank show helpdesk/refund-family --full',
    'bank show banks/helpdesk/refund-88213 --reference --json',
  ],
  keys: [
    'bank {name, version, hash}',
    'scenario {id, title, cluster, tags, hash, world {services, now}, task {text, intent}, budgets}',
    'scenario.user and .faults, as true or false',
    'family',
    'rows {BINDING: row}',
    'tools [{name, description, inputSchema, effect}]',
    'policy',
    'graders [{kind, required}]',
    'invariants [{id, kind}]',
    'milestones [id]',
    'with --reference also: reference {calls, answer}',
  ],
  run: async ({ args, options, output }): Promise<ExitCode> => {
    const [name = ''] = args;
    const bank = await loadBank([name], new WorldCache());
    const [prepared, ...others] = bank.chosen;
    if (!prepared || others.length > 0) {
      throw new UsageError('whole-bank', `${name} is a bank, not a scenario of one`, {
        hint: `groundhog bank list ${name} lists its scenarios`,
      });
    }
    const full = flagOption(options, 'full');
    const shown = describe(bank, prepared);
    const { reference } = prepared.scenario;
    const solution = flagOption(options, 'reference') ? { reference: reference as unknown as Json } : {};
    for (const line of scenarioLines(shown, full)) output.line(line);
    if ('reference' in solution) {
      output.line('\nReference:');
      for (const call of reference.calls) output.line(`  ${callText(call)}`);
      output.line(`  answer: ${reference.answer}`);
    }
    output.json({ ...(shown as unknown as { readonly [key: string]: Json }), ...solution });
    return 0;
  },
};

function callText({ tool, arguments: input, fails }: PreparedScenario['scenario']['reference']['calls'][0]) {
  return `${tool} ${JSON.stringify(input)}${fails === undefined ? '' : ` (fails with ${fails})`}`;
}

type Shown = ReturnType<typeof describe>;

function describe(bank: LoadedBank, prepared: PreparedScenario) {
  const { scenario, services, policy } = prepared;
  const { id, title, cluster, tags, hash, task, budgets, world } = scenario;
  const rows = boundRowsOf(bank, prepared);
  return {
    bank: { name: bank.name, version: bank.folder.bank.version, hash: bank.hash },
    scenario: {
      ...{ id, title, cluster, tags, hash, task, budgets },
      world: { services: world.services, now: new Date(world.epochMs).toISOString() },
      user: scenario.user !== undefined,
      faults: scenario.faults !== undefined,
    },
    family: rows !== null,
    rows: (rows ?? {}) as unknown as Readonly<Record<string, JsonObject>>,
    tools: offeredTools(services, { names: scenario.tools, plan: scenario.faults }),
    policy,
    graders: scenario.graders.map(({ kind, required }) => ({ kind, required })),
    invariants: scenario.invariants.map(({ id: rule, kind }) => ({ id: rule, kind })),
    milestones: scenario.milestones.map(({ id: milestone }) => milestone),
  };
}

function scenarioLines(shown: Shown, full: boolean): string[] {
  const { bank, scenario, tools, policy } = shown;
  const { task } = scenario;
  const intent = task.intent ? [`\nIntent, for scripts: ${JSON.stringify(task.intent)}`] : [];
  return [
    `${scenario.id}: ${scenario.title}`,
    ...layOut([
      ['bank', `${bank.name} ${bank.version}`],
      ['cluster', scenario.cluster],
      ['tags', scenario.tags.join(', ') || 'none'],
      ['world', scenario.world.services.map(({ name, seed }) => `${name}/${seed}`).join(' + ')],
      ['now', scenario.world.now],
      ['budgets', budgetText(scenario.budgets)],
      ['user', scenario.user ? 'answers messages' : 'none'],
      ['faults', scenario.faults ? 'planned' : 'none'],
      ['family', shown.family ? 'yes; the rows of this instance:' : 'no'],
    ]),
    ...layOut(Object.entries(shown.rows).map(([name, row]) => [`  ${name}`, JSON.stringify(row)])),
    `\nTask:\n${indented(task.text)}`,
    ...intent,
    `\n${counted(tools.length, 'tool')}:`,
    ...tools.flatMap(({ name, effect, description, inputSchema }) => [
      `  ${name} (${effect}): ${description}`,
      ...(full ? [`    ${JSON.stringify(inputSchema)}`] : []),
    ]),
    ...(full ? [`\nPolicy:\n${indented(policy === '' ? 'none' : policy)}`] : []),
    '\nJudged by:',
    ...layOut(judgeRows(shown)),
  ];
}

function judgeRows({ graders, invariants, milestones }: Shown): string[][] {
  return [
    ...graders.map(({ kind, required }) => ['  grader', kind, required ? 'required' : 'reported only']),
    ...milestones.map((id) => ['  milestone', id, '']),
    ...invariants.map(({ id, kind }) => ['  invariant', id, kind]),
  ];
}

function budgetText({ calls, messages, clockMs }: Shown['scenario']['budgets']): string {
  const parts = [
    ...(calls === undefined ? [] : [counted(calls, 'call')]),
    ...(messages === undefined ? [] : [counted(messages, 'message')]),
    ...(clockMs === undefined ? [] : [`${clockMs} ms of virtual time`]),
  ];
  return parts.length === 0 ? 'none' : parts.join(', ');
}

function indented(text: string): string {
  return text.trimEnd().replace(/^(?=.)/gmu, '  ');
}
