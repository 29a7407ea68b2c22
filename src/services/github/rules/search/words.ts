const WHOLE = /[\p{L}\p{N}_-]+/gu;

/**
 * The words of a text as search knows them: in lower case, whole, and in parts where hyphens or underscores
 * join them.
 */
export function wordsOf(text: string): Set<string> {
  const words = new Set<string>();
  for (const [match] of text.toLowerCase().matchAll(WHOLE)) {
    words.add(match);
    if (!/[_-]/u.test(match)) continue;
    for (const part of match.split(/[_-]+/u)) if (part !== '') words.add(part);
  }
  return words;
}
