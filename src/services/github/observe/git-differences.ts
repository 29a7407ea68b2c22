import { blobOfText, type GitWriter } from '../git/index.ts';
import type { DifferenceFact, GitFacts, TreeFact } from './git-facts.ts';
import { textsOfCounts, textsOfPatches } from './hunks.ts';

/** Where a file stands before and after, in trees of which a part is known. */
interface Ends {
  readonly before: TreeFact | undefined;
  readonly after: TreeFact;
}

/** Writes the files that were shown to differ between commits into their trees. */
export function plantDifferences(facts: GitFacts, store: GitWriter, treeOf: (sha: string) => TreeFact): void {
  for (const [key, { files, hidden }] of facts.differences) {
    const [before = '', after = ''] = key.split(' ');
    if (before !== '') facts.commit(before);
    const ends = { before: before === '' ? undefined : treeOf(before), after: treeOf(after) };
    for (const file of files) plantFile(facts, store, { file, ends });
    for (const file of hidden) plantFile(facts, store, { file, ends });
    const gone = new Set(
      files.flatMap(({ path, previousPath, status }) =>
        status === 'removed' ? [path] : (previousPath ?? []),
      ),
    );
    if (ends.before) level(facts, ends.before, { tree: ends.after, under: '', gone });
  }
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
  if (parsed) return parsed;
  const { before, after } = textsOfCounts(path, additions, deletions);
  if (status === 'added') return { before: '', after: after.slice(after.indexOf('\n') + 1) };
  if (status === 'removed') return { before: before.slice(before.indexOf('\n') + 1), after: '' };
  return { before, after };
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
