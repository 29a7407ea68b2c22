import { diffCommit, type GitCommit, log, secondsOf, totalsOf } from '../git/index.ts';
import type { Reading } from '../operation.ts';
import type { Account } from '../schema/accounts.ts';
import type { Repository } from '../schema/repositories.ts';
import { accountOfEmail } from './commits.ts';
import { findCommit, objectsOf } from './refs.ts';

const DAY_SECONDS = 86_400;
export const WEEK_SECONDS = 7 * DAY_SECONDS;
/** The first Sunday of 1970: weeks begin on Sundays. */
const SUNDAY_SECONDS = 3 * DAY_SECONDS;

/** A commit of the default branch that is no merge, as statistics count it. */
export interface CountedCommit {
  readonly sha: string;
  readonly commit: GitCommit;
  readonly account: Account | null;
  /** When it was written, in seconds. */
  readonly seconds: number;
}

export function countedCommits(ctx: Reading, repository: Repository): CountedCommit[] {
  const head = findCommit(ctx, repository, repository.default_branch);
  if (head === undefined) return [];
  return [...log(objectsOf(ctx), [head])]
    .filter(({ commit }) => commit.parents.length < 2)
    .map(({ sha, commit }) => ({
      sha,
      commit,
      account: accountOfEmail(ctx, commit.author.email),
      seconds: secondsOf(commit.author.date),
    }));
}

/** The Sunday, midnight UTC, on which a week began. */
export function weekOf(seconds: number): number {
  return Math.floor((seconds - SUNDAY_SECONDS) / WEEK_SECONDS) * WEEK_SECONDS + SUNDAY_SECONDS;
}

/** The beginnings of all weeks from the first to the last, both included. */
export function weeksBetween(first: number, last: number): number[] {
  const weeks: number[] = [];
  for (let week = first; week <= last; week += WEEK_SECONDS) weeks.push(week);
  return weeks;
}

/** The beginnings of the 52 weeks that end with this one. */
export function lastYear(nowMs: number): number[] {
  const now = weekOf(Math.floor(nowMs / 1_000));
  return weeksBetween(now - 51 * WEEK_SECONDS, now);
}

/** Lines that a commit adds and deletes. */
export function linesOf(
  ctx: Reading,
  sha: string,
): { readonly additions: number; readonly deletions: number } {
  return totalsOf(diffCommit(objectsOf(ctx), sha));
}

/** Weekday from Sunday and hour of a moment. */
export function hourOf(seconds: number): readonly [number, number] {
  const date = new Date(seconds * 1_000);
  return [date.getUTCDay(), date.getUTCHours()];
}
