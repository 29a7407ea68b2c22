import { nearestName, UsageError } from '../base/errors.ts';
import type { PlaceOf } from './placed.ts';
import type { ScenarioFile } from './schema.ts';

type Path = readonly PropertyKey[];

/**
 * Checks what a scenario file says about itself: ids that stand for one thing each, milestones that a grader
 * looks at and whose order can be.
 * @throws UsageError with the place of the first part that does not fit the rest.
 */
export function checkConsistency(file: ScenarioFile, place: PlaceOf): void {
  const refuse: Refuse = (path, message, hint) => {
    throw new UsageError('inconsistent', `${path.map(String).join('.')}: ${message}`, {
      place: place(path),
      hint,
    });
  };
  checkIds(file.invariants, { path: ['invariants'], refuse });
  checkIds(file.milestones, { path: ['milestones'], refuse });
  checkIds(file.faults?.rules ?? [], { path: ['faults', 'rules'], refuse });
  checkMilestoneGrader(file, refuse);
  checkMilestoneOrder(file, refuse);
}

type Refuse = (path: Path, message: string, hint: string) => never;

function checkIds(
  list: readonly { readonly id: string }[],
  { path, refuse }: { readonly path: Path; readonly refuse: Refuse },
): void {
  const taken = new Map<string, number>();
  for (const [index, { id }] of list.entries()) {
    const before = taken.get(id);
    if (before !== undefined) {
      refuse([...path, index, 'id'], `${id} is the id of number ${before} already`, 'give each its own id');
    }
    taken.set(id, index);
  }
}

function checkMilestoneGrader({ milestones, graders }: ScenarioFile, refuse: Refuse): void {
  const grader = graders.findIndex(({ kind }) => kind === 'milestones');
  if (milestones.length > 0 && grader < 0) {
    refuse(['milestones'], 'no grader looks at them', 'add {kind: milestones} to the graders');
  }
  if (milestones.length === 0 && grader >= 0) {
    refuse(['graders', grader, 'kind'], 'there are no milestones', 'declare milestones, or leave it out');
  }
}

function checkMilestoneOrder({ milestones }: ScenarioFile, refuse: Refuse): void {
  const known = milestones.map(({ id }) => id);
  const afterOf = new Map(milestones.map(({ id, after = [] }) => [id, after]));
  for (const [index, { id, after = [] }] of milestones.entries()) {
    for (const [at, before] of after.entries()) {
      if (known.includes(before)) continue;
      const near = nearestName(before, known);
      const hint = near ? `did you mean ${near}?` : `known are ${known.join(', ')}`;
      refuse(['milestones', index, 'after', at], `there is no milestone named ${before}`, hint);
    }
    const circle = circleFrom(id, afterOf);
    if (circle) {
      refuse(['milestones', index, 'after'], `${circle.join(' waits for ')}`, 'leave one of them out');
    }
  }
}

/** The way from a milestone back to itself; null when there is none. */
function circleFrom(id: string, afterOf: ReadonlyMap<string, readonly string[]>): string[] | null {
  const seen = new Set<string>();
  const search = (way: readonly string[]): string[] | null => {
    for (const before of afterOf.get(way.at(-1) ?? '') ?? []) {
      if (before === id) return [...way, before];
      if (seen.has(before)) continue;
      seen.add(before);
      const found = search([...way, before]);
      if (found) return found;
    }
    return null;
  };
  return search([id]);
}
