import { z } from 'zod';
import { UsageError } from '../../base/errors.ts';
import type { JudgeLabel, JudgeVerdict } from '../../scoring/index.ts';
import { readJsonLines } from '../../store/json-lines.ts';

/** A line of `labels.jsonl` of a testbed. */
const testbedLabel = z
  .object({
    run: z.string(),
    pair: z.string(),
    instance: z.string(),
    kind: z.string().nullable(),
    step: z.int().nullable(),
    silent: z.boolean().nullable(),
    outcomeChanged: z.boolean().nullable(),
  })
  .transform(({ run, pair, instance, kind, step, silent: sameReply, outcomeChanged }): JudgeLabel => {
    const silent = outcomeChanged === null ? null : !outcomeChanged;
    const known = { id: run, faulty: kind !== null, instance, twin: pair, sameReply };
    return { ...known, reply: null, silent, step, kind };
  });

/** A line of `labels.jsonl` of a set of risks. */
const riskLabel = z
  .object({
    id: z.string(),
    risk: z.string().nullable(),
    twin: z.string(),
    instance: z.string(),
    step: z.int().nullable(),
  })
  .transform(
    ({ id, risk, twin, instance, step }): JudgeLabel => ({
      id,
      faulty: risk !== null,
      instance,
      twin,
      reply: null,
      silent: null,
      step,
      kind: risk,
    }),
  );

/** A run of trajectory-judge 0.1: its twin is the clean run of the same instance. */
const trajectoryJudgeRun = z
  .object({
    trajectory_id: z.string(),
    instance_id: z.string(),
    final_answer: z.string().nullable(),
    label: z.object({
      faulty: z.boolean(),
      failure_step: z.int().nullable(),
      failure_type: z.string().nullable(),
      outcome_correct: z.boolean(),
    }),
  })
  .transform(
    ({ trajectory_id, instance_id, final_answer, label }): JudgeLabel => ({
      id: trajectory_id,
      faulty: label.faulty,
      instance: instance_id,
      twin: null,
      reply: final_answer,
      silent: label.faulty ? label.outcome_correct : null,
      step: label.failure_step,
      kind: label.failure_type,
    }),
  );

/** Labels by themselves: at least whether a run is faulty. */
const plainLabel = z
  .object({
    id: z.string(),
    faulty: z.boolean(),
    instance: z.string().optional(),
    twin: z.string().nullable().optional(),
    reply: z.string().nullable().optional(),
    silent: z.boolean().nullable().optional(),
    step: z.int().nullable().optional(),
    kind: z.string().nullable().optional(),
  })
  .transform(
    (label): JudgeLabel => ({
      id: label.id,
      faulty: label.faulty,
      instance: label.instance ?? label.id,
      twin: label.twin ?? null,
      reply: label.reply ?? null,
      silent: label.silent ?? null,
      step: label.step ?? null,
      kind: label.kind ?? null,
    }),
  );

const LABELS = z.union([testbedLabel, riskLabel, trajectoryJudgeRun, plainLabel]);

const verdict = z
  .object({
    id: z.string().optional(),
    run: z.string().optional(),
    trajectory_id: z.string().optional(),
    judge: z.string().optional(),
    judge_id: z.string().optional(),
    faulty: z.boolean(),
    step: z.int().nullable().optional(),
    failure_step: z.int().nullable().optional(),
    kind: z.string().nullable().optional(),
    failure_type: z.string().nullable().optional(),
    confidence: z.number().min(0).max(1).nullable().optional(),
  })
  .transform((one, context): JudgeVerdict => {
    const id = one.id ?? one.run ?? one.trajectory_id;
    if (id === undefined) context.addIssue({ code: 'custom', message: 'names no run: give an id' });
    return {
      id: id ?? '',
      judge: one.judge ?? one.judge_id ?? 'judge',
      faulty: one.faulty,
      step: one.step ?? one.failure_step ?? null,
      kind: one.kind ?? one.failure_type ?? null,
      confidence: one.confidence ?? null,
    };
  });

/**
 * Labels of a testbed, of a set of risks, of trajectory-judge, or plain ones (`{id, faulty, …}` a line).
 * @throws UsageError for a file that is not there and for a line that is no label, with its place
 */
export function readJudgeLabels(file: string): readonly JudgeLabel[] {
  const labels = linesOf(file, LABELS, 'a line is {"id": "r00001", "faulty": true, "instance": "…"}');
  assertOnce(
    file,
    labels.map(({ id }) => id),
  );
  // Where labels name no twin, it is the one clean run of the instance.
  const clean = new Map<string, string[]>();
  for (const { id, faulty, instance } of labels) {
    if (!faulty) clean.set(instance, [...(clean.get(instance) ?? []), id]);
  }
  return labels.map((label) => {
    const candidates = clean.get(label.instance) ?? [];
    const twin = label.twin ?? (label.faulty && candidates.length === 1 ? (candidates[0] ?? null) : null);
    return { ...label, twin };
  });
}

/** @throws UsageError for a file that is not there and for a line that is no verdict, with its place */
export function readJudgeVerdicts(file: string): readonly JudgeVerdict[] {
  const verdicts = linesOf(file, verdict, 'a line is {"id": "r00001", "judge": "…", "faulty": true}');
  assertOnce(
    file,
    verdicts.map(({ id, judge }) => `${id} by ${judge}`),
  );
  return verdicts;
}

function assertOnce(file: string, names: readonly string[]): void {
  const known = new Map<string, number>();
  for (const [index, name] of names.entries()) {
    const first = known.get(name);
    if (first !== undefined) {
      throw new UsageError('twice', `${name} stands on line ${first + 1} already`, {
        place: { file, line: index + 1, column: 1 },
      });
    }
    known.set(name, index);
  }
}

function linesOf<T>(file: string, form: z.ZodType<T>, hint: string): readonly T[] {
  const lines = readJsonLines(file, form, hint);
  if (lines.length === 0) throw new UsageError('empty-file', `${file} is empty`, { hint });
  return lines;
}
