/** A request that the real API would refuse, in one sentence. */
export class ShapeError extends Error {
  override readonly name = 'ShapeError';
}

export type Plain = Readonly<Record<string, unknown>>;

export function need(condition: unknown, message: string): asserts condition {
  if (!condition) throw new ShapeError(message);
}

export function plain(value: unknown, where: string): Plain {
  need(typeof value === 'object' && value !== null && !Array.isArray(value), `${where}: not an object`);
  return value as Plain;
}

export function list(value: unknown, where: string): readonly unknown[] {
  need(Array.isArray(value), `${where}: not a list`);
  return value;
}

export function onlyKnown(value: Plain, known: readonly string[], where: string): void {
  const other = Object.keys(value).find((member) => !known.includes(member));
  need(other === undefined, `${where}${other ?? ''}: Extra inputs are not permitted`);
}

export function wholeNumber(value: unknown, least: number, where: string): void {
  need(Number.isInteger(value) && (value as number) >= least, `${where}: not a whole number from ${least}`);
}

export function between(value: unknown, [low, high]: readonly [number, number], where: string): void {
  need(typeof value === 'number' && value >= low && value <= high, `${where}: not from ${low} to ${high}`);
}

export function nonEmpty(value: unknown, where: string): string {
  need(typeof value === 'string' && value !== '', `${where}: not a text with something in it`);
  return value;
}
