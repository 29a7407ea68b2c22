import { UsageError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { loadBank } from '../../runner/bank.ts';
import { writeReport } from '../../runner/report/write.ts';
import { type FinishedRun, type RunOptions, runBank } from '../../runner/run.ts';
import type { RunRequest } from '../../runner/run-config.ts';
import { usageOf, usageText } from '../../runner/run-usage.ts';
import { WorldCache } from '../../runner/worlds.ts';
import type { RunSummary } from '../../scoring/index.ts';
import { CHAT_OPTIONS, chatSettings, RETENTION_OPTION } from '../chat-options.ts';
import type { Command, ExitCode, Invocation } from '../command.ts';
import { RUN_FAULT_OPTIONS, underFaults } from '../fault-options.ts';
import { GATE_EXITS, sayGate } from '../gate-output.ts';
import { interruptible, type Standing } from '../interruption.ts';
import { choiceOption, countOption, flagOption, textOption } from '../options.ts';
import { plansLines } from '../render/resilience.ts';
import { firstFailures, runTable } from '../render/run-table.ts';
import { voidLines } from '../render/voids.ts';
import { askedGate, gateKey, keepVerdict, RUN_GATE_OPTIONS, runGated } from '../run-gate.ts';
import { runJson } from '../run-json.ts';
import { runStepwise } from '../run-stepwise.ts';

export const command: Command = {
  summary: 'Run an agent over a bank or scenarios and score it.',
  args: [
    { name: 'target', description: 'BANK or BANK/SCENARIO: a folder or a catalog name', variadic: true },
  ],
  options: [
    {
      name: 'agent',
      value: 'agent',
      description:
        'oracle; script:FILE, replay:FILE or command:ARGV; chat:openai:MODEL or chat:anthropic:MODEL; ' +
        'careful, hasty or flaky, which know helpdesk alone',
    },
    {
      name: 'name',
      value: 'text',
      description: "what the agent is called (default: its own name, a command's: its file's)",
    },
    { name: 'k', value: 'n', description: 'trials per scenario', default: '1' },
    {
      name: 'seed',
      value: 'text',
      description: 'seeds agent and world streams, never the seed rows',
      default: '1',
    },
    {
      name: 'action-timeout',
      value: 'seconds',
      description: 'how long a script or a program may take for one action (default: 120)',
    },
    {
      name: 'mode',
      value: 'mode',
      description: 'end-to-end, or stepwise: one call after the true history, at every reference call',
      default: 'end-to-end',
    },
    {
      name: 'engine',
      value: 'engine',
      description: 'threads or inline (default: threads; step by step: inline, the only one)',
    },
    {
      name: 'concurrency',
      value: 'n',
      description:
        'trials in flight at once, more where the agent waits (default: the cores; 8 with a model)',
    },
    { name: 'variants', value: 'n', description: 'instances of every scenario family' },
    { name: 'variant-seed', value: 'text', description: 'picks the instances', default: '1' },
    {
      name: 'out',
      value: 'dir',
      description: "the run's folder (default: runs/, named by the configuration)",
    },
    { name: 'fresh', description: 'throw away a run that is in that folder' },
    ...CHAT_OPTIONS,
    RETENTION_OPTION,
    ...RUN_FAULT_OPTIONS,
    ...RUN_GATE_OPTIONS,
  ],
  examples: [
    'run banks/helpdesk --agent careful --k 4',
    'run helpdesk/refund-88213 --agent hasty --json',
    'run helpdesk --agent command:"python my_agent.py" --k 4 --out runs/mine',
    'run helpdesk --agent command:"python my_agent.py" --name sonnet --concurrency 32',
    'run helpdesk --agent chat:openai:gpt-4.1-mini --cassette cassettes/mini --budget-tokens 2000000',
    'run helpdesk --agent careful --faults examples/faults/plans.yaml --swarm 20 --swarm-seed 7',
    'run helpdesk --agent careful --k 2 --gate gates.yaml --baseline runs/main --until-decided 8',
  ],
  keys: [
    'run',
    'bank {name, hash}',
    'behaviour',
    'agent',
    'seed',
    'k',
    'trials',
    'void {count, byReason}',
    'success',
    'successIfVoid {fail, pass}',
    'passAt',
    'passHat',
    'passAtIfVoid {"1": {fail, pass}}',
    'passHatIfVoid {"1": {fail, pass}}',
    'metrics',
    'invariants',
    'failures',
    'usage {turns, inputTokens, outputTokens, cachedInputTokens, cost, models, ignored} (of a model)',
    'faults {plans [{id, trials, hit, notHit}], hit, notHit} (with --faults or --swarm)',
    'gate {profile, verdict, reasons, checks, looks}',
    'step by step also: steps, counts, shares, good (exact or equivalent)',
    'notExact [{scenario, trial, step, verdict, expected, got, detail}]',
    'notJudged [{scenario, reason}]',
  ],
  exits:
    '0 every required grader held and no invariant broke · 1 one did not, or a step was fatal · 2 misuse · ' +
    '3 nothing but infrastructure voids, a model out of reach or over budget, or ended by Ctrl-C · ' +
    '4 voids could turn it, or there was no step to judge' +
    ` · with --gate: ${GATE_EXITS}`,
  run: async (invocation) => {
    const { options } = invocation;
    const stepwise = choiceOption(options, 'mode', ['end-to-end', 'stepwise']) === 'stepwise';
    const engine = choiceOption(options, 'engine', ['threads', 'inline']);
    if (stepwise && engine === 'threads') {
      throw new UsageError('bad-option', '--engine threads cannot be had step by step', {
        hint: 'its steps are judged one after the other in this process: leave --engine out',
      });
    }
    const concurrency = countOption(options, 'concurrency', 1);
    if (stepwise && concurrency !== undefined) {
      throw new UsageError('bad-option', '--concurrency cannot be had step by step', {
        hint: 'its steps are judged one after the other: leave --concurrency out',
      });
    }
    if (stepwise && (options.faults !== undefined || options.swarm !== undefined)) {
      throw new UsageError('bad-option', '--faults and --swarm cannot be had step by step', {
        hint: 'a step is judged after the true history, which has no faults: leave --mode out',
      });
    }
    const gate = askedGate(invocation);
    if (stepwise && gate !== null) {
      throw new UsageError('bad-option', '--gate cannot be had step by step', {
        hint: 'give the step-wise runs to `groundhog gate` with --stepwise and --stepwise-baseline',
      });
    }
    const request = await requestOf(invocation);
    const again = request.fresh ? 'the same command without --fresh' : 'the same command';
    return await interruptible(invocation.output, `${again} goes on from there`, async (track) => {
      if (stepwise) return await runStepwise(invocation, request, track);
      const size = concurrency === undefined ? {} : { concurrency };
      const all = { ...request, engine: engine ?? 'threads', ...size };
      const full = { ...all, onProgress: progressOf(invocation, track) };
      if (gate === null) return print(await runBank(full), invocation);
      const gated = await runGated(full, gate);
      keepVerdict(gated, gate);
      print(gated, invocation, { gate: gateKey(gated) });
      return sayGate(gated.report, gate.file, invocation);
    });
  },
};

async function requestOf({ args, options }: Invocation): Promise<RunRequest> {
  const agent = textOption(options, 'agent');
  if (!agent) {
    throw new UsageError('no-agent', 'name the agent to run', {
      hint: '--agent careful, or --agent command:"…"',
    });
  }
  const variants = countOption(options, 'variants', 1);
  const variantSeed = textOption(options, 'variant-seed') ?? '1';
  const family = variants === undefined ? undefined : { variants, variantSeed };
  const bank = underFaults(await loadBank(args, new WorldCache(), family), options);
  const out = textOption(options, 'out');
  const name = agentName(options);
  const timeoutSeconds = countOption(options, 'action-timeout', 1);
  const chat = chatSettings(options, agent);
  const usual = {
    ...(timeoutSeconds !== undefined && { actionTimeoutMs: timeoutSeconds * 1000 }),
    ...(name !== undefined && { name }),
  };
  return {
    bank,
    agent,
    agentOptions: { ...usual, ...(chat && { chat }) },
    asked: { targets: args, agent, ...usual, ...(chat && { chat: { ...chat } }), ...family },
    seed: textOption(options, 'seed') ?? '1',
    k: countOption(options, 'k', 1) ?? 1,
    fresh: flagOption(options, 'fresh'),
    ...(out !== undefined && { out }),
  };
}

/** @throws UsageError for a name that no table or folder could hold. */
function agentName(options: Invocation['options']): string | undefined {
  const name = textOption(options, 'name');
  if (name === undefined || (/^\S(?:.*\S)?$/u.test(name) && !/\p{C}/u.test(name) && name.length <= 80)) {
    return name;
  }
  throw new UsageError('bad-option', '--name takes a text of 1 to 80 characters on one line', {
    hint: 'such as --name sonnet',
  });
}

function progressOf(
  { output }: Invocation,
  track: (standing: Standing) => void,
): NonNullable<RunOptions['onProgress']> {
  return ({ done, of, report }) => {
    track({ done, of });
    output.progress(`${done}/${of} trials${report ? `, ${report.scenario}` : ''}`, done === of);
  };
}

function print(
  { folder, summary }: FinishedRun,
  { output }: Invocation,
  more: { readonly [key: string]: Json } = {},
): ExitCode {
  const { config } = folder;
  const report = writeReport([folder.directory], `${folder.directory}/report.html`);
  for (const line of runTable([{ name: config.agent.name, summary, scenarios: config.scenarios }]))
    output.line(line);
  const failures = firstFailures(summary, 5);
  if (failures.length > 0) output.line('\nWhat broke first:');
  for (const line of failures) output.line(`  ${line}`);
  const voids = voidLines(folder, 5);
  if (voids.length > 0) output.line('\nVoid, which says nothing about the agent:');
  for (const line of voids) output.line(`  ${line}`);
  if (summary.faults) for (const line of ['', ...plansLines(summary.faults)]) output.line(line);
  const usage = usageOf(folder);
  const used = usage && usageText(usage, usage.models.join(', '));
  if (used) output.line(`\nUsed: ${used}`);
  output.line(`\nRun folder: ${folder.directory}\nReport:     ${report}`);
  output.json({ ...runJson({ folder, summary }), ...(usage && { usage: { ...usage } }), ...more });
  return exitOf(summary);
}

/** 1 where a required grader failed or an invariant broke; 3 and 4 where voids leave it open. */
export function exitOf(summary: RunSummary): ExitCode {
  const { trials, void: voids } = summary;
  const infrastructure = voids.byReason.infrastructure ?? 0;
  if (trials > 0 && voids.count === trials) return infrastructure === trials ? 3 : 4;
  const broken = summary.invariants.some((invariant) => invariant.broken > 0);
  const failed = summary.success.value !== 1;
  if (failed || broken) return 1;
  return voids.count > 0 ? 4 : 0;
}
