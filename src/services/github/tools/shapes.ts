import { isJsonObject, type Json, type JsonObject } from '../../../service/index.ts';
import { itemsOf, membersOf } from './making.ts';

/** An object without members that say nothing: null, empty, zero, false. */
function told(members: Readonly<Record<string, Json | undefined>>): JsonObject {
  const entries = Object.entries(members).filter(([, value]) => {
    if (Array.isArray(value)) return value.length > 0;
    return value !== undefined && value !== null && value !== '' && value !== 0 && value !== false;
  });
  return Object.fromEntries(entries) as JsonObject;
}

/** A REST object as the server's client keeps it: without null and without empty lists, all the way down. */
export function withoutNulls(value: Json | undefined): Json {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value ?? null)) return value ?? null;
  const entries = Object.entries(value as JsonObject)
    .filter(([, member]) => member !== null && !(Array.isArray(member) && member.length === 0))
    .map(([name, member]) => [name, withoutNulls(member)] as const);
  return Object.fromEntries(entries);
}

function names(value: Json | undefined, member: string): string[] {
  return itemsOf(value).map((item) => String(item[member] ?? ''));
}

/** Somebody, in short; undefined for nobody. */
export function userShape(value: Json | undefined): JsonObject | undefined {
  const { login, id, html_url, avatar_url } = membersOf(value);
  if (login === undefined) return undefined;
  return { login, ...told({ id, profile_url: html_url, avatar_url }) };
}

function reactionsShape(value: Json | undefined): JsonObject | undefined {
  if (!isJsonObject(value ?? null)) return undefined;
  const { url: _address, ...counts } = value as JsonObject;
  const order = ['total_count', '+1', '-1', 'laugh', 'confused', 'heart', 'hooray', 'rocket', 'eyes'];
  return Object.fromEntries(order.map((name) => [name, counts[name] ?? 0]));
}

/** An issue as `issue_read` tells it. */
export function issueShape(issue: JsonObject): JsonObject {
  return {
    number: issue.number ?? 0,
    title: issue.title ?? '',
    ...told({ body: issue.body }),
    state: issue.state ?? '',
    ...told({
      state_reason: issue.state_reason,
      draft: issue.draft,
      locked: issue.locked,
      html_url: issue.html_url,
      user: userShape(issue.user),
      author_association: issue.author_association,
      labels: names(issue.labels, 'name'),
      assignees: names(issue.assignees, 'login'),
      milestone: membersOf(issue.milestone).title,
      comments: issue.comments,
      reactions: reactionsShape(issue.reactions),
      created_at: issue.created_at,
      updated_at: issue.updated_at,
      closed_at: issue.closed_at,
      closed_by: membersOf(issue.closed_by).login,
      issue_type: membersOf(issue.type).name,
    }),
  };
}

export function commentShape(comment: JsonObject): JsonObject {
  return {
    id: comment.id ?? 0,
    ...told({ body: comment.body }),
    html_url: comment.html_url ?? '',
    ...told({
      user: userShape(comment.user),
      author_association: comment.author_association,
      reactions: reactionsShape(comment.reactions),
      created_at: comment.created_at,
      updated_at: comment.updated_at,
    }),
  };
}

function endShape(value: Json | undefined): JsonObject | undefined {
  const { ref, sha, repo } = membersOf(value);
  if (ref === undefined) return undefined;
  const { full_name, description } = membersOf(repo);
  const home = full_name === undefined ? {} : { repo: { full_name, ...told({ description }) } };
  return { ref, sha: sha ?? '', ...home };
}

/** A pull as `pull_request_read` and `list_pull_requests` tell it. */
export function pullShape(pull: JsonObject): JsonObject {
  return {
    number: pull.number ?? 0,
    title: pull.title ?? '',
    ...told({ body: pull.body }),
    state: pull.state ?? '',
    draft: pull.draft ?? false,
    merged: pull.merged ?? false,
    ...told({ mergeable_state: pull.mergeable_state }),
    html_url: pull.html_url ?? '',
    ...told({
      user: userShape(pull.user),
      labels: names(pull.labels, 'name'),
      assignees: names(pull.assignees, 'login'),
      requested_reviewers: names(pull.requested_reviewers, 'login'),
      merged_by: membersOf(pull.merged_by).login,
      head: endShape(pull.head),
      base: endShape(pull.base),
      additions: pull.additions,
      deletions: pull.deletions,
      changed_files: pull.changed_files,
      commits: pull.commits,
      comments: pull.comments,
      created_at: pull.created_at,
      updated_at: pull.updated_at,
      closed_at: pull.closed_at,
      merged_at: pull.merged_at,
      milestone: membersOf(pull.milestone).title,
    }),
  };
}

export function reviewShape(review: JsonObject): JsonObject {
  return {
    id: review.id ?? 0,
    state: review.state ?? '',
    ...told({ body: review.body }),
    html_url: review.html_url ?? '',
    ...told({
      user: userShape(review.user),
      commit_id: review.commit_id,
      submitted_at: review.submitted_at,
      author_association: review.author_association,
    }),
  };
}

function personShape(value: Json | undefined): JsonObject | undefined {
  return isJsonObject(value ?? null) ? told(membersOf(value)) : undefined;
}

/** How much of a commit is told. */
export type Detail = 'none' | 'stats' | 'full_patch';

export function commitShape(commit: JsonObject, detail: Detail = 'none'): JsonObject {
  const { message = '', author, committer } = membersOf(commit.commit);
  const shape = {
    sha: commit.sha ?? '',
    html_url: commit.html_url ?? '',
    commit: { message, ...told({ author: personShape(author), committer: personShape(committer) }) },
    ...told({ author: userShape(commit.author), committer: userShape(commit.committer) }),
  };
  if (detail === 'none') return shape;
  const files = itemsOf(commit.files).map((file) => fileShape(file, detail === 'full_patch'));
  return {
    ...shape,
    ...(isJsonObject(commit.stats ?? null) && { stats: told(commit.stats as JsonObject) }),
    ...told({ files }),
  };
}

export function fileShape(file: JsonObject, withPatch: boolean): JsonObject {
  const { filename = '', status, additions, deletions, changes, patch } = file;
  return { filename, ...told({ status, additions, deletions, changes, ...(withPatch && { patch }) }) };
}

export function releaseShape(release: JsonObject): JsonObject {
  return {
    id: release.id ?? 0,
    tag_name: release.tag_name ?? '',
    ...told({ name: release.name, body: release.body }),
    html_url: release.html_url ?? '',
    ...told({ published_at: release.published_at }),
    prerelease: release.prerelease ?? false,
    draft: release.draft ?? false,
    ...told({ author: userShape(release.author) }),
  };
}

export function repositoryShape(repository: JsonObject): JsonObject {
  return {
    id: repository.id ?? 0,
    name: repository.name ?? '',
    full_name: repository.full_name ?? '',
    ...told({ description: repository.description }),
    html_url: repository.html_url ?? '',
    ...told({ language: repository.language }),
    stargazers_count: repository.stargazers_count ?? 0,
    forks_count: repository.forks_count ?? 0,
    open_issues_count: repository.open_issues_count ?? 0,
    ...told({
      updated_at: repository.updated_at,
      created_at: repository.created_at,
      topics: repository.topics,
    }),
    private: repository.private ?? false,
    fork: repository.fork ?? false,
    archived: repository.archived ?? false,
    ...told({ default_branch: repository.default_branch }),
  };
}

export function checkRunShape(run: JsonObject): JsonObject {
  const { id = 0, name = '', status = '' } = run;
  const { conclusion, html_url, details_url, started_at, completed_at } = run;
  return { id, name, status, ...told({ conclusion, html_url, details_url, started_at, completed_at }) };
}

/** The profile of whom the token belongs to. */
export function profileShape(user: JsonObject): JsonObject {
  return {
    ...userShape(user),
    details: {
      ...told({
        name: user.name,
        company: user.company,
        blog: user.blog,
        location: user.location,
        email: user.email,
        hireable: user.hireable,
        bio: user.bio,
        twitter_username: user.twitter_username,
      }),
      public_repos: user.public_repos ?? 0,
      public_gists: user.public_gists ?? 0,
      followers: user.followers ?? 0,
      following: user.following ?? 0,
      created_at: user.created_at ?? null,
      updated_at: user.updated_at ?? null,
      ...told({
        private_gists: user.private_gists,
        total_private_repos: user.total_private_repos,
        owned_private_repos: user.owned_private_repos,
      }),
    },
  };
}

/** What a change answers: what was made, and where it is. */
export function madeShape({ id, html_url }: JsonObject): JsonObject {
  return { id: String(id ?? ''), url: html_url ?? '' };
}
