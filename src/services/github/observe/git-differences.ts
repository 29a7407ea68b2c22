import { blobOfText, diffTexts, type GitWriter } from '../git/index.ts';
import type { DifferenceFact, DifferenceListFact, GitFacts, TreeFact } from './git-facts.ts';
import { textsOfCounts, textsOfPatches } from './hunks.ts';

/** Where a file stands before and after, in trees of which a part is known. */
interface Ends {
  readonly before: TreeFact | undefined;
  readonly after: TreeFact;
}

/** Writes the files that were shown to differ between commits into their trees. */
export function plantDifferences(facts: GitFacts, store: GitWriter, treeOf: (sha: string) => TreeFact): void {
  for (const [key, list] of facts.differences) {
    const [before = '', after = ''] = key.split(' ');
    if (before !== '') facts.commit(before);
    const ends = { before: before === '' ? undefined : treeOf(before), after: treeOf(after) };
    const files = filled(list);
    for (const file of files) plantFile(facts, store, { file, ends });
    const gone = new Set(
      files.flatMap(({ path, previousPath, status }) =>
        status === 'removed' ? [path] : (previousPath ?? []),
      ),
    );
    if (ends.before) level(facts, ends.before, { tree: ends.after, under: '', gone });
  }
}

/** All files of a list: those nobody showed stand behind the ones before, and share the lines left. */
function filled({ files, additions, deletions }: DifferenceListFact): DifferenceFact[] {
  const hidden = files.filter((file) => file === null).length;
  const shown = files.filter((file) => file !== null);
  const left = (all: number | undefined, counted: number): number =>
    Math.max(0, (all ?? counted + hidden) - counted);
  const added = left(
    additions,
    shown.reduce((sum, file) => sum + file.additions, 0),
  );
  const deleted = left(
    deletions ?? 0,
    shown.reduce((sum, file) => sum + file.deletions, 0),
  );
  let last = '';
  let isFirst = true;
  return files.map((file, index) => {
    if (file !== null) {
      last = file.path;
      return file;
    }
    const own = isFirst
      ? { additions: Math.max(0, added - hidden + 1), deletions: deleted }
      : { additions: 1, deletions: 0 };
    isFirst = false;
    const path = `${last}~${String(index).padStart(4, '0')}`;
    const status = own.deletions > 0 ? 'modified' : 'added';
    return { path, previousPath: undefined, status, sha: '', patch: undefined, ...own };
  });
}

function plantFile(
  facts: GitFacts,
  store: GitWriter,
  { file, ends }: { file: DifferenceFact; ends: Ends },
): void {
  const { path, previousPath = path, status, sha } = file;
  const texts = textsOf(file);
  const old = store.put(blobOfText(texts.before));
  const place = (told: string, text: string): void => {
    const { base64, size } = blobOfText(text);
    const known = facts.blobs.get(told);
    if (!known || known.base64 === '') facts.blobs.set(told, { base64, size });
  };
  if (status === 'removed') {
    place(sha, texts.before);
    if (ends.before) facts.plant(ends.before, path, { mode: '100644', sha });
    return;
  }
  const told = sha === '' ? store.put(blobOfText(texts.after)) : sha;
  place(told, texts.after);
  if (status !== 'added' && ends.before) {
    const same = status === 'renamed' && file.additions + file.deletions === 0;
    facts.plant(ends.before, previousPath, { mode: '100644', sha: same ? told : old });
  }
  facts.plant(ends.after, path, { mode: '100644', sha: told });
}

function textsOf(file: DifferenceFact): { readonly before: string; readonly after: string } {
  const { path, patch, additions, deletions, status } = file;
  const parsed = patch === undefined ? null : textsOfPatches([patch], path);
  if (parsed) return completed(parsed, file);
  const { before, after } = textsOfCounts(path, additions, deletions);
  if (status === 'added') return { before: '', after: after.slice(after.indexOf('\n') + 1) };
  if (status === 'removed') return { before: before.slice(before.indexOf('\n') + 1), after: '' };
  return { before, after };
}

/** Lines that were counted and not shown stand at the end, behind some that stay. */
function completed(
  texts: { readonly before: string; readonly after: string },
  { path, additions, deletions }: DifferenceFact,
): { readonly before: string; readonly after: string } {
  const { before, after } = texts;
  const counted = diffTexts(before, after, path);
  const [added, deleted] = [additions - counted.additions, deletions - counted.deletions];
  if ((added <= 0 && deleted <= 0) || before === '' || after === '') return texts;
  if (!before.endsWith('\n') || !after.endsWith('\n')) return texts;
  const lines = (word: string, count: number): string =>
    Array.from({ length: Math.max(0, count) }, (_, index) => `${word} ${index + 1} of ${path}\n`).join('');
  const between = lines('unchanged', 8);
  return { before: before + between + lines('gone', deleted), after: after + between + lines('new', added) };
}

/** What the tree before holds and nothing says is gone stands in the tree after as well. */
function level(
  facts: GitFacts,
  before: TreeFact,
  { tree, under, gone }: { tree: TreeFact; under: string; gone: ReadonlySet<string> },
): void {
  if (before === tree) return;
  for (const [name, fact] of before.names) {
    const path = under === '' ? name : `${under}/${name}`;
    const known = tree.names.get(name);
    if (!known && !gone.has(path) && fact.mode !== '040000') tree.names.set(name, fact);
    else if (fact.mode === '040000' && (!known || known.mode === '040000')) {
      const inside = fact.sha === undefined ? fact.inside : facts.trees.get(fact.sha);
      if (!inside) tree.names.set(name, known ?? fact);
      else if (!known && fact.sha !== undefined && ![...gone].some((one) => one.startsWith(`${path}/`))) {
        tree.names.set(name, fact);
      } else level(facts, inside, { tree: facts.directory(tree, name), under: path, gone });
    }
  }
}
