import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import type { NamedPlan } from '../../faults/index.ts';
import { RunFolder } from '../../store/run-folder.ts';
import type { ChatSettings } from '../agents/index.ts';
import { loadBank } from '../bank.ts';
import { expand } from '../faults/index.ts';
import { type RunProgress, runBank } from '../run.ts';
import { configOf, usualFolder } from '../run-config.ts';
import { WorldCache } from '../worlds.ts';

/**
 * Plays a run again as banks and code are now: same agent, seed and k, into a folder named by its
 * configuration. One that is there and finished is taken as it is.
 * @returns the folder
 * @throws UsageError for a run that does not say how it was asked for.
 */
export async function rerun(
  directory: string,
  onProgress?: (progress: RunProgress) => void,
): Promise<string> {
  const { asked, config } = RunFolder.read(directory, { trajectories: 'trusted' });
  if (asked === null) {
    throw new UsageError('not-asked', `${directory} does not say how it was asked for`, {
      hint: 'run the baseline again yourself, then compare the two',
    });
  }
  const { targets, agent, name, actionTimeoutMs, chat, variants, variantSeed } = asked;
  const family = variants === undefined ? undefined : { variants, variantSeed: variantSeed ?? '1' };
  const loaded = await loadBank(targets, new WorldCache(), family);
  const plans = (config.faults?.plans ?? []) as unknown as readonly NamedPlan[];
  const bank = plans.length === 0 ? loaded : { ...loaded, chosen: expand(loaded.chosen, plans) };
  const request = {
    bank,
    agent,
    agentOptions: {
      ...(name !== undefined && { name }),
      ...(actionTimeoutMs !== undefined && { actionTimeoutMs }),
      ...(chat && { chat: chat as ChatSettings }),
    },
    seed: config.seed,
    k: config.k,
    asked,
  };
  const out = usualFolder((await configOf(request, 'end-to-end')).config);
  if (existsSync(join(out, 'summary.json'))) return out;
  await runBank({ ...request, out, engine: 'threads', ...(onProgress !== undefined && { onProgress }) });
  return out;
}
