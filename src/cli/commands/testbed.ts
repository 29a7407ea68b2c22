import { UsageError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import {
  FORMATS,
  type TestbedFormat,
  type TestbedManifest,
  writeTestbed,
} from '../../runner/testbed/index.ts';
import type { Command, Output } from '../command.ts';
import { countOption, flagOption, textOption } from '../options.ts';
import { counted } from '../render/counted.ts';

const CLEAN = 100;
const FAULTY = 300;

export const command: Command = {
  summary: 'Make labelled runs of a bank: clean ones, and edits of calls or answers at a known step.',
  args: [
    {
      name: 'bank',
      description: 'a bank folder or catalog name, or scenarios of one (BANK/ID)',
      variadic: true,
    },
  ],
  options: [
    { name: 'clean', value: 'n', description: 'clean runs', default: String(CLEAN) },
    { name: 'faulty', value: 'n', description: 'edited runs, each of a clean one', default: String(FAULTY) },
    { name: 'seed', value: 'text', description: 'picks instances, streams and edits', default: '1' },
    { name: 'out', value: 'dir', description: 'the folder of the testbed' },
    {
      name: 'formats',
      value: 'list',
      description: `what to write besides the labels, such as openai,atif (default: ${FORMATS.join(',')})`,
    },
    {
      name: 'threads',
      value: 'n',
      description: 'worker threads (default: the cores); no file depends on it',
    },
    {
      name: 'data',
      value: 'dir',
      description: "the user's own files, for a world that was loaded from them",
    },
    { name: 'fresh', description: 'throw away a testbed that is in that folder' },
  ],
  examples: [
    'testbed helpdesk --out runs/testbed',
    'testbed banks/github --clean 40 --faulty 120 --seed 7 --formats openai --out runs/github-testbed --json',
  ],
  keys: [
    'out',
    'bank {name, version, hash}',
    'behaviour',
    'seed',
    'clean',
    'faulty',
    'instances',
    'kinds {name: {runs, silent, outcomeChanged}}',
    'short {name: count}',
    'leftOut [{scenario, reason}]',
    'files {name: sha256}',
    'digest',
  ],
  exits: '0 written · 1 fewer edits could be made than were asked for · 2 misuse, and nothing is written',
  run: async ({ args, options, output }) => {
    const out = textOption(options, 'out');
    if (out === undefined) {
      throw new UsageError('no-out', 'say where the testbed goes', { hint: 'such as --out runs/testbed' });
    }
    const formats = formatsOf(textOption(options, 'formats'));
    const threads = countOption(options, 'threads', 1);
    const data = textOption(options, 'data');
    const faulty = countOption(options, 'faulty', 0) ?? FAULTY;
    const clean = countOption(options, 'clean', 1) ?? CLEAN;
    const manifest = await writeTestbed({
      targets: args,
      out,
      clean,
      faulty,
      seed: textOption(options, 'seed') ?? '1',
      fresh: flagOption(options, 'fresh'),
      ...(formats && { formats }),
      ...(threads !== undefined && { threads }),
      ...(data !== undefined && { data }),
      onProgress: (done, of) => output.progress(`${done} of ${of} runs`, done >= of),
    });
    say(manifest, { out, asked: { clean, faulty }, output });
    const { format: _format, version: _version, ...rest } = manifest;
    output.json({ out, ...rest } as unknown as Json);
    return manifest.faulty < faulty || manifest.clean < clean ? 1 : 0;
  },
};

/** @throws UsageError for a format that is not written. */
function formatsOf(text: string | undefined): readonly TestbedFormat[] | undefined {
  if (text === undefined) return undefined;
  const names = text.split(',').map((name) => name.trim());
  const formats = FORMATS.filter((format) => names.includes(format));
  const unknown = names.find((name) => !FORMATS.some((format) => format === name));
  if (unknown === undefined) return formats;
  throw new UsageError(
    'bad-option',
    `--formats takes ${FORMATS.join(', ')}, not ${JSON.stringify(unknown)}`,
    {
      hint: 'several are separated by commas',
    },
  );
}

function say(
  manifest: TestbedManifest,
  {
    out,
    asked,
    output,
  }: {
    readonly out: string;
    readonly asked: { readonly clean: number; readonly faulty: number };
    readonly output: Output;
  },
): void {
  const { kinds, clean, faulty, instances, short, leftOut, digest } = manifest;
  const width = Math.max(4, ...Object.keys(kinds).map((kind) => kind.length));
  const row = (name: string, ...cells: readonly (string | number)[]): void =>
    output.line([name.padEnd(width), ...cells.map((cell) => String(cell).padStart(8))].join('  '));
  row('kind', 'runs', 'silent', 'loud', 'outcome');
  for (const [kind, { runs, silent, outcomeChanged }] of Object.entries(kinds)) {
    row(kind, runs, silent, runs - silent, outcomeChanged);
  }
  output.line();
  output.line(`${counted(clean, 'clean run')} of ${counted(instances, 'instance')}, ${faulty} edited.`);
  if (clean < asked.clean || faulty < asked.faulty) {
    output.line(`Asked for ${asked.clean} and ${asked.faulty}: the bank gives no more.`);
  }
  const missing = Object.entries(short).map(([kind, count]) => `${kind} ${count}`);
  if (missing.length > 0) output.line(`Fewer than their share: ${missing.join(', ')}.`);
  if (leftOut.length > 0) output.line(`Left out: ${counted(leftOut.length, 'scenario')} (see testbed.json).`);
  output.line(`Testbed: ${out}, digest ${digest.slice(0, 16)}`);
}
