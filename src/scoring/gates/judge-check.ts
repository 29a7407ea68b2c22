import { correctedRate, type Estimate } from '../../stats/index.ts';
import { type JudgeLabel, type JudgeValidation, validateJudges } from '../judge/validate.ts';
import type { GateCheck, JudgedRuns, JudgeRule } from './types.ts';

type Bound = Pick<JudgeRule, 'most' | 'confidence'>;

/** What a judge's verdicts come to: a check where it may decide, a sentence where it may not. */
export interface JudgeOutcome {
  readonly checks: readonly GateCheck[];
  readonly shown: readonly string[];
}

/**
 * Holds the share of faulty runs, corrected for the judge's errors on labelled runs, against the most that
 * the rule allows. A judge that has not shown that it discriminates decides nothing: its figure is shown, and
 * why.
 */
export function judgeChecks(rule: Bound, { labels, verdicts, trials, said }: JudgedRuns): JudgeOutcome {
  const judges = [...new Set(said.map(({ judge }) => judge))];
  if (judges.length === 0) {
    const reason =
      'no judge was asked about this run: `groundhog judge ask RUN --view steps --verdicts FILE`';
    return { checks: [{ check: 'judge', verdict: 'inconclusive', reason }], shown: [] };
  }
  const checks: GateCheck[] = [];
  const shown: string[] = [];
  for (const judge of judges) {
    const flags = new Map(said.filter((one) => one.judge === judge).map(({ id, faulty }) => [id, faulty]));
    const seen = trials.flatMap(({ id, cluster }) => {
      const faulty = flags.get(id);
      return faulty === undefined ? [] : [{ faulty, cluster }];
    });
    const told = `${seen.filter(({ faulty }) => faulty).length} of ${seen.length} runs called faulty`;
    const missing = trials.length - seen.length;
    const open = missing === 0 ? '' : `, ${missing} without a verdict`;
    const validation = validateJudges(
      labels,
      verdicts.filter((one) => one.judge === judge),
    )[0];
    if (!validation) {
      // A misspelt name, or another model: nobody knows what these verdicts are worth.
      const reason = `${told}${open}; it has no verdict on the labelled runs`;
      checks.push({ check: `judge ${judge}`, verdict: 'inconclusive', reason });
      continue;
    }
    if (!validation.gating.allowed) {
      shown.push(`judge ${judge}: ${told}${open}; not decided on: ${validation.gating.reason}`);
      continue;
    }
    checks.push({ check: `judge ${judge}`, ...decided(rule, { seen, labels, validation, told, open }) });
  }
  return { checks, shown };
}

interface Evidence {
  readonly seen: readonly { readonly faulty: boolean; readonly cluster: string }[];
  readonly labels: readonly JudgeLabel[];
  readonly validation: JudgeValidation;
  readonly told: string;
  readonly open: string;
}

function decided(rule: Bound, evidence: Evidence): Pick<GateCheck, 'verdict' | 'reason'> {
  const { seen, told, open } = evidence;
  if (seen.length === 0) return { verdict: 'inconclusive', reason: `${told}${open}` };
  const rate = faultyRate(rule, evidence);
  if (rate.value === null) return { verdict: 'inconclusive', reason: `${told}${open}; ${rate.reason}` };
  const [low, high] = [rate.low ?? 0, rate.high ?? 1];
  const reason =
    `${told}${open}; corrected for its errors ${percent(low)} to ${percent(high)} %, ` +
    `of at most ${percent(rule.most)} %`;
  return { verdict: high <= rule.most ? 'pass' : low > rule.most ? 'fail' : 'inconclusive', reason };
}

/**
 * The interval of the share of faulty runs. What shares a cluster or an instance is one piece of evidence,
 * and each rate is drawn in from its ends (Agresti and Coull; Laplace for the labels), or a judge that
 * flagged none of four runs would have no error at all.
 */
function faultyRate({ confidence }: Bound, { seen, labels, validation }: Evidence): Estimate {
  const flagged = seen.filter(({ faulty }) => faulty).length / seen.length;
  const clusters = new Set(seen.map(({ cluster }) => cluster)).size;
  const drawnIn = (rate: Estimate, faulty: boolean) => {
    const n = new Set(labels.filter((label) => label.faulty === faulty).map(({ instance }) => instance)).size;
    return { n: n + 2, rate: ((rate.value ?? 0) * n + 1) / (n + 2) };
  };
  return correctedRate(
    {
      p: (flagged * clusters + 2) / (clusters + 4),
      n: clusters + 4,
      positives: drawnIn(validation.truePositiveRate, true),
      negatives: drawnIn(validation.trueNegativeRate, false),
    },
    { confidence },
  );
}

const percent = (share: number): string => `${Number((100 * share).toFixed(1))}`;
