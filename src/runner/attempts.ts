import type { RunScenario } from '../store/run-folder.ts';

/** pass@k where the user sees k attempts and takes the best, pass^k where one attempt is all there is. */
export type Lead = 'passAt' | 'passHat';

/** Which figures a page or a table leads with. */
export interface Leads {
  /** One, or both where some scenarios say the one and some the other. */
  readonly figures: readonly Lead[];
  /** Which scenarios say what; null where all say the same. */
  readonly note: string | null;
}

/** The figures to lead with: what the scenarios declare of their users' attempts. */
export function leadsOf(scenarios: readonly Pick<RunScenario, 'id' | 'attempts'>[]): Leads {
  const attempts = new Map(scenarios.map(({ id, attempts: declared = 'one' }) => [id, declared]));
  const many = [...attempts.values()].filter((declared) => declared === 'many').length;
  if (many === 0) return { figures: ['passHat'], note: null };
  if (many === attempts.size) return { figures: ['passAt'], note: null };
  const note =
    `the user gets many attempts in ${many} of ${attempts.size} scenarios, where pass@k counts, ` +
    'and one in the others, where pass^k does';
  return { figures: ['passAt', 'passHat'], note };
}

/** `pass@4` or `pass^4`. */
export function leadName(lead: Lead, k: number | string): string {
  return `${lead === 'passAt' ? 'pass@' : 'pass^'}${k}`;
}
