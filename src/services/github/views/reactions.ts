import type { JsonObject } from '../../../service/index.ts';
import type { Reading } from '../operation.ts';
import type { Reaction, ReactionSubject } from '../schema/issues.ts';
import { simpleUserOrNull } from './accounts.ts';
import { globalId } from './node-ids.ts';

/** What people may react with, in the order in which they are counted. */
export const CONTENTS = ['+1', '-1', 'laugh', 'hooray', 'confused', 'heart', 'rocket', 'eyes'] as const;

const NONE: Readonly<Record<string, number>> = Object.fromEntries(CONTENTS.map((content) => [content, 0]));

/** How often people reacted to a thing, by content; `url` is the thing's own. */
export function reactionSummary(
  { tx }: Reading,
  subject: { readonly kind: ReactionSubject; readonly id: number },
  url: string,
): JsonObject {
  const counts: Record<string, number> = { ...NONE };
  let total_count = 0;
  for (const { content } of tx.reactions.by('by_subject', [subject.kind, subject.id])) {
    counts[content] = (counts[content] ?? 0) + 1;
    total_count += 1;
  }
  return { url: `${url}/reactions`, total_count, ...counts };
}

/** One reaction. */
export function reactionView({ tx }: Reading, reaction: Reaction): JsonObject {
  return {
    id: reaction.id,
    node_id: globalId('REA', [0, reaction.repository_id, reaction.id]),
    user: simpleUserOrNull(tx.accounts.get(reaction.user_id)),
    content: reaction.content,
    created_at: reaction.created_at,
  };
}
