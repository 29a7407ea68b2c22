import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { digestText } from '../../base/digest.ts';
import { atifTrajectory } from '../../traces/atif/write.ts';
import { openAiMessages, openAiTools } from '../../traces/openai/write.ts';
import { offeredTools } from '../offered-tools.ts';
import type { PreparedScenario } from '../prepare.ts';
import { type Block, type BlockOrder, type BlockSetting, makeBlock } from './generate.ts';
import type { TestbedLabel, TestbedRun } from './types.ts';

/** What a testbed can be written as besides its labels. */
export const FORMATS = ['groundhog', 'openai', 'atif'] as const;
export type TestbedFormat = (typeof FORMATS)[number];

/** The folder of trajectories in that of a testbed. */
export const TRAJECTORIES = 'trajectories';

/** What a thread needs besides the order to write a block. */
export interface WriteSetting extends BlockSetting {
  readonly directory: string;
  readonly formats: readonly TestbedFormat[];
}

/** A block whose trajectories are written; its lines go into files that all blocks share. */
export interface WrittenBlock {
  readonly index: number;
  readonly labels: readonly TestbedLabel[];
  readonly openai: Uint8Array;
  readonly atif: Uint8Array;
  /** SHA-256 of each trajectory file, in the order of the labels. */
  readonly digests: readonly string[];
  readonly short: Block['short'];
  readonly unfit: Block['unfit'];
}

const NOTHING = new Uint8Array(0);

/** Makes a block and writes its trajectories. */
export function writeBlock(order: BlockOrder, setting: WriteSetting): WrittenBlock {
  const { runs, short, unfit } = makeBlock(order, setting);
  const { directory, formats } = setting;
  const scenarios = new Map(setting.instances.map((prepared) => [prepared.scenario.id, prepared]));
  const digests = runs.map(({ label, text }) => {
    if (formats.includes('groundhog')) {
      writeFileSync(join(directory, TRAJECTORIES, `${label.run}.traj.jsonl`), text);
    }
    return digestText(text);
  });
  const lines = (format: TestbedFormat, line: (run: TestbedRun) => string): Uint8Array =>
    formats.includes(format) ? new TextEncoder().encode(runs.map(line).join('')) : NOTHING;
  return {
    index: order.index,
    labels: runs.map(({ label }) => label),
    openai: lines('openai', (run) => openAiLine(run, scenarios.get(run.label.instance))),
    atif: lines(
      'atif',
      ({ trajectory, label }) => `${JSON.stringify(atifTrajectory(trajectory, label.run))}\n`,
    ),
    digests,
    short,
    unfit,
  };
}

/** `{id, messages, tools}`: the run as its agent saw it, with the tools that it was offered. */
function openAiLine({ trajectory, label }: TestbedRun, prepared: PreparedScenario | undefined): string {
  const messages = openAiMessages(trajectory, prepared?.policy ?? '');
  const open = JSON.stringify({ id: label.run, messages });
  return `${open.slice(0, -1)},"tools":${prepared ? toolsText(prepared) : '[]'}}\n`;
}

const toolTexts = new WeakMap<PreparedScenario, string>();

function toolsText(prepared: PreparedScenario): string {
  let text = toolTexts.get(prepared);
  if (text === undefined) {
    const { services, scenario } = prepared;
    text = JSON.stringify(openAiTools(offeredTools(services, { names: scenario.tools })));
    toolTexts.set(prepared, text);
  }
  return text;
}
