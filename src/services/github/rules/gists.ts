import { digestText, isJsonObject, type Json, type JsonObject, sha1Hex } from '../../../service/index.ts';
import { bytesOfText, splitLines } from '../git/index.ts';
import { diffLines } from '../git/line-diff.ts';
import { momentText } from '../moments.ts';
import type { Reading, Writing } from '../operation.ts';
import type { Account } from '../schema/accounts.ts';
import type { Gist, GistRevision } from '../schema/gists.ts';
import { unfound } from './unfound.ts';
import { requireViewer, viewerOf } from './viewer.ts';

/** Contents by file name. */
export type GistFiles = Readonly<Record<string, string>>;

/** The gist of an id; 404 where there is none. Whoever knows a secret one's id may read it. */
export function gistAt(ctx: Reading, id: string): Gist {
  return ctx.tx.gists.get(id) ?? unfound(ctx);
}

/** The same for a call that changes it, which only its owner may. */
export function ownGist(ctx: Writing, id: string): Gist {
  const gist = gistAt(ctx, id);
  return gist.owner_id === requireViewer(ctx).id ? gist : ctx.fail('not_found');
}

/** A gist's revisions, the newest first. */
export function revisionsOf(ctx: Reading, gist: Gist): readonly GistRevision[] {
  return [...ctx.tx.gist_revisions.by('by_gist', [gist.id], { reverse: true })];
}

export function filesOf(revision: GistRevision | undefined): GistFiles {
  return isJsonObject(revision?.files ?? null) ? (revision?.files as unknown as GistFiles) : {};
}

/** The files that a request wants: changed, renamed, added, or gone where it says null. */
export function changedFiles(ctx: Writing, before: GistFiles, wished: JsonObject): GistFiles {
  const after: Record<string, string> = { ...before };
  for (const [name, change] of Object.entries(wished)) {
    if (change === null || (isJsonObject(change ?? null) && Object.keys(change as JsonObject).length === 0)) {
      if (change === null) delete after[name];
      continue;
    }
    if (!isJsonObject(change ?? null)) continue;
    const { filename, content } = change as JsonObject;
    const text = typeof content === 'string' ? content : after[name];
    if (text === undefined || text === '') return missingContent(ctx);
    delete after[name];
    after[typeof filename === 'string' ? filename : name] = text;
  }
  if (Object.keys(after).length === 0) return missingFiles(ctx);
  return Object.fromEntries(Object.entries(after).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function missingContent(ctx: Writing): never {
  return ctx.fail('validation_failed', {
    errors: [{ resource: 'Gist', code: 'missing_field', field: 'files' }],
  });
}

function missingFiles(ctx: Writing): never {
  return ctx.fail('validation_failed', {
    errors: [{ resource: 'Gist', code: 'missing_field', field: 'files' }],
  });
}

export interface GistWish {
  readonly owner: Account;
  readonly description: string | null;
  readonly public: boolean;
  readonly files: GistFiles;
  readonly parent_id: string | null;
}

export function newGist(ctx: Writing, { owner, files, ...wish }: GistWish): Gist {
  const moment = momentText(ctx.nowMs);
  const id = digestText(`gist ${ctx.nextId('gists')}`).slice(0, 32);
  const gist = ctx.tx.gists.insert({
    id,
    owner_id: owner.id,
    ...wish,
    comments: 0,
    created_at: moment,
    updated_at: moment,
  });
  addRevision(ctx, gist, { files, owner });
  countGist(ctx, gist, 1);
  return gist;
}

/** Keeps a change of files, with the lines that it adds and takes away. */
export function addRevision(
  ctx: Writing,
  gist: Gist,
  { files, owner }: { readonly files: GistFiles; readonly owner: Account },
): void {
  const before = revisionsOf(ctx, gist);
  const old = filesOf(before[0]);
  const changes = changedNames(old, files).flatMap((name) =>
    diffLines(splitLines(old[name] ?? ''), splitLines(files[name] ?? '')),
  );
  const position = before.length;
  ctx.tx.gist_revisions.insert({
    gist_id: gist.id,
    position,
    version: sha1Hex(bytesOfText(`${gist.id}/${position}/${JSON.stringify(files)}`)),
    user_id: owner.id,
    additions: changes.reduce((sum, { newCount }) => sum + newCount, 0),
    deletions: changes.reduce((sum, { oldCount }) => sum + oldCount, 0),
    files: files as Json,
    committed_at: momentText(ctx.nowMs),
  });
}

/** Names whose lines changed; a file that only has another name now is none. */
function changedNames(old: GistFiles, files: GistFiles): readonly string[] {
  const moved = new Set<string>();
  for (const [name, content] of Object.entries(old)) {
    if (name in files) continue;
    const now = Object.keys(files).find(
      (other) => !(other in old) && !moved.has(other) && files[other] === content,
    );
    if (now !== undefined) moved.add(name).add(now);
  }
  return [...new Set([...Object.keys(old), ...Object.keys(files)])].filter((name) => !moved.has(name));
}

/** Keeps the owner's counts of gists. */
export function countGist(ctx: Writing, gist: Gist, by: 1 | -1): void {
  const owner = gist.owner_id === null ? undefined : ctx.tx.accounts.get(gist.owner_id);
  if (!owner) return;
  const column = gist.public ? 'public_gists' : 'private_gists';
  ctx.tx.accounts.update(owner.id, { [column]: Math.max(0, owner[column] + by) });
}

/** The gists that somebody is shown of an account, the latest changed first. */
export function gistsOf(ctx: Reading, owner: Account): readonly Gist[] {
  const own = viewerOf(ctx)?.id === owner.id;
  const all = [...ctx.tx.gists.by('by_owner', [owner.id], { reverse: true })];
  return all.filter((gist) => own || gist.public);
}
