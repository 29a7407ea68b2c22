import { blobAt, listTree } from '../git/index.ts';
import type { Reading } from '../operation.ts';
import type { Repository } from '../schema/repositories.ts';
import { entryOf } from './entries.ts';
import { findCommit, objectsOf, treeOf } from './refs.ts';

/** The languages that count, by the ending of a file's name. */
const ENDINGS: Readonly<Record<string, string>> = {
  c: 'C',
  h: 'C',
  cc: 'C++',
  cpp: 'C++',
  hpp: 'C++',
  cs: 'C#',
  css: 'CSS',
  scss: 'SCSS',
  dart: 'Dart',
  ex: 'Elixir',
  exs: 'Elixir',
  erl: 'Erlang',
  go: 'Go',
  groovy: 'Groovy',
  hs: 'Haskell',
  html: 'HTML',
  java: 'Java',
  js: 'JavaScript',
  cjs: 'JavaScript',
  mjs: 'JavaScript',
  jsx: 'JavaScript',
  kt: 'Kotlin',
  lua: 'Lua',
  mk: 'Makefile',
  php: 'PHP',
  pl: 'Perl',
  ps1: 'PowerShell',
  py: 'Python',
  r: 'R',
  rb: 'Ruby',
  rs: 'Rust',
  scala: 'Scala',
  sh: 'Shell',
  swift: 'Swift',
  tf: 'HCL',
  ts: 'TypeScript',
  tsx: 'TypeScript',
  vue: 'Vue',
  zig: 'Zig',
};
const NAMES: Readonly<Record<string, string>> = { Dockerfile: 'Dockerfile', Makefile: 'Makefile' };

/** Bytes of code by language, the most first: as they were counted, else as the default branch has them. */
export function languagesOf(ctx: Reading, repository: Repository): [string, number][] {
  const counted = [...ctx.tx.languages.by('by_size', [repository.id], { reverse: true })];
  if (counted.length > 0) return counted.map(({ name, bytes }) => [name, bytes]);
  const reader = objectsOf(ctx);
  const head = findCommit(ctx, repository, repository.default_branch);
  const tree = head === undefined ? undefined : treeOf(reader, head);
  const bytes = new Map<string, number>();
  for (const { path, type, sha } of tree === undefined ? [] : listTree(reader, tree)) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const language =
      entryOf(NAMES, name) ?? entryOf(ENDINGS, name.slice(name.lastIndexOf('.') + 1).toLowerCase());
    if (type !== 'blob' || language === undefined) continue;
    bytes.set(language, (bytes.get(language) ?? 0) + (blobAt(reader, sha)?.size ?? 0));
  }
  return [...bytes].sort(([, one], [, other]) => other - one);
}
