import { readFileSync } from 'node:fs';
import { Option, Command as Program } from 'commander';
import { InvariantError, UsageError } from '../base/errors.ts';
import type { Json } from '../base/json.ts';
import { ChatError } from '../llm/index.ts';
import { onBuild } from '../store/build-notice.ts';
import { chatExit } from './chat-exit.ts';
import type { Command, ExitCode, Invocation } from './command.ts';
import { commandLine, typeable } from './command-line.ts';
import { COMMANDS, loadCommand } from './commands.ts';
import { processOutput } from './output.ts';

const EXIT_CODES = '0 held · 1 fell short · 2 misuse · 3 infrastructure · 4 inconclusive';

/** Runs the command line. Never throws: errors become one sentence and an exit code. */
export async function main(argv: readonly string[]): Promise<ExitCode> {
  const jsonMode = ownWords(argv).includes('--json');
  const output = processOutput(jsonMode);
  onBuild((recipe) => output.note(`building the world ${recipe}, which is kept for the next time …`));
  let exitCode: ExitCode = 0;
  try {
    const program = await buildProgram(argv, async (command, invocation) => {
      exitCode = await command.run({ ...invocation, output });
    });
    await program.parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (error) {
    return report(error, output);
  }
}

/** Our own part of the command line: what follows `--` is another program's. */
function ownWords(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--');
  return end < 0 ? argv : argv.slice(0, end);
}

function version(): string {
  const file = new URL('../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }).version;
}

type Runner = (command: Command, invocation: Omit<Invocation, 'output'>) => Promise<void>;

/** Only the command that was named is loaded, all of them for the overview. */
async function buildProgram(argv: readonly string[], runner: Runner): Promise<Program> {
  const words = ownWords(argv).filter((word) => !word.startsWith('-'));
  // The longest that fits: some commands have commands of their own.
  const [named] = COMMANDS.filter((path) => path.every((word, index) => words[index] === word)).toSorted(
    (left, right) => right.length - left.length,
  );
  const program = bare(new Program('groundhog'))
    .description('The same world, every run: simulated tool worlds for LLM agents.')
    .addHelpText('after', `\nExit codes: ${EXIT_CODES}\nHelp on one: ${commandLine('run --help')}`);
  program.version(version(), '--version', 'print the version');
  program.helpOption('-h, --help', 'show this help').helpCommand(false).addOption(jsonAnywhere());
  const groups = new Map<string, Program>();
  const examples = new Map<Program, readonly string[]>();
  for (const path of named ? [named] : COMMANDS) {
    const parent = path.length === 1 ? program : groupOf(program, groups, path[0] ?? '');
    const command = await loadCommand(path);
    addCommand(parent, { name: path.at(-1) ?? '', command, runner });
    const [example] = command.examples;
    if (parent !== program && example) examples.set(parent, [...(examples.get(parent) ?? []), example]);
  }
  for (const [group, lines] of examples) group.addHelpText('after', `\n${exampleText(lines)}`);
  return program;
}

const GROUPS: Readonly<Record<string, string>> = {
  tau: 'commands on tau-bench runs',
  openenv: 'commands for trainers that speak OpenEnv',
};

function groupOf(program: Program, groups: Map<string, Program>, name: string): Program {
  const known = groups.get(name) ?? program.commands.find((command) => command.name() === name);
  if (known) return known;
  const group = bare(program.command(name)).description(GROUPS[name] ?? `commands on a ${name}`);
  group.addOption(jsonAnywhere());
  groups.set(name, group);
  return group;
}

/** Misuse is told as JSON wherever the flag stands, also before a command or without one. */
function jsonAnywhere(): Option {
  return new Option('--json').hideHelp();
}

/** Errors are thrown, so that they all end in one place. */
function bare(program: Program): Program {
  return program
    .exitOverride()
    .showSuggestionAfterError(true)
    .configureOutput({ writeErr: () => undefined, writeOut: (text) => process.stdout.write(text) });
}

function addCommand(
  parent: Program,
  {
    name: word,
    command,
    runner,
  }: { readonly name: string; readonly command: Command; readonly runner: Runner },
): void {
  const child = bare(parent.command(word)).description(command.summary);
  for (const { name, description, optional, variadic } of command.args) {
    const text = `${name}${variadic ? '...' : ''}`;
    child.argument(optional ? `[${text}]` : `<${text}>`, description);
  }
  for (const option of command.options) {
    const flags = `--${option.name}${option.value ? ` <${option.value}>` : ''}`;
    if (option.repeats) child.option(flags, option.description, collect);
    else if (option.default === undefined) child.option(flags, option.description);
    else child.option(flags, option.description, option.default);
  }
  child.option('--json', 'print the result as one JSON object on the last line of stdout');
  child.helpOption('-h, --help', 'show this help');
  child.addHelpText(
    'after',
    [
      `\n${exampleText(command.examples)}`,
      `\nKeys of the JSON object: ${command.keys.join(', ')}`,
      `Exit codes: ${command.exits ?? EXIT_CODES}`,
    ].join('\n'),
  );
  child.action(async () => {
    const given = child.opts<Record<string, string | string[] | true | undefined>>();
    const options = Object.fromEntries(
      command.options.map((option) => [option.name, given[camelCase(option.name)]]),
    );
    await runner(command, { args: child.args, options });
  });
}

function exampleText(examples: readonly string[]): string {
  return ['Examples:', ...examples.map((example) => `  ${commandLine(example)}`)].join('\n');
}

function collect(value: string, previous: readonly string[] = []): string[] {
  return [...previous, value];
}

function camelCase(name: string): string {
  return name.replace(/-(\w)/gu, (_all, letter: string) => letter.toUpperCase());
}

function report(error: unknown, output: ReturnType<typeof processOutput>): ExitCode {
  const { code, text, sentence, exit, details } = describe(error);
  if (exit === 0) return 0;
  output.note(text);
  output.json({ error: { code, message: sentence ?? text, ...details } });
  return exit;
}

interface Description {
  readonly code: string;
  readonly text: string;
  readonly exit: ExitCode;
  /** The one sentence alone, where `text` says the place and the hint too. */
  readonly sentence?: string;
  readonly details?: { readonly [key: string]: Json };
}

function describe(error: unknown): Description {
  if (error instanceof UsageError) {
    const { place, hint } = error;
    return {
      code: error.code,
      text: typeable(`error: ${error.describe()}`),
      sentence: error.message,
      exit: 2,
      details: { ...(place && { place: { ...place } }), ...(hint !== undefined && { hint: typeable(hint) }) },
    };
  }
  if (error instanceof ChatError) {
    const { kind: code, message: sentence, hint } = error;
    const text = typeable(`error: ${sentence}${hint === undefined ? '' : ` (${hint})`}`);
    const details = hint === undefined ? {} : { hint: typeable(hint) };
    return { code, text, sentence, exit: chatExit(error), details };
  }
  const { code, exitCode, message } = error as { code?: string; exitCode?: number; message?: string };
  if (code?.startsWith('commander.')) {
    if (exitCode === 0) return { code, text: '', exit: 0 };
    const hint =
      code === 'commander.help'
        ? typeable('name a command, see groundhog --help')
        : withExample((message ?? '').replace(/^error: /u, '').replace('\n', ' '));
    return { code: 'usage', text: `error: ${hint}`, sentence: hint, exit: 2 };
  }
  if (code === 'EPIPE') return { code, text: '', exit: 0 };
  // The disk is full, a folder may not be written: no stack helps with that.
  if (isSystemError(error)) {
    const sentence = message ?? code ?? 'unknown';
    return { code: 'system', text: `error: ${sentence}`, sentence, exit: 3 };
  }
  const kind = error instanceof InvariantError ? 'a bug in Groundhog or a grader' : 'an unexpected failure';
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { code: 'internal', text: `${kind}: ${stack}`, exit: 3 };
}

/** What is missing, with how it is written. */
function withExample(sentence: string): string {
  // One command alone has an argument of this name: a program with its words.
  if (sentence === "missing required argument 'command'") {
    return typeable('give the program to run after --, such as groundhog exec … -- python my_agent.py');
  }
  const [, name, value] = /^option '(--[\w-]+) <(\w+)>' argument missing$/u.exec(sentence) ?? [];
  if (name === undefined || value === undefined) return sentence;
  return `${name} needs a value: ${name} ${EXAMPLES[name] ?? value.toUpperCase()}`;
}

const EXAMPLES: Readonly<Record<string, string>> = {
  '--port': '4747, from 0 (a free one) to 65535',
  '--host': '127.0.0.1',
};

/** An error of the operating system, such as ENOSPC; its message names the call and the path. */
function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && 'errno' in error;
}
