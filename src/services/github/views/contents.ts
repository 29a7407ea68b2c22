import { digestText, type JsonObject } from '../../../service/index.ts';
import { blobAt, type GitReader, type TreeEntry, textAt, wrapBase64 } from '../git/index.ts';
import { encodedPath } from './git.ts';
import type { Place } from './issues.ts';

/** Files above this size are shown without their content. */
const INLINE_BYTES = 1024 * 1024;

/** Where a file or directory stands: in which repository, and by which ref it was asked for. */
export interface ContentPlace {
  readonly place: Place;
  readonly ref: string;
}

/** What every kind of thing at a path shows. */
function frame({ place, ref }: ContentPlace, entry: TreeEntry, type: string): JsonObject {
  const { repository, url, web } = place;
  const path = encodedPath(entry.path);
  const self = `${url}/contents/${path}?ref=${encodeURIComponent(ref.toWellFormed())}`;
  const isDirectory = entry.type === 'tree';
  const isModule = entry.type === 'commit';
  const git = isModule ? null : `${url}/git/${isDirectory ? 'trees' : 'blobs'}/${entry.sha}`;
  const html = isModule ? null : `${web}/${isDirectory ? 'tree' : 'blob'}/${encodedPath(ref)}/${path}`;
  const name = `${web.replace('https://github.com', '')}/${encodedPath(ref)}/${path}`;
  const token =
    repository.visibility === 'public'
      ? ''
      : `?token=${digestText(`${entry.sha}${name}`).toUpperCase().slice(0, 29)}`;
  return {
    name: entry.path.slice(entry.path.lastIndexOf('/') + 1),
    path: entry.path,
    sha: entry.sha,
    size: 0,
    url: self,
    html_url: html,
    git_url: git,
    download_url: isDirectory || isModule ? null : `https://raw.githubusercontent.com${name}${token}`,
    type,
    _links: { self, git, html },
  };
}

/** One entry of a directory; a submodule is a file there. */
export function entryView(reader: GitReader, where: ContentPlace, entry: TreeEntry): JsonObject {
  const type = entry.mode === '120000' ? 'symlink' : entry.type === 'tree' ? 'dir' : 'file';
  return { ...frame(where, entry, type), size: sizeAt(reader, entry) };
}

function sizeAt(reader: GitReader, entry: TreeEntry): number {
  return entry.type === 'blob' ? (blobAt(reader, entry.sha)?.size ?? 0) : 0;
}

/** A file with its content: `shown` is the entry whose content it is, another one behind a symbolic link. */
export function fileContentView(
  reader: GitReader,
  where: ContentPlace,
  { entry, shown = entry }: { readonly entry: TreeEntry; readonly shown?: TreeEntry },
): JsonObject {
  const blob = blobAt(reader, shown.sha);
  const { _links, ...view } = frame(where, entry, 'file');
  const size = blob?.size ?? 0;
  const inline = size <= INLINE_BYTES;
  return {
    ...view,
    size,
    content: inline ? wrapBase64(blob?.base64 ?? '') : '',
    encoding: inline ? 'base64' : 'none',
    _links: _links ?? null,
  };
}

/** A symbolic link that leads out of the repository or to a directory. */
export function symlinkView(reader: GitReader, where: ContentPlace, entry: TreeEntry): JsonObject {
  const { _links, ...view } = frame(where, entry, 'symlink');
  const target = textAt(reader, entry.sha) ?? '';
  return { ...view, size: sizeAt(reader, entry), target, _links: _links ?? null };
}

/** A submodule: the commit of another repository. */
export function submoduleView(where: ContentPlace, entry: TreeEntry, gitUrl: string | null): JsonObject {
  const { _links, ...view } = frame(where, entry, 'submodule');
  return { ...view, submodule_git_url: gitUrl, _links: _links ?? null };
}

/** A directory as one object, with its entries. */
export function directoryView(where: ContentPlace, entry: TreeEntry, entries: JsonObject[]): JsonObject {
  const { _links, ...view } = frame(where, entry, 'dir');
  return { ...view, entries, _links: _links ?? null };
}
