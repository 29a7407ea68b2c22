import type { Command } from './command.ts';

/**
 * Every command by its words; its file is `commands/<words>.ts`. `commands.test.ts` holds this list to the
 * files.
 */
export const COMMANDS: readonly (readonly string[])[] = [
  ['demo'],
  ['run'],
  ['show'],
  ['report'],
  ['compare'],
  ['power'],
  ['flakes'],
  ['resilience'],
  ['label'],
  ['label', 'agree'],
  ['gate'],
  ['gate', 'plan'],
  ['score'],
  ['detect'],
  ['replay'],
  ['diff'],
  ['fork'],
  ['blame'],
  ['shrink'],
  ['testbed'],
  ['risks'],
  ['risks', 'score'],
  ['judge', 'ask'],
  ['judge', 'compare'],
  ['judge', 'validate'],
  ['judge', 'exam'],
  ['exec'],
  ['serve'],
  ['mcp'],
  ['bank', 'list'],
  ['bank', 'show'],
  ['bank', 'lint'],
  ['bank', 'coverage'],
  ['bank', 'lock'],
  ['bank', 'seal'],
  ['bank', 'unseal'],
  ['world', 'hash'],
  ['world', 'export'],
  ['world', 'import'],
  ['openenv', 'shim'],
  ['openenv', 'collect'],
  ['tau', 'replay'],
  ['tau', 'import'],
  ['fidelity'],
  ['fidelity', 'drift'],
];

/** Loads a command's module: only the one that is called, so that start-up stays short. */
export async function loadCommand(words: readonly string[]): Promise<Command> {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const module = (await import(
    new URL(`./commands/${words.join('/')}.${extension}`, import.meta.url).href
  )) as {
    readonly command: Command;
  };
  return module.command;
}
