import { z } from 'zod';
import { UsageError } from '../../base/errors.ts';
import { invariantSchema } from '../../scenarios/schema.ts';
import { readYaml } from '../../scenarios/yaml.ts';
import type { ComparedCall, Invariant } from '../../scoring/index.ts';
import { type PromptfooAssertion, promptfooFault } from '../../scoring/peers/index.ts';
import { readText } from '../../store/text-files.ts';

const text = z.string().min(1);

const rulesSchema = z.strictObject({
  invariants: z.array(invariantSchema).default([]),
  reference: z
    .strictObject({
      calls: z.array(z.strictObject({ tool: text, arguments: z.record(z.string(), z.json()).default({}) })),
    })
    .optional(),
  freeText: z.record(z.string(), z.array(z.string())).default({}),
  writes: z.array(text).optional(),
  errors: text.optional(),
  outputs: z.array(text).default([]),
  assert: z
    .array(z.strictObject({ type: text, value: z.json().optional(), threshold: z.number().optional() }))
    .default([]),
});

/** What traces are held to. */
export interface TraceRules {
  readonly invariants: readonly Invariant[];
  /** Null when there is none to compare with. */
  readonly reference: readonly ComparedCall[] | null;
  readonly freeText: Readonly<Record<string, readonly string[]>>;
  /** Tools that change something; null when nobody said. */
  readonly writes: ReadonlySet<string> | null;
  /** Results whose text it matches are errors, in formats that have no flag for them. */
  readonly errors: RegExp | null;
  /** Texts that the agent has to say, for the reward of tau-bench. */
  readonly outputs: readonly string[];
  /** Assertions of promptfoo. */
  readonly assertions: readonly PromptfooAssertion[];
}

/** Without a rules file only what needs none is scored. */
export const NO_RULES: TraceRules = {
  invariants: [],
  reference: null,
  freeText: {},
  writes: null,
  errors: null,
  outputs: [],
  assertions: [],
};

/**
 * Reads a rules file: YAML with `invariants` as in scenarios, and what else is known of the task.
 * @throws UsageError with file:line:column.
 */
export function readTraceRules(file: string): TraceRules {
  const { value, place } = readYaml(readText(file), file, rulesSchema);
  const refuse = (path: readonly PropertyKey[], message: string, hint: string): never => {
    throw new UsageError('rules', `${path.map(String).join('.')}: ${message}`, { place: place(path), hint });
  };
  if (Object.keys(value).every((name) => isEmpty(value[name as keyof typeof value]))) {
    throw new UsageError('rules', 'the file asks nothing', {
      place: place([]),
      hint: 'give it invariants, a reference or assertions: see docs/scoring-traces.md',
    });
  }
  const taken = new Map<string, number>();
  for (const [index, rule] of value.invariants.entries()) {
    const before = taken.get(rule.id);
    const path = ['invariants', index];
    if (before !== undefined) {
      refuse([...path, 'id'], `${rule.id} is the id of number ${before} already`, 'give each its own id');
    }
    taken.set(rule.id, index);
    if (rule.kind === 'cardinality' && rule.max === undefined && rule.min === undefined) {
      refuse(path, 'it has neither max nor min, so nothing could break it', 'such as max: 1');
    }
    if (rule.kind === 'grounding' && patternOf(rule.match) === null) {
      refuse([...path, 'match'], 'this is no regular expression', 'it is read with the flags giu');
    }
  }
  for (const [index, assertion] of value.assert.entries()) {
    const fault = promptfooFault(assertion as PromptfooAssertion);
    if (fault !== null) refuse(['assert', index], fault, 'as in a promptfoo configuration');
  }
  const errors = value.errors === undefined ? null : patternOf(value.errors);
  if (value.errors !== undefined && errors === null) {
    refuse(['errors'], 'this is no regular expression', 'it is read with the flag u');
  }
  return {
    invariants: value.invariants as readonly Invariant[],
    reference: value.reference?.calls.map((call) => ({ tool: call.tool, input: call.arguments })) ?? null,
    freeText: value.freeText,
    writes: value.writes === undefined ? null : new Set(value.writes),
    errors,
    outputs: value.outputs,
    assertions: value.assert as readonly PromptfooAssertion[],
  };
}

function isEmpty(value: unknown): boolean {
  if (value === undefined) return true;
  return Array.isArray(value)
    ? value.length === 0
    : typeof value === 'object' && Object.keys(value ?? {}).length === 0;
}

function patternOf(source: string): RegExp | null {
  try {
    return new RegExp(source, 'u');
  } catch {
    return null;
  }
}
