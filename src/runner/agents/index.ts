import { nearestName, UsageError } from '../../base/errors.ts';
import { readText } from '../../store/text-files.ts';
import { readTrajectory } from '../../trajectory/index.ts';
import type { PreparedScenario } from '../prepare.ts';
import type { Agent } from '../types.ts';
import { type ChatSettings, chatAgentNamed } from './chat/index.ts';
import { commandAgent } from './command.ts';
import { oracleAgent } from './oracle.ts';
import { replayAgent } from './replay.ts';
import { loadScript, type ScriptNext, scriptAgent } from './script.ts';
import { next as careful } from './scripts/careful.ts';
import { next as flaky } from './scripts/flaky.ts';
import { next as hasty } from './scripts/hasty.ts';

const BUNDLED: Readonly<Record<string, ScriptNext>> = { careful, hasty, flaky };

/** Nominal cost of a bundled agent's call, in currency units: a script has no bill of its own. */
const BUNDLED_COST_PER_CALL = 0.002;

/** What a person may set for an agent besides its name. */
export interface AgentOptions {
  /** How long a script or a program may take for one action, in real milliseconds. */
  readonly actionTimeoutMs?: number;
  /** What it is called, instead of its own name. */
  readonly name?: string;
  /** How a chat model is reached and asked. */
  readonly chat?: ChatSettings;
}

export type { ChatSettings } from './chat/index.ts';

/** True for an agent that spends its time waiting for something outside of this thread. */
export function waitsOutside(spec: string): boolean {
  return /^(?:command|chat):/u.test(spec);
}

/**
 * The agent that a person names: `oracle`, `careful`, `hasty`, `flaky`, `script:FILE`, `replay:FILE`,
 * `command:ARGV` (split at spaces, quotes kept together), `chat:SPEC` (a chat model with tools).
 * @throws UsageError for an unknown name, a missing file, or an empty command; ChatError without a key
 */
export async function agentNamed(
  spec: string,
  scenarioOf: (id: string) => PreparedScenario,
  { name, ...limits }: AgentOptions = {},
): Promise<Agent> {
  const agent = await agentOf(spec, scenarioOf, limits);
  return name === undefined ? agent : { ...agent, name };
}

async function agentOf(
  spec: string,
  scenarioOf: (id: string) => PreparedScenario,
  { chat, ...options }: Omit<AgentOptions, 'name'>,
): Promise<Agent> {
  if (spec === 'oracle') return oracleAgent(scenarioOf);
  const bundled = Object.hasOwn(BUNDLED, spec) ? BUNDLED[spec] : undefined;
  if (bundled) return scriptAgent(spec, bundled, { costPerCall: BUNDLED_COST_PER_CALL });
  const [kind, rest] = splitOnce(spec, ':');
  if (kind === 'script' && rest) return await loadScript(rest, options);
  if (kind === 'replay' && rest) return replayAgent(readTrajectory(readText(rest), { file: rest }), rest);
  if (kind === 'command' && rest) return commandAgent(splitWords(rest), options);
  if (kind === 'chat' && rest) return await chatAgentNamed(rest, chat);
  const files = ['script:FILE', 'replay:FILE', 'command:ARGV', 'chat:MODEL'];
  const known = ['oracle', ...Object.keys(BUNDLED), ...files];
  const near = nearestName(spec, known);
  throw new UsageError('unknown-agent', `there is no agent named ${spec}`, {
    hint: near ? `did you mean ${near}?` : `agents are ${known.join(', ')}`,
  });
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

/** Splits a command as a shell does, for quotes and blanks; nothing is expanded. */
export function splitWords(text: string): string[] {
  const words: string[] = [];
  for (const match of text.matchAll(/(?:[^\s"']|"(?:[^"\\]|\\.)*"|'[^']*')+/gu)) {
    words.push(
      match[0].replace(/"((?:[^"\\]|\\.)*)"|'([^']*)'/gu, (_all, double?: string, single?: string) =>
        double === undefined ? (single ?? '') : double.replace(/\\(.)/gu, '$1'),
      ),
    );
  }
  return words;
}
