import type { WorldSourceOptions } from '../runner/world-source.ts';
import type { ArgumentSpec, Invocation, OptionSpec } from './command.ts';
import { countOption, textOption } from './options.ts';

/** How every command on worlds names one. */
export const WORLD_SOURCE: ArgumentSpec = {
  name: 'world',
  description: 'SERVICE/SEED (joined by + for several), a *.traj.jsonl, *.sqlite or *.world file',
};

export const WORLD_OPTIONS: readonly OptionSpec[] = [
  {
    name: 'at',
    value: 'n',
    description: 'for a trajectory: the world after its first n steps (default: its end)',
  },
  {
    name: 'services',
    value: 'names',
    description: 'for a world file: the services its rows belong to, by commas',
  },
  { name: 'data', value: 'dir', description: "the user's own files, for a trajectory on a loaded world" },
];

export function worldSourceOptions(options: Invocation['options']): WorldSourceOptions {
  const at = countOption(options, 'at', 0);
  const services = textOption(options, 'services')?.split(',');
  const data = textOption(options, 'data');
  return {
    ...(at !== undefined && { at }),
    ...(services !== undefined && { services }),
    ...(data !== undefined && { data }),
  };
}
