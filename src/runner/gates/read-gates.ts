import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { nearestName, UsageError } from '../../base/errors.ts';
import { readYaml } from '../../scenarios/yaml.ts';
import type { GateProfile, JudgeRule } from '../../scoring/index.ts';
import { readText } from '../../store/text-files.ts';

const share = z.number().gt(0).lt(1);
const confidence = share.default(0.95);
const amount = z.number().nonnegative();
const ids = z.union([z.literal('all'), z.array(z.string()).min(1)]);
const quantiles = z.strictObject({ p50: amount.optional(), p99: amount.optional() });

const differenceRules = {
  harm: z.strictObject({ confidence }).optional(),
  noninferiority: z.strictObject({ margin: share, confidence }).optional(),
};

const profileSchema = z.strictObject({
  falseAlarms: share.default(0.05),
  ...differenceRules,
  stepwise: z.strictObject(differenceRules).optional(),
  scenarios: z.strictObject({ alpha: share }).optional(),
  floors: z
    .array(z.strictObject({ scenario: z.string(), rate: share, confidence }))
    .min(1)
    .optional(),
  invariants: z.strictObject({ newlyBroken: ids.optional(), never: ids.optional() }).optional(),
  budgets: z
    .strictObject({
      steps: quantiles.optional(),
      costPerSuccess: amount.optional(),
      wallClockMs: quantiles.optional(),
      voidShare: z.number().min(0).max(1).optional(),
    })
    .optional(),
});

/** The form of a `gates.yaml`. */
export const gatesSchema = z.strictObject({
  version: z.literal(1),
  judge: z
    .strictObject({
      on: z.string().describe('the profile that asks the judge; the others do not'),
      labels: z.string().describe('labels of known runs, seen from the gates file'),
      verdicts: z.string().describe("the judge's verdicts on these runs"),
      most: z.number().min(0).lt(1).describe('share of faulty runs'),
      confidence,
    })
    .optional(),
  profiles: z.record(z.string(), profileSchema),
});

/**
 * One profile of a gates file.
 * @throws UsageError with file:line:column for a file that is not of the form, a profile that it does not
 *   have, and one that asks nothing.
 */
export function readGate(file: string, name: string): GateProfile {
  const { value, place } = readYaml(readText(file), file, gatesSchema);
  const { judge } = value;
  if (judge !== undefined && !Object.hasOwn(value.profiles, judge.on)) {
    throw new UsageError('unknown-profile', `the judge is asked on ${judge.on}, which is no profile`, {
      place: place(['judge', 'on']),
      hint: `the file has ${Object.keys(value.profiles).join(', ') || 'none'}`,
    });
  }
  const profile = Object.hasOwn(value.profiles, name) ? value.profiles[name] : undefined;
  if (profile === undefined) {
    const known = Object.keys(value.profiles);
    const near = nearestName(name, known);
    throw new UsageError('unknown-profile', `${file} has no profile ${name}`, {
      place: place(['profiles']),
      hint: near ? `did you mean ${near}?` : `it has ${known.join(', ') || 'none'}`,
    });
  }
  const { falseAlarms: _stated, ...rules } = profile;
  const asked = judge?.on === name ? judgeOf(judge, file) : undefined;
  if (asked === undefined && asksNothing(rules)) {
    throw new UsageError(
      'empty-profile',
      `the profile ${name} asks nothing, so it would pass whatever runs`,
      {
        place: place(['profiles', name]),
        hint: 'give it harm, noninferiority, scenarios, floors, invariants or budgets',
      },
    );
  }
  return { ...(profile as Omit<GateProfile, 'judge'>), ...(asked && { judge: asked }) };
}

function judgeOf(
  { labels, verdicts, most, confidence: asked }: NonNullable<z.infer<typeof gatesSchema>['judge']>,
  file: string,
): JudgeRule {
  const [labelled, said] = [labels, verdicts].map((path) => resolve(dirname(file), path));
  return { most, confidence: asked, labels: labelled ?? labels, verdicts: said ?? verdicts };
}

/** Rules without a value in them: `budgets: {steps: {}}` would make a gate without a check. */
function asksNothing(rules: unknown): boolean {
  if (rules === null || typeof rules !== 'object' || Array.isArray(rules)) return rules === undefined;
  return Object.values(rules).every(asksNothing);
}
