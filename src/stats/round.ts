/** Significant digits of every figure that is written; engines agree on these, not on the last bits. */
const FIGURE_DIGITS = 12;

/**
 * A figure as it is written: 12 significant digits, `-0` as `0`. Transcendental functions differ between
 * engines in the last bits, so nothing unrounded may reach a file.
 * @throws RangeError for a figure that is not finite: an undefined figure is `null` with a reason, never
 *   `NaN`.
 */
export function roundFigure(figure: number): number {
  if (!Number.isFinite(figure)) throw new RangeError(`a figure must be finite, got ${figure}`);
  return Number(figure.toPrecision(FIGURE_DIGITS)) + 0;
}

/** As `roundFigure`; null stays null. */
export function roundOrNull(figure: number | null): number | null {
  return figure === null ? null : roundFigure(figure);
}
