import type { Derivation } from '../../../../service/index.ts';
import type { Issue } from '../../schema/issues.ts';

/** What an issue is listed under, besides words and what stands in other tables. */
export const facets = {
  state: (state: string) => state,
  kind: (kind: string) => kind,
  repository: (id: number) => `repository ${id}`,
  author: (id: number | null) => `author ${id}`,
  milestone: (id: number) => `milestone ${id}`,
  anyMilestone: 'milestone',
  locked: 'locked',
} as const;

function* facetsOf(issue: Issue): Generator<string> {
  yield facets.state(issue.state);
  yield facets.kind(issue.kind);
  yield facets.repository(issue.repository_id);
  yield facets.author(issue.user_id);
  if (issue.locked) yield facets.locked;
  if (issue.milestone_id === null) return;
  yield facets.milestone(issue.milestone_id);
  yield facets.anyMilestone;
}

/** The newest first: in this order issues are found where no other is asked for. */
function byAge(one: Issue, other: Issue): number {
  if (one.created_at !== other.created_at) return one.created_at < other.created_at ? 1 : -1;
  return one.number === other.number ? other.id - one.id : other.number - one.number;
}

/** What was computed of all issues, for every world that comes from them. */
interface Base {
  readonly issues: readonly Issue[];
  /** The place of each issue in the list, by its number. */
  readonly places: ReadonlyMap<number, number>;
  readonly facets: ReadonlyMap<string, readonly number[]>;
}

/** Places in the index, in no order and perhaps twice; at most so many. */
export interface Listed {
  readonly most: number;
  readonly places: () => Iterable<number>;
  /** True where everything at the places fits, so that none of it needs a look. */
  readonly exact: boolean;
}

/** One thing that is asked of an issue. */
export interface Condition {
  readonly fits: (issue: Issue) => boolean;
  /** Of the issues that did not change since the index was built, none fits that stands elsewhere. */
  readonly among?: Listed;
  /** True where what fits is not wanted. */
  readonly negated?: boolean;
}

/**
 * All issues and pulls by age, and the places in that order of what is asked for most. The changes of a world
 * stand beside what was computed of the rows that it comes from.
 */
export class IssueIndex {
  readonly #base: Base;
  /** Places of issues that changed or went. */
  readonly #gone: readonly number[];
  /** What is there instead, and what is new; by age. */
  readonly #fresh: readonly Issue[];

  constructor(base: Base, gone: readonly number[] = [], fresh: readonly Issue[] = []) {
    this.#base = base;
    this.#gone = gone;
    this.#fresh = fresh;
  }

  /** What stands under any of these facets. */
  under(facet: readonly string[]): Listed {
    const lists = facet.flatMap((name) => [this.#base.facets.get(name) ?? []]);
    const most = lists.reduce((sum, list) => sum + list.length, 0);
    return { most, places: () => lists.flat(), exact: true };
  }

  /** The places of issues with these numbers. */
  *placesOf(ids: Iterable<number>): Generator<number> {
    for (const id of ids) {
      const place = this.#base.places.get(id);
      if (place !== undefined) yield place;
    }
  }

  /** The index after the issues of these numbers went and others came. */
  with(gone: ReadonlySet<number>, came: readonly Issue[]): IssueIndex {
    const fresh = [...this.#fresh.filter(({ id }) => !gone.has(id)), ...came].sort(byAge);
    return new IssueIndex(this.#base, [...this.#gone, ...this.placesOf(gone)], fresh);
  }

  /** The issues that meet all conditions, the newest first: the shortest list is gone through. */
  withAll(conditions: readonly Condition[]): Issue[] {
    const shortest = conditions.reduce<Condition | null>(shorter, null);
    const passes = passing(conditions);
    const known = shortest?.among?.exact ? conditions.filter((condition) => condition !== shortest) : null;
    const found = this.#among(shortest?.among ?? null).filter(known ? passing(known) : passes);
    const fresh = this.#fresh.filter(passes);
    return fresh.length === 0 ? found : merged(found, fresh);
  }

  /** The issues that did not change and stand in a list, by age; all of them without one. */
  #among(listed: Listed | null): Issue[] {
    const { issues } = this.#base;
    const marks = new Uint8Array(issues.length).fill(listed ? 0 : 1);
    if (listed) for (const place of listed.places()) marks[place] = 1;
    for (const place of this.#gone) marks[place] = 0;
    const found: Issue[] = [];
    for (let place = marks.indexOf(1); place >= 0; place = marks.indexOf(1, place + 1)) {
      const issue = issues[place];
      if (issue) found.push(issue);
    }
    return found;
  }
}

function shorter(best: Condition | null, other: Condition): Condition | null {
  if (!other.among || other.negated) return best;
  return best?.among && best.among.most <= other.among.most ? best : other;
}

function passing(conditions: readonly Condition[]): (issue: Issue) => boolean {
  const tests = conditions.map(testOf);
  return (issue) => {
    for (const test of tests) if (!test(issue)) return false;
    return true;
  };
}

function testOf({ fits, negated }: Condition): (issue: Issue) => boolean {
  return negated ? (issue) => !fits(issue) : fits;
}

/** One list of two that are in order. */
function merged(old: readonly Issue[], fresh: readonly Issue[]): Issue[] {
  const all: Issue[] = [];
  let at = 0;
  for (const issue of old) {
    for (let next = fresh[at]; next && byAge(next, issue) < 0; next = fresh[at]) {
      all.push(next);
      at += 1;
    }
    all.push(issue);
  }
  return [...all, ...fresh.slice(at)];
}

export const issueIndex: Derivation<Issue, IssueIndex> = {
  build(rows) {
    const issues = [...rows].sort(byAge);
    const lists = new Map<string, number[]>();
    for (const [place, issue] of issues.entries()) {
      for (const facet of facetsOf(issue)) {
        const list = lists.get(facet);
        if (list) list.push(place);
        else lists.set(facet, [place]);
      }
    }
    return new IssueIndex({
      issues,
      places: new Map(issues.map(({ id }, place) => [id, place])),
      facets: lists,
    });
  },
  patch: (index, changes) =>
    index.with(
      new Set(changes.flatMap(({ before }) => before?.id ?? [])),
      changes.flatMap(({ after }) => after ?? []),
    ),
};
