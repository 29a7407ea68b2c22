import type { DetectKind } from './types.ts';
import { numberOf, type Scalar } from './view.ts';

/** Factors by which a unit is mistaken: cents, minutes, thousands. */
const FACTORS = [100, 1000, 60, 3600];

/** What kind of difference stands between two sightings of one field. */
export function differenceKind(before: Scalar, after: Scalar): DetectKind {
  if (after === null && before !== null) return 'null_field';
  if (before !== null && typeof before !== typeof after) return 'retyped_field';
  const [left, right] = [numberOf(before), numberOf(after)];
  if (left !== null && right !== null) return isUnitSlip(left, right) ? 'unit_error' : 'altered_value';
  return isHourShift(before, after) ? 'unit_error' : 'altered_value';
}

/** True when the two differ by the factor of a unit. */
export function isUnitSlip(left: number, right: number): boolean {
  if (left === 0 || right === 0) return false;
  return FACTORS.some((factor) => close(left * factor, right) || close(right * factor, left));
}

function close(left: number, right: number): boolean {
  return Math.abs(left - right) <= 1e-6 * Math.max(Math.abs(left), Math.abs(right));
}

const MOMENT = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}):(\d{2}):(\d{2}(?:\.\d+)?)/;

/** True for two times of a day or its neighbour that differ by whole hours alone. */
function isHourShift(before: Scalar, after: Scalar): boolean {
  const [left, right] = [MOMENT.exec(String(before)), MOMENT.exec(String(after))];
  if (left === null || right === null || left[3] !== right[3] || left[4] !== right[4]) return false;
  return left[1] === right[1] ? left[2] !== right[2] : left[1]?.slice(0, 8) === right[1]?.slice(0, 8);
}
