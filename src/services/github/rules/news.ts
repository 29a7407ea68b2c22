import { isJsonObject, type Json, type JsonObject } from '../../../service/index.ts';
import type { Reading, Writing } from '../operation.ts';
import type { Hook } from '../schema/hooks.ts';
import type { Issue } from '../schema/issues.ts';
import type { Repository } from '../schema/repositories.ts';
import { simpleOrganization, simpleUserOrNull } from '../views/accounts.ts';
import { minimalRepository } from '../views/repositories.ts';
import { deliver } from './hooks.ts';
import { type Change, changesOf, type IssueState, issueState, refChanges } from './news-changes.ts';
import { MADE } from './news-made.ts';
import { refsUnder } from './refs.ts';
import { findRepository } from './repositories.ts';
import { viewerOf } from './viewer.ts';

/** A repository as it is before a request, as far as hooks are told of changes. */
interface Before {
  readonly refs: ReadonlyMap<string, string>;
  /** Of all refs: most requests move none. */
  readonly refsVersion: object;
  readonly issue: IssueState | undefined;
}

/**
 * Does what a request asks for, and tells hooks of it: what was made by the operation's id, what was changed
 * by comparing a repository's refs and the issue in question with what they were.
 */
export function withNews(
  ctx: Writing,
  { id, input }: { readonly id: string; readonly input: Json },
  run: () => Json,
): Json {
  const repository = placeOfInput(ctx, input);
  if (!repository || hooksOf(ctx, repository).length === 0) return run();
  const before: Before = {
    refs: refsOf(ctx, repository),
    refsVersion: ctx.tx.git_refs.version,
    issue: stateOfIssue(ctx, repository, input),
  };
  const output = run();
  const now = ctx.tx.repositories.get(repository.id);
  if (!now || !isJsonObject(input)) return output;
  const made = MADE[id]?.(ctx, { repository: now, input, output }) ?? [];
  const news = [...made, ...differences(ctx, { repository: now, input, before })];
  for (const one of news) tell(ctx, now, one);
  return output;
}

function placeOfInput(ctx: Reading, input: Json): Repository | undefined {
  if (!isJsonObject(input)) return undefined;
  const { owner, repo } = input;
  return typeof owner === 'string' && typeof repo === 'string'
    ? findRepository(ctx, { owner, repo })
    : undefined;
}

function hooksOf({ tx }: Reading, { id, owner_id }: Repository): readonly Hook[] {
  const hooks = [...tx.hooks.by('by_repository', [id]), ...tx.hooks.by('by_org', [owner_id])];
  return hooks.filter(({ active }) => active);
}

function issueIn({ tx }: Reading, { id }: Repository, input: Json): Issue | undefined {
  if (!isJsonObject(input)) return undefined;
  const number = Number(input.issue_number ?? input.pull_number ?? Number.NaN);
  return Number.isSafeInteger(number) ? tx.issues.unique('by_number', [id, number]) : undefined;
}

function stateOfIssue(ctx: Reading, repository: Repository, input: Json): IssueState | undefined {
  const issue = issueIn(ctx, repository, input);
  return issue && issueState(ctx, issue);
}

function refsOf(ctx: Reading, repository: Repository): ReadonlyMap<string, string> {
  return new Map(refsUnder(ctx, repository).map(({ ref, sha }) => [ref, sha]));
}

function differences(
  ctx: Reading,
  {
    repository,
    input,
    before,
  }: { readonly repository: Repository; readonly input: Json; readonly before: Before },
): readonly Change[] {
  const after = before.issue && stateOfIssue(ctx, repository, input);
  const issue = before.issue && after ? changesOf(ctx, { repository, before: before.issue, after }) : [];
  if (ctx.tx.git_refs.version === before.refsVersion) return issue;
  return [...issue, ...refChanges(ctx, { repository, before: before.refs, after: refsOf(ctx, repository) })];
}

/** Tells those who want to know; what is told is put together only for them. */
function tell(ctx: Writing, repository: Repository, { event, action, payload }: Change): void {
  const wanting = hooksOf(ctx, repository).filter(
    ({ events }) => events.includes('*') || events.includes(event),
  );
  if (wanting.length === 0) return;
  const owner = ctx.tx.accounts.get(repository.owner_id);
  const { permissions: _, ...shown } = minimalRepository(ctx, repository);
  const whole = {
    ...payload(),
    repository: shown,
    ...(owner?.type === 'Organization' && { organization: simpleOrganization(owner) }),
    sender: simpleUserOrNull(viewerOf(ctx)),
  };
  for (const hook of wanting) {
    deliver(ctx, hook, {
      event,
      payload: whole as JsonObject,
      repositoryId: repository.id,
      ...(action !== undefined && { action }),
    });
  }
}
