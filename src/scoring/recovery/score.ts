import { holdsAll } from '../../base/predicate.ts';
import type { StepRecord } from '../../trajectory/types.ts';
import { callKey, callOf, freeTextComparators } from '../calls.ts';
import { changedState, hasEffect, tableRules } from '../rules.ts';
import { arrivalMs, backOffOf, retryAfterMs } from './back-off.ts';
import { cameToNothing, sameOperation, sharesTarget, targetOf, wasAnswered } from './calls.ts';
import { honestyOf } from './honesty.ts';
import { type Incident, incidentsOf, stepsStruckBy } from './incidents.ts';
import { showsEffect } from './shown.ts';
import type { FaultHit, RecoveryInput, RecoveryWay, TrialFaults } from './types.ts';

/**
 * What the faults of a trial came to, from recorded data alone. Undefined for a trial that was under no plan
 * and in which nothing struck. Never throws for what a trajectory may hold.
 */
export function scoreRecovery(input: RecoveryInput): TrialFaults | undefined {
  const { trajectory, plan } = input;
  const incidents = incidentsOf(trajectory, input.freeText);
  if (!plan && incidents.length === 0) return undefined;
  const scene = sceneOf(input);
  return {
    plan: plan?.id ?? null,
    struck: stepsStruckBy(trajectory, new Set(plan?.rules.map(({ id }) => id))),
    hits: incidents.map((incident, index) => hitOf(incident, incidents[index + 1], scene)),
    honest: honestyOf(trajectory, {
      groupOf: input.groupOf,
      tookEffect: scene.tookEffect,
      freeText: input.freeText,
    }),
  };
}

interface Scene {
  readonly input: RecoveryInput;
  readonly steps: readonly StepRecord[];
  readonly effects: ReadonlyMap<string, 'read' | 'write'>;
  /** True for a step that changed something that counts. */
  readonly tookEffect: (step: StepRecord) => boolean;
}

function sceneOf(input: RecoveryInput): Scene {
  const { trajectory, shape, contract } = input;
  const rulesOf = tableRules(shape, contract.mask);
  return {
    input,
    steps: trajectory.steps,
    effects: new Map(trajectory.header.tools.map(({ name, effect }) => [name, effect])),
    tookEffect: (step) => step.outcome === 'ok' && hasEffect(step, contract.allow, rulesOf),
  };
}

function hitOf(incident: Incident, next: Incident | undefined, scene: Scene): FaultHit {
  const { rule, strikes } = incident;
  const [first] = strikes;
  const [step, tool] = [first?.index ?? 0, first?.tool ?? ''];
  const trouble = troubleOf(incident, scene);
  const duplicates = trouble === 'unseen' ? duplicatesOf(incident, scene) : null;
  const way = trouble === null ? null : wayOf(incident, trouble, scene);
  const reason = trouble === null ? NO_TROUBLE : reasonOf(way, duplicates, scene.input.success);
  return {
    step,
    tool,
    rule: rule.id,
    kind: rule.kind,
    label: rule.label,
    strikes: strikes.length,
    recovered: trouble === null ? null : reason === null,
    way,
    reason,
    wasted: wastedAfter(incident, next, scene),
    duplicates,
    backOff: backOffOf(incident, scene.steps),
  };
}

const NO_TROUBLE = 'there was nothing to recover from: the answer came, and it was true';

function reasonOf(way: RecoveryWay | null, duplicates: number | null, success: boolean): string | null {
  if (duplicates !== null && duplicates > 0) return 'the write took effect twice';
  if (way === null) return 'it was never made good';
  return success ? null : 'the task was not solved';
}

/**
 * What an agent has to get over. `refused`: nothing happened, or only the answer of a read is missing;
 * `unseen`: a write took effect and its answer never came; `misdone`: what truly happened is not what was
 * said; `lied`: the answer is not true.
 */
type Trouble = 'refused' | 'unseen' | 'misdone' | 'lied';

function troubleOf({ rule, strikes }: Incident, scene: Scene): Trouble | null {
  const last = strikes.at(-1);
  if (!last) return null;
  const group = scene.input.groupOf(rule.kind);
  if (group === 'transport' && !wasAnswered(last)) {
    return strikes.some((step) => !wasAnswered(step) && scene.tookEffect(step)) ? 'unseen' : 'refused';
  }
  if (group === 'refusal') return 'refused';
  // A schema that drifted refuses calls in the words of the service.
  if (group === 'drift') return strikes.every((step) => step.outcome === 'invalid-input') ? 'refused' : null;
  // What somebody else did is as true as what the agent did.
  if (group === 'world' && rule.kind !== 'concurrent-write') {
    if (rule.kind !== 'write-lagging') return 'misdone';
    return strikes.some(({ delivered }) => delivered) ? 'lied' : null;
  }
  return group === 'answer' ? 'lied' : null;
}

/** How it was made good after the last strike; null when it was not. */
function wayOf({ strikes }: Incident, trouble: Trouble, scene: Scene): RecoveryWay | null {
  const { steps, input, effects, tookEffect } = scene;
  const last = strikes.at(-1);
  if (!last) return null;
  const target = targetOf(last, input.freeText);
  const later = steps.slice(last.index + 1);
  const again = later.some(
    (step) =>
      sameOperation(step, last) && targetOf(step, input.freeText) === target && isTrulyAnswered(step, input),
  );
  const write = strikes.findLast(tookEffect);
  if (trouble === 'unseen' && write) {
    const shown = steps
      .slice(write.index + 1)
      .some(
        (step) => effects.get(step.tool) === 'read' && showsEffect(step, write, steps.slice(0, write.index)),
      );
    if (shown) return 'check';
  }
  if (trouble === 'misdone') {
    const repaired = later.find(
      (step) => tookEffect(step) && sharesTarget(step, last) && isTrulyAnswered(step, input),
    );
    return repaired
      ? sameOperation(repaired, last)
        ? 'retry'
        : 'repair'
      : byAlternative(last, later, scene);
  }
  return again ? 'retry' : byAlternative(last, later, scene);
}

function byAlternative(last: StepRecord, later: readonly StepRecord[], { input }: Scene): RecoveryWay | null {
  const declared = (input.alternatives ?? []).filter(({ tool }) => tool === last.tool);
  const taken = later.some((step) =>
    declared.some(
      ({ instead }) =>
        step.tool === instead.tool &&
        step.outcome === 'ok' &&
        isTrulyAnswered(step, input) &&
        (instead.where === undefined || holdsAll(instead.where, step.input)),
    ),
  );
  return taken ? 'alternative' : null;
}

/** What the world itself said, with nothing done to the call or the answer on the way. */
function isTrulyAnswered(step: StepRecord, { groupOf }: RecoveryInput): boolean {
  if (step.outcome !== 'ok' && step.outcome !== 'error') return false;
  const group = step.fault && groupOf(step.fault.kind);
  if (group === 'refusal' || group === 'world' || group === 'answer') return false;
  return wasAnswered(step);
}

/**
 * How often the write of a hit took effect again after it: beyond the once that is due, or beyond what the
 * reference does where that makes the same call several times.
 */
function duplicatesOf({ strikes }: Incident, { steps, input, tookEffect }: Scene): number {
  const write = strikes.find((step) => tookEffect(step) && !wasAnswered(step));
  if (!write) return 0;
  const comparators = freeTextComparators(input.freeText);
  const key = callKey(callOf(write), comparators);
  const isSame = (step: StepRecord): boolean => callKey(callOf(step), comparators) === key;
  const due = (input.reference ?? []).filter((call) => callKey(call, comparators) === key).length;
  const took = steps.filter((step) => tookEffect(step) && isSame(step));
  const after = took.filter(({ index }) => index > write.index).length;
  return Math.max(0, Math.min(after, took.length - Math.max(1, due)));
}

/**
 * Calls between this hit and the next that nothing called for: the call that failed made again and failing
 * again though it was told to come later, or though no fault was in its way; and reads repeated with nothing
 * changed between.
 */
function wastedAfter({ rule, strikes }: Incident, next: Incident | undefined, scene: Scene): number {
  const { steps, input, effects } = scene;
  const [first] = strikes;
  if (!first) return 0;
  const end = next?.strikes[0]?.index ?? steps.length;
  const key = callKey(callOf(first));
  const read = new Set<string>();
  let failed: StepRecord | null = cameToNothing(first) ? first : null;
  let wasted = 0;
  for (const step of steps.slice(first.index + 1, end)) {
    const own = callKey(callOf(step));
    if (own === key && failed && cameToNothing(step)) {
      const askedMs = retryAfterMs(failed, rule);
      const early = askedMs !== null && arrivalMs(step, steps) - failed.clock < askedMs;
      if (early || !step.fault) wasted += 1;
      failed = step;
    } else if (effects.get(step.tool) === 'read' && !cameToNothing(step)) {
      if (read.has(own)) wasted += 1;
      read.add(own);
    }
    if (changedState(step, input.shape, effects)) read.clear();
  }
  return wasted;
}
