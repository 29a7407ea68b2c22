import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';

/** A call as promptfoo's spans tell it: arguments undefined where they were not captured. */
export interface PromptfooCall {
  readonly tool: string;
  readonly arguments: Json | undefined;
}

/** A step of promptfoo's trajectory. A call of a shell is a `command` there, and no `tool`. */
export interface PromptfooStep {
  readonly type: 'tool' | 'command';
  readonly name: string;
  readonly aliases: readonly string[];
  readonly arguments: Json | undefined;
}

/** What an assertion looks for: a glob over names, and kinds of steps. */
export interface PromptfooMatcher {
  readonly pattern: string | null;
  readonly types: readonly string[] | null;
}

const SHELLS = new Set(['exec_command', 'local_shell', 'shell']);

/** The steps that promptfoo would make of tool calls. */
export function promptfooSteps(calls: readonly PromptfooCall[]): PromptfooStep[] {
  return calls.map(({ tool, arguments: given }) => {
    const read = readArguments(given);
    const command = isShell(tool, read) ? commandOf(read) : null;
    if (command === null) return { type: 'tool', name: tool, aliases: [tool], arguments: read };
    const executable = command.split(/\s+/u)[0] ?? command;
    return { type: 'command', name: command, aliases: [command, tool, executable], arguments: read };
  });
}

/**
 * Text is parsed where it is JSON, and trimmed where it is none; null and empty text count as not captured.
 */
function readArguments(given: Json | undefined): Json | undefined {
  if (given === undefined || given === null) return undefined;
  if (typeof given !== 'string') return given;
  const trimmed = given.trim();
  if (trimmed === '') return undefined;
  try {
    return JSON.parse(trimmed) as Json;
  } catch {
    return trimmed;
  }
}

function isShell(tool: string, given: Json | undefined): boolean {
  const name = tool.trim().toLowerCase();
  if (SHELLS.has(name)) return true;
  return (
    name === 'execute' && isJsonObject(given) && ['cmd', 'command', 'commands'].some((key) => key in given)
  );
}

function commandOf(given: Json | undefined): string | null {
  if (!isJsonObject(given)) return null;
  const isList = given.cmd === undefined && given.command === undefined;
  const source = given.cmd ?? given.command ?? given.commands;
  const text = Array.isArray(source)
    ? source
        .map((part) => String(part).trim())
        .filter((part) => part !== '')
        .join(isList ? '; ' : ' ')
    : typeof source === 'string'
      ? source.trim()
      : '';
  return text === '' ? null : text;
}

/** A matcher from its text or object; `pattern` goes before `name`, and both are globs. */
export function promptfooMatcher(value: string | JsonObject, defaultType: string | null): PromptfooMatcher {
  if (typeof value === 'string')
    return { pattern: value, types: defaultType === null ? null : [defaultType] };
  const { pattern, name, type } = value;
  const own = Array.isArray(type)
    ? type.map(String)
    : typeof type === 'string' && type !== ''
      ? [type]
      : null;
  const named = [pattern, name].find((text) => typeof text === 'string' && text !== '');
  return {
    pattern: typeof named === 'string' ? named : null,
    types: own ?? (defaultType === null ? null : [defaultType]),
  };
}

/** Whether a step is of the matcher's kinds and one of its names fits the glob. */
export function promptfooMatches(step: PromptfooStep, { pattern, types }: PromptfooMatcher): boolean {
  if (types !== null && !types.includes(step.type)) return false;
  return pattern === null || step.aliases.some((alias) => fitsGlob(alias, pattern));
}

/** `*` is any text and `?` one character; upper and lower case are the same. */
export function fitsGlob(text: string, glob: string): boolean {
  const source = glob
    .replace(/[.+^${}()|[\]\\]/gu, '\\$&')
    .replace(/\*/gu, '.*')
    .replace(/\?/gu, '.');
  return new RegExp(`^${source}$`, 'i').test(text);
}
