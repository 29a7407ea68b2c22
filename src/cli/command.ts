import type { Json } from '../base/json.ts';

/** 0 held, 1 fell short, 2 misuse, 3 infrastructure, 4 inconclusive. */
export type ExitCode = 0 | 1 | 2 | 3 | 4;

/** Where a command writes. With `--json` everything but the one object goes to stderr. */
export interface Output {
  /** A line for people. */
  line(text?: string): void;
  /** A line about what is going on; never part of the result. */
  note(text: string): void;
  /** The result; printed as the last line of stdout with `--json`, ignored without. */
  json(value: Json): void;
  /**
   * Shows how far a long task is: rewrites one line on a terminal, plain lines every few seconds elsewhere.
   */
  progress(text: string, done: boolean): void;
  readonly jsonMode: boolean;
}

/** A flag of a command. Names are `--words`; `value` names the argument of a flag that takes one. */
export interface OptionSpec {
  readonly name: string;
  readonly value?: string;
  readonly description: string;
  readonly default?: string;
  /** May be given several times. */
  readonly repeats?: true;
}

export interface ArgumentSpec {
  readonly name: string;
  readonly description: string;
  readonly optional?: true;
  readonly variadic?: true;
}

/** A command as it is called. Options are texts (or lists of texts, or true); missing ones are undefined. */
export interface Invocation {
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, string | readonly string[] | true | undefined>>;
  readonly output: Output;
}

/** A declared command: the path of its file is its name. */
export interface Command {
  readonly summary: string;
  readonly args: readonly ArgumentSpec[];
  readonly options: readonly OptionSpec[];
  readonly examples: readonly string[];
  /** Keys of its JSON object, at least. */
  readonly keys: readonly string[];
  /** What its exit codes mean, where that is more than the usual. */
  readonly exits?: string;
  readonly run: (invocation: Invocation) => Promise<ExitCode> | ExitCode;
}
