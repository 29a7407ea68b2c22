import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { digestText } from '../../base/digest.ts';
import { RISK_NAMES, RISKS, type RiskLabel, type RiskName, type RiskPlace } from '../../scoring/index.ts';
import { openAiMessages, openAiTools } from '../../traces/openai/write.ts';
import { assertFree, type DataManifest, sealed, testbedBank, writeFolder } from '../testbed/index.ts';
import { behaviourOf, WorldCache } from '../worlds.ts';
import { generateRisks, type RiskRun } from './generate.ts';

/** A line of `labels.jsonl`. */
export interface RiskRecordLabel extends RiskLabel {
  readonly bank: string;
  readonly scenario: string;
  readonly trial: number;
  /** What the risk is made of; null for a benign record, like all below. */
  readonly place: RiskPlace | null;
  readonly tool: string | null;
  readonly argument: string | null;
  /** What was put in: the planted words, the invented value, the name that does not exist. */
  readonly evidence: string | null;
  /** What the graders say of this run. */
  readonly success: boolean;
}

/** `risks.json`: what a set of risks is, and what it came to. */
export interface RisksManifest extends DataManifest {
  readonly format: 'groundhog.risks';
  readonly version: 1;
  readonly records: number;
  readonly benign: number;
  readonly risks: Readonly<Record<string, number>>;
}

export interface RisksRequest {
  readonly targets: readonly string[];
  readonly out: string;
  /** Records of each risk. */
  readonly count: number;
  readonly seed: string;
  readonly fresh?: boolean;
  readonly data?: string | undefined;
  readonly onProgress?: (done: number, of: number) => void;
}

export const RISKS_MANIFEST = 'risks.json';
export const RISKS_LABELS = 'labels.jsonl';
const RISKS_RECORDS = 'records.jsonl';
const TRAJECTORIES = 'trajectories';

/**
 * Makes a set of risks and writes it into a folder: `records.jsonl` (what a guard is shown), `labels.jsonl`,
 * `trajectories/` and `risks.json`. The folder is there when all of it is.
 * @throws UsageError for a folder that holds something, an unknown bank or one that no run can be made of
 */
export async function writeRisks(request: RisksRequest): Promise<RisksManifest> {
  const { targets, out, count, seed, fresh = false, data, onProgress } = request;
  assertFree({ out, what: 'a set of risks', manifest: RISKS_MANIFEST, fresh });
  const options = { clean: count, seed, ...(data !== undefined && { data }) };
  const { bank, instances, leftOut } = await testbedBank(targets, new WorldCache(), options);
  const { runs, short } = generateRisks(instances, {
    count,
    seed,
    bank: bank.name,
    ...(onProgress && { onProgress }),
  });
  const labels = runs.map((run) => labelOf(run, bank.name));
  const texts = {
    [RISKS_RECORDS]: runs.map(recordLine).join(''),
    [RISKS_LABELS]: labels.map((label) => `${JSON.stringify(label)}\n`).join(''),
  };
  const digests = runs.map(({ played }) => `${digestText(played.text)}\n`);
  const files = Object.entries({ ...texts, [TRAJECTORIES]: digests.join('') }).map(
    ([name, text]): [string, string] => [name, digestText(text)],
  );
  const services = new Set(instances.flatMap(({ services: list }) => list.map(({ name }) => name)));
  const manifest: RisksManifest = sealed({
    format: 'groundhog.risks',
    version: 1,
    bank: { name: bank.name, version: bank.folder.bank.version, hash: bank.hash },
    behaviour: behaviourOf([...services].sort()),
    seed,
    ...countsOf(labels),
    short: short as Readonly<Record<string, number>>,
    leftOut,
    files: Object.fromEntries(files),
  });
  return await writeFolder(out, (directory) => {
    mkdirSync(join(directory, TRAJECTORIES));
    for (const { id, played } of runs) {
      writeFileSync(join(directory, TRAJECTORIES, `${id}.traj.jsonl`), played.text);
    }
    for (const [name, text] of Object.entries(texts)) writeFileSync(join(directory, name), text);
    writeFileSync(join(directory, RISKS_MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
    return manifest;
  });
}

/** `{id, messages, tools}`: the run as its agent saw it, with the tools as they were shown to it. */
function recordLine({ id, prepared, played }: RiskRun): string {
  const messages = openAiMessages(played.trajectory, prepared.policy);
  return `${JSON.stringify({ id, messages, tools: openAiTools(played.tools) })}\n`;
}

function labelOf({ id, twin, risk, edit, prepared, trial, played }: RiskRun, bank: string): RiskRecordLabel {
  const { scenario } = prepared;
  return {
    id,
    risk,
    step: edit?.step ?? null,
    twin,
    instance: scenario.id,
    bank,
    scenario: scenario.id.split('~')[0] ?? scenario.id,
    trial,
    place: edit?.place ?? null,
    tool: edit?.tool ?? null,
    argument: edit?.argument ?? null,
    evidence: edit?.evidence ?? null,
    success: played.score.success,
  };
}

function countsOf(
  labels: readonly RiskRecordLabel[],
): Pick<RisksManifest, 'records' | 'benign' | 'instances' | 'risks'> {
  const of = (risk: RiskName | null): number => labels.filter((label) => label.risk === risk).length;
  return {
    records: labels.length,
    benign: of(null),
    instances: new Set(labels.map(({ instance }) => instance)).size,
    risks: Object.fromEntries(RISK_NAMES.map((risk) => [risk, of(risk)])),
  };
}

/** The root that each risk comes from, for tables. */
export function rootOf(risk: string): string {
  return (RISKS as Readonly<Record<string, { readonly root: string }>>)[risk]?.root ?? '';
}
