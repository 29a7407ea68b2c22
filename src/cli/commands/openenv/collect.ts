import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../../base/errors.ts';
import type { Json, JsonObject } from '../../../base/json.ts';
import { type CollectRecord, collectRecord } from '../../../gateway/openenv/index.ts';
import { loadTrajectory } from '../../../runner/recorded.ts';
import { servicesOf, WorldCache } from '../../../runner/worlds.ts';
import type { TrialScore } from '../../../scoring/index.ts';
import { RunFolder, writeWhole } from '../../../store/run-folder.ts';
import type { Trajectory } from '../../../trajectory/index.ts';
import type { Command, ExitCode } from '../../command.ts';
import { textOption } from '../../options.ts';
import { RecordedScenarios } from '../../recorded-scenario.ts';
import { counted } from '../../render/counted.ts';

export const command: Command = {
  summary: 'Write episodes as `openenv collect` does: results.jsonl and metadata.json, for fine-tuning.',
  args: [
    {
      name: 'recorded',
      description: '*.traj.jsonl files, and run folders for all of their trials',
      variadic: true,
    },
  ],
  options: [
    { name: 'out', value: 'dir', description: 'where the two files go' },
    {
      name: 'bank',
      value: 'dir',
      description: 'the bank that the scenarios of single files are in (default: those that ship)',
    },
  ],
  examples: [
    'openenv collect runs/mine --out collected',
    'openenv collect runs/exec/refund-88213.0.traj.jsonl --out collected',
  ],
  keys: ['results', 'metadata', 'episodes', 'rewards {one, zero, none}'],
  run: async ({ args, options, output }): Promise<ExitCode> => {
    const out = textOption(options, 'out');
    if (out === undefined)
      throw new UsageError('no-out', 'name the folder to write to', { hint: '--out collected' });
    const results = join(out, 'results.jsonl');
    if (existsSync(results)) {
      throw new UsageError('out-exists', `${results} is there already`, {
        hint: 'name another folder with --out',
      });
    }
    const scenarios = new RecordedScenarios(new WorldCache(), textOption(options, 'bank'));
    const records: CollectRecord[] = [];
    for (const given of args) {
      if (isRun(given)) records.push(...recordsOfRun(given));
      else records.push(await recordOfFile(given, scenarios));
    }
    mkdirSync(out, { recursive: true });
    writeWhole(results, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    const metadata = join(out, 'metadata.json');
    writeWhole(metadata, `${JSON.stringify(metadataOf(args, records), null, 2)}\n`);
    const count = (reward: number | null): number =>
      records.filter((record) => record.reward === reward).length;
    const rewards = { one: count(1), zero: count(0), none: count(null) };
    output.line(
      `${counted(records.length, 'episode')}: reward 1 ${rewards.one}, 0 ${rewards.zero}, none ${rewards.none}`,
    );
    output.line(`Written: ${results}, ${metadata}`);
    output.json({ results, metadata, episodes: records.length, rewards });
    return 0;
  },
};

function isRun(path: string): boolean {
  if (existsSync(join(path, 'run.json'))) return true;
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return false;
  const inside = readdirSync(path)
    .map((name) => join(path, name))
    .flatMap((one) => {
      if (one.endsWith(SUFFIX) || existsSync(join(one, 'run.json'))) return [one];
      const isFolder = statSync(one, { throwIfNoEntry: false })?.isDirectory();
      const holdsFiles = isFolder && readdirSync(one).some((name) => name.endsWith(SUFFIX));
      return holdsFiles ? [join(one, `*${SUFFIX}`)] : [];
    })
    .sort();
  const [first] = inside;
  const more = inside.length > NAMED_MOST ? ` and ${inside.length - NAMED_MOST} more` : '';
  throw new UsageError(
    'no-run',
    first === undefined
      ? `${path} is no run, and holds none`
      : `${path} is no run: it holds ${inside.slice(0, NAMED_MOST).join(', ')}${more}`,
    { hint: `name runs or files: groundhog openenv collect ${first ?? 'runs/mine'} --out collected` },
  );
}

const NAMED_MOST = 5;
const SUFFIX = '.traj.jsonl';

/** Trials with a trajectory; one that broke before it had any is no episode. */
function recordsOfRun(directory: string): CollectRecord[] {
  const folder = RunFolder.read(directory);
  return folder
    .trials()
    .filter(({ trajectory }) => trajectory !== null)
    .map(({ scenario, trial, score }) =>
      recordOf(loadTrajectory(folder.trajectoryPath(scenario, trial)), score),
    );
}

async function recordOfFile(file: string, scenarios: RecordedScenarios): Promise<CollectRecord> {
  const trajectory = loadTrajectory(file);
  return recordOf(trajectory, await scenarios.score(trajectory));
}

function recordOf(trajectory: Trajectory, score: TrialScore | null): CollectRecord {
  const report = score as unknown as JsonObject;
  return collectRecord({
    trajectory,
    verdict: score && { success: score.success, void: score.void, report },
    policy: policyOf(trajectory),
  });
}

/** The rules of all services, as the agent was given them. */
function policyOf({ header }: Trajectory): string {
  return servicesOf(header.world.services)
    .flatMap(({ policy }) => policy ?? [])
    .join('\n\n');
}

function metadataOf(args: readonly string[], records: readonly CollectRecord[]): Json {
  return { env: 'groundhog', source: [...args], num_episodes: records.length, keep_losses: true };
}
