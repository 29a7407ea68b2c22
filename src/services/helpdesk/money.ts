/** Currency units for the agent, such as `239.5`: whole cents divided once, so no error adds up. */
export function fromCents(cents: number): number {
  return cents / 100;
}

/** Whole cents of an amount in currency units; undefined when it is not positive or has parts of a cent. */
export function toCents(amount: number): number | undefined {
  const cents = Math.round(amount * 100);
  if (!(cents > 0) || !Number.isSafeInteger(cents)) return undefined;
  // `cents / 100` is the nearest number to the decimal, so equality means that nothing was cut off.
  return cents / 100 === amount ? cents : undefined;
}

/** A share of an amount in whole cents, half a cent rounded up. */
export function shareOf(cents: number, percent: number): number {
  return Math.floor((cents * percent + 50) / 100);
}
