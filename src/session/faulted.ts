import {
  afterSuccess,
  type DueRule,
  dueRules,
  type FaultProgress,
  type FaultSubject,
  struckBy,
} from '../faults/index.ts';
import type { BodyForm } from '../service/types.ts';
import type { StepRecord } from '../trajectory/index.ts';
import type { RowChange } from '../world/types.ts';
import type { Episode } from './episode.ts';
import { type Executed, type Execution, execute } from './execute.ts';
import { type Additions, type LogEntry, newestStepLine } from './log.ts';
import { type Altered, carryOut, type StrikeResult } from './strike.ts';

/** Where a call stands in its episode. */
export interface Standing {
  readonly head: LogEntry;
  /** The newest entry with so many steps. */
  entryAfter(steps: number): LogEntry;
}

/** A call with whatever the fault plan does to it. */
interface FaultedStep {
  readonly executed: Executed;
  readonly altered: Altered | null;
  readonly extraMs: number;
  readonly trickleMs?: number | undefined;
  readonly form?: BodyForm | undefined;
  readonly fault: StepRecord['fault'] | null;
  readonly progress: FaultProgress;
}

/** Makes a call under the fault plan of its episode. */
export function faulted(
  episode: Episode,
  { head, entryAfter }: Standing,
  call: { readonly execution: Execution; readonly name: string; readonly additions: Additions | null },
): FaultedStep {
  const { execution, name, additions } = call;
  const plan = additions?.faults ?? episode.options.faults;
  const unstruck = (progress: FaultProgress): FaultedStep => {
    const executed = execute(execution);
    const after = executed.outcome === 'ok' ? afterSuccess(plan, progress, name) : progress;
    return { executed, altered: null, extraMs: 0, fault: null, progress: after };
  };
  if (!plan || plan.rules.length === 0) return unstruck(head.faults);
  const subject = subjectOf(execution, name, head.stepCount);
  const met = dueRules(plan, head.faults, subject);
  if (met.due.length === 0) return unstruck(met.progress);
  const result = carryOut(met.due, {
    execution,
    step: head.stepCount,
    tool: name,
    streamSeed: episode.options.streamSeed,
    worldAfter: (steps) => entryAfter(steps).world,
    changesOf: (step) => changesOf(entryAfter(step + 1)),
  });
  const struck = [...(result.by ? [result.by] : []), ...result.also];
  const progress = struck.reduce((so, due) => struckBy(so, due, subject), met.progress);
  const { executed, altered, extraMs, trickleMs, form } = result;
  const succeeded = executed.outcome === 'ok' && !altered?.lost;
  return {
    executed,
    altered,
    extraMs,
    trickleMs,
    form,
    fault: result.by && faultRecord(result.by, result),
    progress: succeeded ? afterSuccess(plan, progress, name) : progress,
  };
}

function faultRecord({ rule, hit }: DueRule, { also, at }: StrikeResult): NonNullable<StepRecord['fault']> {
  const { kind } = rule.effect;
  return {
    rule: rule.id,
    kind,
    label: rule.label,
    hit,
    ...(at !== undefined && at !== '' && { at }),
    ...(also.length > 0 && { also: also.map((due) => due.rule.id) }),
  };
}

function subjectOf(
  { callable, credential, world, input }: Execution,
  tool: string,
  step: number,
): FaultSubject {
  const operations = callable?.tool?.operations ?? (callable?.operation ? [callable.operation.id] : []);
  return { step, tool, operations, input, credential: credential ?? null, world };
}

/** What the newest step of this entry changed. */
function changesOf(entry: LogEntry): readonly RowChange[] {
  const line = newestStepLine(entry);
  return line === null ? [] : (JSON.parse(line) as { readonly diff: readonly RowChange[] }).diff;
}
