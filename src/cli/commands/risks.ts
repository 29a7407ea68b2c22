import { UsageError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { type RisksManifest, rootOf, writeRisks } from '../../runner/risks/index.ts';
import type { Command, Output } from '../command.ts';
import { countOption, flagOption, textOption } from '../options.ts';
import { counted } from '../render/counted.ts';

const COUNT = 30;

export const command: Command = {
  summary:
    'Make runs of a bank with one of twelve known risks in each, beside benign twins, to try guards on.',
  args: [
    {
      name: 'bank',
      description: 'a bank folder or catalog name, or scenarios of one (BANK/ID)',
      variadic: true,
    },
  ],
  options: [
    { name: 'out', value: 'dir', description: 'the folder of the set' },
    { name: 'count', value: 'n', description: 'records of each risk', default: String(COUNT) },
    { name: 'seed', value: 'text', description: 'picks instances, streams and places', default: '1' },
    {
      name: 'data',
      value: 'dir',
      description: "the user's own files, for a world that was loaded from them",
    },
    { name: 'fresh', description: 'throw away a set that is in that folder' },
  ],
  examples: [
    'risks helpdesk --out runs/risks',
    'risks github --count 10 --seed 7 --out runs/github-risks --json',
  ],
  keys: [
    'out',
    'bank {name, version, hash}',
    'behaviour',
    'seed',
    'records',
    'benign',
    'instances',
    'risks {name: count}',
    'short {name: count}',
    'leftOut [{scenario, reason}]',
    'files {name: sha256}',
    'digest',
  ],
  exits: '0 written · 1 fewer records could be made than were asked for · 2 misuse, and nothing is written',
  run: async ({ args, options, output }) => {
    const out = textOption(options, 'out');
    if (out === undefined) {
      throw new UsageError('no-out', 'say where the set goes', { hint: 'such as --out runs/risks' });
    }
    const data = textOption(options, 'data');
    const manifest = await writeRisks({
      targets: args,
      out,
      count: countOption(options, 'count', 1) ?? COUNT,
      seed: textOption(options, 'seed') ?? '1',
      fresh: flagOption(options, 'fresh'),
      ...(data !== undefined && { data }),
      onProgress: (done, of) => output.progress(`${done} of ${of} records`, done >= of),
    });
    say(manifest, out, output);
    const { format: _format, version: _version, ...rest } = manifest;
    output.json({ out, ...rest } as unknown as Json);
    return Object.keys(manifest.short).length > 0 ? 1 : 0;
  },
};

function say(
  { risks, records, benign, instances, short, leftOut, digest }: RisksManifest,
  out: string,
  output: Output,
): void {
  const width = Math.max(4, ...Object.keys(risks).map((risk) => risk.length));
  output.line(`${'risk'.padEnd(width)}  ${'records'.padStart(7)}  root`);
  for (const [risk, count] of Object.entries(risks)) {
    output.line(`${risk.padEnd(width)}  ${String(count).padStart(7)}  ${rootOf(risk)}`);
  }
  output.line();
  output.line(
    `${counted(records, 'record')} of ${counted(instances, 'instance')}, ${benign} of them benign.`,
  );
  const missing = Object.entries(short).map(([risk, count]) => `${risk} ${count}`);
  if (missing.length > 0) output.line(`The bank gives no more: ${missing.join(', ')} are missing.`);
  if (leftOut.length > 0) output.line(`Left out: ${counted(leftOut.length, 'scenario')} (see risks.json).`);
  output.line(`Risks: ${out}, digest ${digest.slice(0, 16)}`);
}
