import { commitAt, createCommit, type TreeChange, writeTree } from '../../git/index.ts';
import { momentText } from '../../moments.ts';
import type { Account } from '../../schema/accounts.ts';
import type { Issue } from '../../schema/issues.ts';
import type { Pull } from '../../schema/pulls.ts';
import type { Repository } from '../../schema/repositories.ts';
import type { Code } from './code.ts';
import { emailOf, type Scene } from './scene.ts';

/** One repository as it is written down, in the order in which things happen. */
export class Story {
  readonly scene: Scene;
  readonly repository: Repository;
  readonly code: Code;
  /** The newest commit of the default branch. */
  head = '';
  readonly labels = new Map<string, number>();
  #number = 1;
  #open = 0;
  readonly #commits = new Map<number, number>();

  constructor(scene: Scene, repository: Repository, code: Code) {
    this.scene = scene;
    this.repository = repository;
    this.code = code;
  }

  /** Writes a commit on top of others; gives its hash. */
  commit(
    parents: readonly string[],
    {
      by,
      message,
      atMs,
      changes,
    }: {
      readonly by: Account;
      readonly message: string;
      readonly atMs: number;
      readonly changes: readonly TreeChange[];
    },
  ): string {
    const { git } = this.scene;
    const [parent] = parents;
    const base = parent === undefined ? undefined : commitAt(git, parent)?.tree;
    const tree = writeTree(git, base ?? null, changes);
    const author = { name: by.name ?? by.login, email: emailOf(by), date: momentText(atMs) };
    return createCommit(git, { tree, parents: [...parents], message, author });
  }

  /** A commit on the default branch. */
  push(step: Parameters<Story['commit']>[1]): string {
    this.head = this.commit(this.head === '' ? [] : [this.head], step);
    this.worked(step.by);
    return this.head;
  }

  /** Somebody has one commit more in the default branch. */
  worked({ id }: Account): void {
    this.#commits.set(id, (this.#commits.get(id) ?? 0) + 1);
  }

  point(ref: string, sha: string): void {
    const { git_refs: refs } = this.scene.tx;
    const key = [this.repository.id, ref];
    if (refs.has(key)) refs.update(key, { sha });
    else refs.insert({ repository_id: this.repository.id, ref, sha });
  }

  /** A row of `issues` with the next number. */
  issue(columns: Pick<Issue, 'kind' | 'title' | 'body' | 'user_id' | 'created_at'> & Partial<Issue>): Issue {
    const { scene, repository } = this;
    const issue = scene.tx.issues.insert({
      id: scene.id('issues'),
      repository_id: repository.id,
      number: this.#number,
      author_association: 'MEMBER',
      state: 'open',
      state_reason: null,
      locked: false,
      active_lock_reason: null,
      milestone_id: null,
      comments: 0,
      closed_by_id: null,
      parent_id: null,
      position: 0,
      type: null,
      updated_at: columns.created_at,
      closed_at: null,
      ...columns,
    });
    this.#number += 1;
    if (issue.state === 'open') this.#open += 1;
    return issue;
  }

  /** The row of `pulls` beside an issue's, for a branch of the repository itself. */
  pull(issue: Issue, columns: Pick<Pull, 'head_ref' | 'head_sha' | 'base_sha'> & Partial<Pull>): Pull {
    const { scene, repository } = this;
    return scene.tx.pulls.insert({
      issue_id: issue.id,
      pull_id: scene.id('pulls'),
      repository_id: repository.id,
      head_repository_id: repository.id,
      head_owner_id: repository.owner_id,
      base_ref: repository.default_branch,
      draft: false,
      maintainer_can_modify: false,
      auto_merge: null,
      merged_at: null,
      merged_by_id: null,
      merge_commit_sha: null,
      mergeable: null,
      tried_ms: 0,
      ...columns,
    });
  }

  /** Puts labels on an issue by name. */
  label(issue: Issue, names: readonly string[]): void {
    for (const name of new Set(names)) {
      const label_id = this.labels.get(name);
      if (label_id !== undefined) this.scene.tx.issue_labels.insert({ issue_id: issue.id, label_id });
    }
  }

  /** Writes what the repository's row counts of all this. */
  end(): void {
    const { scene, repository } = this;
    const { tx } = scene;
    this.point(`refs/heads/${repository.default_branch}`, this.head);
    const pushed_at = commitAt(scene.git, this.head)?.committer.date ?? repository.pushed_at;
    tx.repositories.update(repository.id, { next_number: this.#number, open_issues: this.#open, pushed_at });
    for (const [user_id, contributions] of this.#commits) {
      tx.contributions.insert({ repository_id: repository.id, user_id, contributions });
    }
  }
}
