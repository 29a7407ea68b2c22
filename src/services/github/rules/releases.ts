import { commitAt, peelToCommit, utcSeconds } from '../git/index.ts';
import { momentText } from '../moments.ts';
import type { Reading, Writing } from '../operation.ts';
import type { Release } from '../schema/releases.ts';
import type { Repository } from '../schema/repositories.ts';
import { ROLES } from '../schema/repositories.ts';
import { findCommit, moveRef, objectsOf, refNamed } from './refs.ts';
import { roleIn } from './repositories.ts';

/** Releases that the caller may see, the youngest first; drafts are for those who may push. */
export function releasesOf(ctx: Reading, repository: Repository): Release[] {
  const pushes = ROLES.indexOf(roleIn(ctx, repository) ?? 'read') >= 2;
  return [...ctx.tx.releases.by('by_repository', [repository.id], { reverse: true })].filter(
    ({ draft }) => pushes || !draft,
  );
}

/** The release of a number; 404 where there is none that the caller may see. */
export function releaseAt(ctx: Reading, repository: Repository, id: number): Release {
  const release = ctx.tx.releases.get(id);
  if (release?.repository_id !== repository.id) return ctx.fail('not_found');
  const pushes = ROLES.indexOf(roleIn(ctx, repository) ?? 'read') >= 2;
  return release.draft && !pushes ? ctx.fail('not_found') : release;
}

/**
 * The latest release: the one marked as such, else the one of the youngest commit, among full releases that
 * nobody ruled out. Of several marked ones the last published counts.
 */
export function latestOf(ctx: Reading, repository: Repository): Release | undefined {
  const full = releasesOf(ctx, repository).filter(({ draft, prerelease }) => !draft && !prerelease);
  const marked = full.find(({ marked_latest }) => marked_latest);
  if (marked) return marked;
  const open = full.filter(({ never_latest }) => !never_latest);
  return open.reduce<Release | undefined>(
    (best, one) => (best === undefined || moments(one) > moments(best) ? one : best),
    undefined,
  );
}

function moments({ created_at, published_at }: Release): string {
  return `${created_at} ${published_at ?? ''}`;
}

/** Marks a release as the latest, or never to be; one alone can be marked. */
export function markLatest(ctx: Writing, release: Release, wish: string | undefined): Release {
  if (wish === undefined || wish === 'legacy') return release;
  const marked = wish === 'true';
  if (marked) {
    for (const one of [...ctx.tx.releases.by('by_repository', [release.repository_id])]) {
      if (one.marked_latest) ctx.tx.releases.update(one.id, { marked_latest: false });
    }
  }
  return ctx.tx.releases.update(release.id, { marked_latest: marked, never_latest: !marked });
}

/** Publishing a release makes its tag, where there is none yet. */
export function makeTag(ctx: Writing, repository: Repository, release: Release): void {
  const ref = `refs/tags/${release.tag_name}`;
  if (release.draft || refNamed(ctx, repository, ref)) return;
  const sha = findCommit(ctx, repository, release.target_commitish);
  if (sha !== undefined) moveRef(ctx, repository, { ref, sha });
}

/** When the commit was made that a release is of. */
export function commitMoment(
  ctx: Reading,
  repository: Repository,
  { tag, target = tag }: { readonly tag: string; readonly target?: string },
): string {
  const reader = objectsOf(ctx);
  const named = refNamed(ctx, repository, `refs/tags/${tag}`)?.sha ?? findCommit(ctx, repository, target);
  const commit = named === undefined ? undefined : commitAt(reader, peelToCommit(reader, named) ?? '');
  return commit ? utcSeconds(commit.committer.date) : momentText(ctx.nowMs);
}

/** Around words in bold type. */
const BOLD = '*'.repeat(2);

/** The name and text that GitHub proposes for a release: what was merged since another tag. */
export function generatedNotes(
  ctx: Reading,
  repository: Repository,
  {
    web,
    tag,
    previous,
  }: { readonly web: string; readonly tag: string; readonly previous: string | undefined },
): { readonly name: string; readonly body: string } {
  const from =
    previous ??
    releasesOf(ctx, repository).find(({ tag_name, draft }) => !draft && tag_name !== tag)?.tag_name;
  const since = from === undefined ? '' : commitMoment(ctx, repository, { tag: from });
  const merged = [...ctx.tx.pulls.by('by_base', [repository.id])].filter(
    ({ merged_at }) => merged_at !== null && merged_at > since,
  );
  const lines = merged.flatMap(({ issue_id }) => {
    const issue = ctx.tx.issues.get(issue_id);
    const author = issue?.user_id ? ctx.tx.accounts.get(issue.user_id)?.login : undefined;
    return issue ? [`* ${issue.title} by @${author ?? 'ghost'} in ${web}/pull/${issue.number}`] : [];
  });
  const changes = lines.length > 0 ? [`## What's Changed`, ...lines, '', ''] : [];
  const range = from === undefined ? `commits/${tag}` : `compare/${from}...${tag}`;
  return { name: tag, body: [...changes, `${BOLD}Full Changelog${BOLD}: ${web}/${range}`].join('\n') };
}
