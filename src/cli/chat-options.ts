import { UsageError } from '../base/errors.ts';
import { CASSETTE_MODES } from '../llm/index.ts';
import { PROTOCOLS } from '../llm/providers/index.ts';
import type { ChatSettings } from '../runner/agents/index.ts';
import type { Invocation, OptionSpec } from './command.ts';
import { amountOption, choiceOption, countOption, textOption } from './options.ts';

type Options = Invocation['options'];

/** Flags of a command that lets a chat model act (`chat:MODEL`). */
export const CHAT_OPTIONS: readonly OptionSpec[] = [
  {
    name: 'base-url',
    value: 'url',
    description: "where the model's endpoint is, such as http://localhost:8000/v1 (default: the provider's)",
  },
  {
    name: 'protocol',
    value: 'protocol',
    description: 'openai or anthropic, for a model that is named without one (default: openai)',
  },
  {
    name: 'key-env',
    value: 'variable',
    description: 'the environment variable with the key (default: OPENAI_API_KEY or ANTHROPIC_API_KEY)',
  },
  { name: 'temperature', value: 'number', description: "0 to 2 (default: the model's own)" },
  {
    name: 'model-seed',
    value: 'n',
    description: 'sampling seed of trial 0, each further trial has the next one (default: none)',
  },
  { name: 'max-output-tokens', value: 'n', description: 'tokens of one reply (default: 4096)' },
  { name: 'max-steps', value: 'n', description: 'turns of the model in one trial (default: 100)' },
  {
    name: 'cassette',
    value: 'dir',
    description: 'record what the model is asked and replies, and replay it',
  },
  {
    name: 'cassette-mode',
    value: 'mode',
    description: 'auto: ask for what is not recorded; record: ask always; replay: never ask (default: auto)',
  },
  {
    name: 'budget-tokens',
    value: 'n',
    description: 'stop before a request once this command has used so many tokens',
  },
  {
    name: 'budget-cost',
    value: 'amount',
    description: 'stop before a request once this command has cost so much, by --prices',
  },
  {
    name: 'prices',
    value: 'file',
    description: 'what a million tokens cost: MODEL: {inputPerMillion, outputPerMillion} as YAML or JSON',
  },
  { name: 'model-concurrency', value: 'n', description: 'requests in flight at once (default: one a trial)' },
  {
    name: 'request-timeout',
    value: 'seconds',
    description: 'how long one request to the model may take (default: 120)',
  },
];

/** Beside the others, for a command that sends scenarios to a model. */
export const RETENTION_OPTION: OptionSpec = {
  name: 'retention',
  value: 'none',
  description: 'declares that the provider keeps nothing: only then are sealed scenarios sent',
};

/**
 * What was set for a chat model; undefined for another agent.
 * @throws UsageError for a value that is none, and for a flag of models with another agent
 */
export function chatSettings(options: Options, agent: string): ChatSettings | undefined {
  if (!agent.startsWith('chat:')) {
    const given = [...CHAT_OPTIONS, RETENTION_OPTION].find(({ name }) => options[name] !== undefined);
    if (!given) return undefined;
    throw new UsageError('bad-option', `--${given.name} goes with a chat model, not with ${agent}`, {
      hint: 'such as --agent chat:openai:gpt-4.1-mini',
    });
  }
  if (options['action-timeout'] !== undefined) {
    throw new UsageError('bad-option', '--action-timeout is for scripts and programs', {
      hint: 'a model has --request-timeout',
    });
  }
  const requestTimeoutSeconds = countOption(options, 'request-timeout', 1);
  const given = {
    baseUrl: textOption(options, 'base-url'),
    protocol: choiceOption(options, 'protocol', PROTOCOLS),
    keyVariable: textOption(options, 'key-env'),
    temperature: amountOption(options, 'temperature', 2),
    seed: countOption(options, 'model-seed', 0),
    maxOutputTokens: countOption(options, 'max-output-tokens', 1),
    maxSteps: countOption(options, 'max-steps', 1),
    cassettes: textOption(options, 'cassette'),
    cassetteMode: choiceOption(options, 'cassette-mode', CASSETTE_MODES),
    budgetTokens: countOption(options, 'budget-tokens', 1),
    budgetCost: amountOption(options, 'budget-cost'),
    prices: textOption(options, 'prices'),
    retention: choiceOption(options, 'retention', ['none', 'unknown']),
    concurrency: countOption(options, 'model-concurrency', 1),
    requestTimeoutMs: requestTimeoutSeconds === undefined ? undefined : requestTimeoutSeconds * 1000,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
