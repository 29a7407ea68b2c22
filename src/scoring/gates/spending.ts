import { normalCdf, normalQuantile, roundFigure } from '../../stats/index.ts';

/**
 * How much of α each of several looks at growing data may spend: the function of Lan and DeMets (1983) that
 * resembles O'Brien and Fleming's bounds, 2(1 − Φ(z_{α/2}/√t)) up to the share t of the data. Each look is
 * tested at its own part, so that by Bonferroni all of them together err with at most α, however they depend.
 * @returns the parts, one a look, with sum α
 * @throws RangeError unless looks ≥ 1 and 0 < alpha < 1.
 */
export function spendAlpha(looks: number, alpha: number): number[] {
  if (!(Number.isInteger(looks) && looks >= 1 && alpha > 0 && alpha < 1)) {
    throw new RangeError(`needs looks ≥ 1 and 0 < α < 1, got ${looks} and ${alpha}`);
  }
  const z = normalQuantile(1 - alpha / 2);
  const spent = Array.from({ length: looks + 1 }, (_, look) =>
    look === 0 ? 0 : 2 * (1 - normalCdf(z / Math.sqrt(look / looks))),
  );
  return spent.slice(1).map((until, look) => roundFigure(until - (spent[look] ?? 0)));
}
