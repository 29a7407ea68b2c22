import type { FileFact } from './pull-facts.ts';

/** Recordings cut texts at this length. */
const CUT = 300;

/** The files of a diff as git writes it, or of its beginning. */
export function filesInDiff(diff: string): FileFact[] {
  // The last line of a text that was cut may be half a line.
  const text = diff.length < CUT ? diff : diff.slice(0, Math.max(0, diff.lastIndexOf('\n')));
  return text
    .split(/^diff --git /mu)
    .slice(1)
    .flatMap((section) => fileIn(section));
}

function fileIn(section: string): FileFact[] {
  const [first = '', ...lines] = section.replace(/\n$/u, '').split('\n');
  const path = /^a\/(.+) b\/\1$/u.exec(first)?.[1];
  if (path === undefined) return [];
  const at = lines.findIndex((line) => line.startsWith('@@ '));
  const head = at < 0 ? lines : lines.slice(0, at);
  const [, before, after] = /^index ([0-9a-f]+)\.\.([0-9a-f]+)/mu.exec(head.join('\n')) ?? [];
  const isNew = head.some((line) => line.startsWith('new file mode'));
  const isGone = head.some((line) => line.startsWith('deleted file mode'));
  return [
    {
      path,
      status: isNew ? 'added' : isGone ? 'removed' : 'modified',
      patches: at < 0 ? [] : [lines.slice(at).join('\n')],
      shas: {
        ...(before !== undefined && !isNew && { before }),
        ...(after !== undefined && !isGone && { after }),
      },
    },
  ];
}
