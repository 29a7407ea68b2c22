import type { Seen } from '../seen.ts';
import type { Finding } from '../types.ts';
import type { RunView } from '../view.ts';
import { contentStems, sentencesOf, stemsOf } from '../words.ts';

/** Stems of words that replies of clean runs use. */
export function learnReplies(views: readonly RunView[]): string[] {
  const stems = new Set<string>();
  for (const { run } of views) for (const word of contentStems(run.reply ?? '')) stems.add(word);
  return [...stems].sort();
}

/** Sentences of the reply most of whose words neither clean replies nor anything in this run has used. */
export function againstReplies(view: RunView, seen: Seen, known: ReadonlySet<string>): Finding[] {
  if (known.size === 0) return [];
  const before = view.replyStep ?? view.calls.length;
  const names = new Set(view.calls.flatMap(({ call }) => stemsOf(call.tool)));
  return sentencesOf(view.run.reply ?? '').flatMap((sentence): Finding[] => {
    const words = [...new Set(contentStems(sentence))];
    const foreign = words.filter(
      (word) => !known.has(word) && !names.has(word) && !seen.hasStem(word, before),
    );
    if (foreign.length < 2) return [];
    const evidence = `"${sentence.slice(0, 70)}" speaks of what neither this run nor a clean reply mentions`;
    return [
      {
        step: view.replyStep,
        kind: 'unsupported_claim',
        rule: 'replies.foreign',
        subject: 'reply',
        evidence,
        strength: foreign.length / (words.length + 1),
      },
    ];
  });
}
