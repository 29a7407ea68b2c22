/** How much of everything a lived-in world has beyond the small one. */
export interface Plan {
  readonly people: number;
  readonly repositories: number;
  readonly issues: number;
  readonly pulls: number;
  readonly teams: number;
  /** Comments on an issue, at most. */
  readonly commentsMost: number;
}

export const STANDARD: Plan = {
  people: 23,
  repositories: 31,
  issues: 860,
  pulls: 224,
  teams: 5,
  commentsMost: 5,
};

export const LARGE: Plan = {
  people: 298,
  repositories: 391,
  issues: 60_000,
  pulls: 4_000,
  teams: 24,
  commentsMost: 2,
};
