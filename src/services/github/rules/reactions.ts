import type { Writing } from '../operation.ts';
import type { ReactionSubject } from '../schema/issues.ts';

/** Takes the reactions of a thing that goes. */
export function dropReactions({ tx }: Writing, kind: ReactionSubject, id: number): void {
  for (const reaction of [...tx.reactions.by('by_subject', [kind, id])]) tx.reactions.delete(reaction.id);
}
