import type { Service } from '../service/types.ts';
import type { BehaviourRecord } from '../trajectory/index.ts';
import { type Floors, floorsOf } from './floors.ts';
import { type MissGroup, missGroups } from './misses.ts';
import type { PublishedMembers } from './published.ts';
import { replayCorpus } from './replay.ts';
import { counted, type Score, scoreOf } from './score.ts';
import type { CorpusRecord, CorpusScenario, ExchangeResult } from './types.ts';

/** Everything that a replay comes to. */
export interface FidelityReport extends Score {
  readonly service: string;
  /** Which code was measured. */
  readonly behaviour: BehaviourRecord;
  readonly floors: Floors;
  /** (strict − floor) / (1 − floor), the floor being the strict share of the static mock. */
  readonly lift: number | null;
  /** What members were checked against that no recording shows. */
  readonly inventions: string;
  readonly misses: readonly MissGroup[];
}

export interface MeasureOptions {
  readonly service: Service;
  readonly behaviour: BehaviourRecord;
  /** The published description, and what a reader knows it by. */
  readonly published?: { readonly members: PublishedMembers; readonly from: string } | undefined;
  /** Which exchanges are scored; all are played. */
  readonly wanted?: (record: CorpusRecord) => boolean;
  readonly progress?: (done: number, of: number) => void;
}

/** Replays scenarios and scores them beside stand-ins. */
export async function measure(
  scenarios: readonly CorpusScenario[],
  { service, behaviour, published, wanted = () => true, progress }: MeasureOptions,
): Promise<{ readonly report: FidelityReport; readonly results: readonly ExchangeResult[] }> {
  const own: BehaviourRecord = {
    engine: behaviour.engine,
    services: { [service.name]: behaviour.services[service.name] ?? '' },
  };
  const members = published?.members;
  const played = await replayCorpus(scenarios, {
    service,
    behaviour: own,
    published: members,
    ...(progress && { progress }),
  });
  const results = played.filter(({ record }) => wanted(record));
  const score = scoreOf(results);
  const floors = floorsOf(scenarios, wanted);
  const floor = floors.staticMock.strict;
  const strict = score.strict.value;
  const report: FidelityReport = {
    service: service.name,
    behaviour: own,
    ...score,
    floors,
    lift: strict === null || floor >= 1 ? null : (strict - floor) / (1 - floor),
    inventions: published ? `checked against ${published.from}` : 'not checked: no published description',
    misses: missGroups(score.exchanges > 0 ? counted(results) : results),
  };
  return { report, results };
}
