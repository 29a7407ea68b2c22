import { z } from 'zod';
import type { Json } from '../../../service/index.ts';
import { momentText } from '../moments.ts';
import { operation, type Reading } from '../operation.ts';
import { listOf, shown } from '../output.ts';
import { repositoryAt, requireRole } from '../rules/repositories.ts';
import {
  type CountedCommit,
  countedCommits,
  hourOf,
  lastYear,
  linesOf,
  WEEK_SECONDS,
  weekOf,
  weeksBetween,
} from '../rules/statistics.ts';
import type { Repository } from '../schema/repositories.ts';
import { simpleUser } from '../views/accounts.ts';
import { ownerOf } from '../views/repositories.ts';
import { fullName } from '../views/urls.ts';
import { REPOSITORY } from './repositories.ts';

const EXAMPLE = { owner: 'octo-works', repo: 'lamp' };
const input = z.looseObject(REPOSITORY);
const ROWS = z.array(z.array(z.int()));

const codeFrequency = operation({
  id: 'repos/get-code-frequency-stats',
  summary: 'Counts lines added and deleted by week.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/stats/code_frequency' },
  input,
  output: ROWS,
  example: EXAMPLE,
  run(ctx, place) {
    const commits = countedCommits(ctx, repositoryAt(ctx, place));
    return weeksOf(commits).map((week) => {
      const lines = commits.filter((one) => weekOf(one.seconds) === week).map((one) => linesOf(ctx, one.sha));
      const added = lines.reduce((sum, { additions }) => sum + additions, 0);
      return [week, added, -lines.reduce((sum, { deletions }) => sum + deletions, 0)];
    });
  },
});

function weeksOf(commits: readonly CountedCommit[]): number[] {
  const weeks = commits.map(({ seconds }) => weekOf(seconds));
  return weeks.length === 0 ? [] : weeksBetween(Math.min(...weeks), Math.max(...weeks));
}

const commitActivity = operation({
  id: 'repos/get-commit-activity-stats',
  summary: 'Counts the commits of the last year by week and day.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/stats/commit_activity' },
  input,
  output: listOf('week', 'days', 'total'),
  example: EXAMPLE,
  run(ctx, place) {
    const commits = countedCommits(ctx, repositoryAt(ctx, place));
    return lastYear(ctx.nowMs).map((week) => {
      const days = [0, 0, 0, 0, 0, 0, 0];
      for (const { seconds } of commits) {
        const day = weekOf(seconds) === week ? hourOf(seconds)[0] : -1;
        if (day >= 0) days[day] = (days[day] ?? 0) + 1;
      }
      return { total: days.reduce((sum, count) => sum + count, 0), week, days };
    });
  },
});

const contributors = operation({
  id: 'repos/get-contributors-stats',
  summary: 'Counts commits and lines by contributor and week.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/stats/contributors' },
  input,
  output: listOf('total', 'weeks', 'author'),
  example: EXAMPLE,
  run(ctx, place) {
    const commits = countedCommits(ctx, repositoryAt(ctx, place));
    const weeks = weeksOf(commits);
    const accounts = new Map(
      commits.flatMap(({ account }) => (account ? [[account.id, account] as const] : [])),
    );
    return [...accounts.values()]
      .map((account) => {
        const own = commits.filter((one) => one.account?.id === account.id);
        return {
          total: own.length,
          weeks: weeks.map((week) => weekView(ctx, week, own)),
          author: simpleUser(account),
        };
      })
      .sort((one, other) => one.total - other.total);
  },
});

function weekView(ctx: Reading, week: number, commits: readonly CountedCommit[]) {
  const own = commits.filter(({ seconds }) => weekOf(seconds) === week);
  const lines = own.map(({ sha }) => linesOf(ctx, sha));
  const a = lines.reduce((sum, { additions }) => sum + additions, 0);
  const d = lines.reduce((sum, { deletions }) => sum + deletions, 0);
  return { w: week, a, d, c: own.length };
}

const participation = operation({
  id: 'repos/get-participation-stats',
  summary: 'Counts the commits of the last year by week, of all and of the owner.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/stats/participation' },
  input,
  output: shown('all', 'owner'),
  example: EXAMPLE,
  run(ctx, place) {
    const repository = repositoryAt(ctx, place);
    const commits = countedCommits(ctx, repository);
    const counts = (some: readonly CountedCommit[]): number[] =>
      lastYear(ctx.nowMs).map(
        (week) => some.filter(({ seconds }) => seconds >= week && seconds < week + WEEK_SECONDS).length,
      );
    const owned = commits.filter(({ account }) => account?.id === repository.owner_id);
    return { all: counts(commits), owner: counts(owned) };
  },
});

const punchCard = operation({
  id: 'repos/get-punch-card-stats',
  summary: 'Counts commits by weekday and hour.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/stats/punch_card' },
  input,
  output: ROWS,
  example: EXAMPLE,
  run(ctx, place) {
    const commits = countedCommits(ctx, repositoryAt(ctx, place));
    const counts = new Map<number, number>();
    for (const { seconds } of commits) {
      const [day, hour] = hourOf(seconds);
      counts.set(day * 24 + hour, (counts.get(day * 24 + hour) ?? 0) + 1);
    }
    return Array.from({ length: 168 }, (_, at) => [Math.floor(at / 24), at % 24, counts.get(at) ?? 0]);
  },
});

/** Who looks at a repository is shown to those who may push. */
function watched(ctx: Reading, place: { owner: string; repo: string }): Repository {
  const repository = repositoryAt(ctx, place);
  requireRole(ctx, repository, 'write');
  return repository;
}

interface Counted {
  readonly timestamp: string;
  readonly count: number;
  readonly uniques: number;
}

const DAY_MS = 86_400_000;

/** Days by the week that they are in, which begins on its Monday. */
function weekly(days: readonly Counted[]): Counted[] {
  const weeks = new Map<string, Counted>();
  for (const { timestamp, count, uniques } of days) {
    const at = Date.parse(timestamp);
    const monday = momentText(at - ((new Date(at).getUTCDay() + 6) % 7) * DAY_MS);
    const before = weeks.get(monday) ?? { timestamp: monday, count: 0, uniques: 0 };
    weeks.set(monday, { timestamp: monday, count: before.count + count, uniques: before.uniques + uniques });
  }
  return [...weeks.values()];
}

function trafficOperation(kind: 'views' | 'clones') {
  return operation({
    id: `repos/get-${kind}`,
    summary: `Counts the ${kind} of the last fortnight by day or week.`,
    effect: 'read',
    http: { method: 'GET', path: `/repos/{owner}/{repo}/traffic/${kind}` },
    input: z.looseObject({ ...REPOSITORY, per: z.enum(['day', 'week']).optional() }),
    output: shown('count', 'uniques', kind),
    example: EXAMPLE,
    run(ctx, place) {
      const { id } = watched(ctx, place);
      const all = ctx.tx.traffic.get([id, kind, '']);
      const byDay = [...ctx.tx.traffic.scan({ after: [id, kind, ''] })]
        .filter((row) => row.repository_id === id && row.kind === kind)
        .map(({ timestamp, count, uniques }) => ({ timestamp, count, uniques }));
      const days = place.per === 'week' ? weekly(byDay) : byDay;
      const count = days.reduce((sum, day) => sum + day.count, 0);
      const uniques = all?.uniques ?? days.reduce((most, day) => Math.max(most, day.uniques), 0);
      return { count, uniques, [kind]: days as unknown as Json };
    },
  });
}

const MOST_POPULAR = 10;

const popularPaths = operation({
  id: 'repos/get-top-paths',
  summary: 'Lists the pages of a repository that were looked at most.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/traffic/popular/paths' },
  input,
  output: listOf('path', 'count'),
  example: EXAMPLE,
  run(ctx, place) {
    const repository = watched(ctx, place);
    const name = fullName(ownerOf(ctx, repository), repository);
    return popular(ctx, repository, 'path').map(({ name: path, title, count, uniques }) => ({
      path,
      title: title ?? name,
      count,
      uniques,
    }));
  },
});

function popular(ctx: Reading, { id }: Repository, kind: 'path' | 'referrer') {
  return [...ctx.tx.popular_places.by('by_count', [id, kind], { reverse: true, limit: MOST_POPULAR })];
}

const popularReferrers = operation({
  id: 'repos/get-top-referrers',
  summary: 'Lists where visitors of a repository came from.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/traffic/popular/referrers' },
  input,
  output: listOf('referrer', 'count'),
  example: EXAMPLE,
  run: (ctx, place) =>
    popular(ctx, watched(ctx, place), 'referrer').map(({ name: referrer, count, uniques }) => ({
      referrer,
      count,
      uniques,
    })),
});

export const statisticsOperations = [
  codeFrequency,
  commitActivity,
  contributors,
  participation,
  punchCard,
  trafficOperation('views'),
  trafficOperation('clones'),
  popularPaths,
  popularReferrers,
];
