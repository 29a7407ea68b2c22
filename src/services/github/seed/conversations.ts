import type { Seeding } from '../../../service/index.ts';
import { momentText } from '../moments.ts';
import { CATEGORIES } from '../rules/discussions.ts';
import type { GithubSchema } from '../schema.ts';

const DAY_MS = 86_400_000;

const TYPES = [
  ['Task', 'A specific piece of work', 'yellow'],
  ['Bug', 'An unexpected problem or behavior', 'red'],
  ['Feature', 'A request, idea, or new functionality', 'blue'],
] as const;

/** The kinds of issues that every organisation begins with. */
function seedIssueTypes({ tx, nextId }: Seeding<GithubSchema>, moment: string): void {
  for (const { id: org_id, type } of [...tx.accounts.scan()]) {
    if (type !== 'Organization') continue;
    for (const [name, description, color] of TYPES) {
      tx.issue_types.insert({
        id: Number(nextId('issue_types')),
        org_id,
        name,
        description,
        color,
        is_enabled: true,
        created_at: moment,
        updated_at: moment,
      });
    }
  }
}

/** `handbook` holds discussions: one question, with an answer. */
export function seedConversations(seeding: Seeding<GithubSchema>, epochMs: number): void {
  const { tx, nextId } = seeding;
  seedIssueTypes(seeding, momentText(epochMs - 700 * DAY_MS));
  const handbook = [...tx.repositories.scan()].find(({ name }) => name === 'handbook');
  const [mona, hubert] = [...tx.accounts.scan()];
  if (!handbook || !mona || !hubert) return;
  const moment = momentText(epochMs - 12 * DAY_MS);
  const categories = CATEGORIES.map((one) =>
    tx.discussion_categories.insert({
      id: Number(nextId('discussion_categories')),
      repository_id: handbook.id,
      ...one,
      created_at: moment,
    }),
  );
  const questions = categories.find(({ is_answerable }) => is_answerable);
  if (!questions) return;
  const number = handbook.next_number;
  tx.repositories.update(handbook.id, { has_discussions: true, next_number: number + 1 });
  const discussion = tx.discussions.insert({
    id: Number(nextId('discussions')),
    repository_id: handbook.id,
    category_id: questions.id,
    number,
    title: 'Who waters the plants?',
    body: 'Nobody seems to know.',
    user_id: hubert.id,
    author_association: 'MEMBER',
    state_reason: null,
    answer_id: null,
    answer_chosen_at: null,
    answer_chosen_by_id: null,
    created_at: moment,
    updated_at: moment,
    closed_at: null,
  });
  tx.discussion_comments.insert({
    id: Number(nextId('discussion_comments')),
    discussion_id: discussion.id,
    repository_id: handbook.id,
    reply_to_id: null,
    user_id: mona.id,
    author_association: 'MEMBER',
    body: 'Whoever comes first on Mondays.',
    created_at: moment,
    updated_at: moment,
  });
}
