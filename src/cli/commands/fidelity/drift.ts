import { UsageError } from '../../../base/errors.ts';
import type { Json } from '../../../base/json.ts';
import { publishedDescription, serviceNamed } from '../../../catalog/index.ts';
import { type Drift, describedOperations, driftOf, hasDrifted } from '../../../fidelity/index.ts';
import type { Command } from '../../command.ts';
import { textOption } from '../../options.ts';
import { counted } from '../../render/counted.ts';

export const command: Command = {
  summary: 'Say how a newer API description differs from what a service covers.',
  args: [{ name: 'service', description: 'the service' }],
  options: [
    {
      name: 'spec',
      value: 'file',
      description: 'the description: OpenAPI as JSON or YAML, or a table with an operation a line',
    },
    {
      name: 'against',
      value: 'file',
      description: 'an older one, for what was required before (default: the one that is installed, if any)',
    },
  ],
  examples: ['fidelity drift github --spec api.github.com.json'],
  keys: [
    'drifted',
    'operations',
    'added [{operation, at}]',
    'gone [{operation, at, status}]',
    'moved [{operation, from, to}]',
    'renamed [{from, to, at}]',
    'required [{operation, parameter}]',
  ],
  exits: '0 no drift · 1 drift · 2 misuse',
  run: ({ args, options, output }) => {
    const service = serviceNamed(args[0] ?? '');
    const spec = textOption(options, 'spec');
    if (spec === undefined) {
      throw new UsageError('no-description', 'name the API description', { hint: '--spec FILE' });
    }
    const described = describedOperations(spec);
    const older = textOption(options, 'against') ?? publishedDescription(service.name)?.file;
    const drift = driftOf(service, described, older === undefined ? undefined : describedOperations(older));
    for (const line of driftLines(drift)) output.line(line);
    const drifted = hasDrifted(drift);
    if (!drifted) output.line(`No drift: ${counted(described.length, 'operation')} as covered.`);
    output.json({ drifted, operations: described.length, ...drift } as unknown as Json);
    return drifted ? 1 : 0;
  },
};

function driftLines({ added, gone, moved, renamed, required }: Drift): readonly string[] {
  return [
    ...added.map(({ operation, at }) => `new       ${operation}: ${at}`),
    ...gone.map(({ operation, at, status }) => `gone      ${operation}: ${at} (${status})`),
    ...moved.map(({ operation, from, to }) => `moved     ${operation}: ${from} is now ${to}`),
    ...renamed.map(({ from, to, at }) => `renamed   ${from} is now ${to}: ${at}`),
    ...required.map(({ operation, parameter }) => `required  ${operation}: ${parameter} must be given now`),
  ];
}
