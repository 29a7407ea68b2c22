import { UsageError } from '../base/errors.ts';
import type { Invocation } from './command.ts';

type Options = Invocation['options'];

/** The text of an option; its declared default, or undefined, when it was not given. */
export function textOption(options: Options, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}

/** The texts of an option that may be given several times. */
export function listOption(options: Options, name: string): readonly string[] {
  const value = options[name];
  return Array.isArray(value) ? (value as readonly string[]) : [];
}

export function flagOption(options: Options, name: string): boolean {
  return options[name] === true;
}

/** A whole number from `least` on. @throws UsageError for anything else. */
export function countOption(options: Options, name: string, least: number): number | undefined {
  const text = textOption(options, name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^\d+$/u.test(text) && Number.isSafeInteger(value) && value >= least) return value;
  throw new UsageError(
    'bad-option',
    `--${name} takes a whole number from ${least}, not ${JSON.stringify(text)}`,
  );
}

/** One of the given words. @throws UsageError for anything else. */
export function choiceOption<T extends string>(
  options: Options,
  name: string,
  choices: readonly T[],
): T | undefined {
  const text = textOption(options, name);
  if (text === undefined) return undefined;
  const choice = choices.find((candidate) => candidate === text);
  if (choice) return choice;
  throw new UsageError('bad-option', `--${name} takes ${choices.join(' or ')}, not ${JSON.stringify(text)}`);
}

/** A share between 0 and 1, both excluded, such as the default. @throws UsageError for anything else. */
export function shareOption(options: Options, name: string, usual: number): number {
  const text = textOption(options, name);
  if (text === undefined) return usual;
  const value = Number(text);
  if (text.trim() !== '' && value > 0 && value < 1) return value;
  throw new UsageError('bad-option', `--${name} takes a share between 0 and 1, not ${JSON.stringify(text)}`, {
    hint: `such as --${name} ${usual}`,
  });
}

/** A number from 0 on, up to `most`. @throws UsageError for anything else. */
export function amountOption(options: Options, name: string, most = Number.MAX_VALUE): number | undefined {
  const text = textOption(options, name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^\d*\.?\d+$/u.test(text) && value <= most) return value;
  const range = most === Number.MAX_VALUE ? 'from 0' : `from 0 to ${most}`;
  throw new UsageError('bad-option', `--${name} takes a number ${range}, not ${JSON.stringify(text)}`);
}
