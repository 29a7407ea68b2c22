import { momentText } from '../moments.ts';
import type { Writing } from '../operation.ts';
import type { DiscussionCategory } from '../schema/conversations.ts';
import type { Repository } from '../schema/repositories.ts';
import { freshId } from './ids.ts';

type Category = Omit<DiscussionCategory, 'id' | 'repository_id' | 'created_at'>;

function category(name: string, emoji: string, description: string): Category {
  const is_answerable = name === 'Q&A';
  const slug = is_answerable ? 'q-a' : name.toLowerCase().replaceAll(' ', '-');
  return { name, slug, emoji, description, is_answerable };
}

/** The categories that a repository has whose discussions are switched on. */
export const CATEGORIES: readonly Category[] = [
  category('Announcements', ':mega:', 'Updates from maintainers'),
  category('General', ':speech_balloon:', 'Chat about anything and everything here'),
  category('Ideas', ':bulb:', 'Share ideas for new features'),
  category('Polls', ':ballot_box:', 'Take a vote from the community'),
  category('Q&A', ':pray:', 'Ask the community for help'),
  category('Show and tell', ':raised_hands:', "Show off something you've made"),
];

/** Gives a repository the categories of discussions, the first time that these are switched on. */
export function openDiscussions(ctx: Writing, repository: Repository): void {
  const { discussion_categories: rows } = ctx.tx;
  for (const one of CATEGORIES) {
    if (rows.unique('by_slug', [repository.id, one.slug])) continue;
    rows.insert({
      id: freshId(ctx, 'discussion_categories'),
      repository_id: repository.id,
      ...one,
      created_at: momentText(ctx.nowMs),
    });
  }
}
