/**
 * How sure a habit is that held in so many tasks: the chance by the rule of succession that it holds in one
 * more. Below 1, so that calibration may ask for more.
 */
export function strengthOf(tasks: number): number {
  return (tasks + 1) / (tasks + 2);
}
