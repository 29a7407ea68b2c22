import type { Seeding } from '../../../service/index.ts';
import { momentText } from '../moments.ts';
import type { GithubSchema } from '../schema.ts';

const DAY_MS = 86_400_000;

/** Two gists, who likes and watches what, and what was told of it. */
export function seedSharing({ tx, nextId }: Seeding<GithubSchema>, epochMs: number): void {
  const known = (login: string): number => tx.accounts.unique('by_login', [login])?.id ?? 0;
  const [mona, hubert, org] = [known('mona'), known('hubert'), known('octo-works')];
  const repository = (name: string): number => tx.repositories.unique('by_name', [org, name])?.id ?? 0;
  const moment = momentText(epochMs - 20 * DAY_MS);
  const gist = (id: string, owner_id: number, text: string): void => {
    tx.gists.insert({
      id,
      owner_id,
      description: 'How warm is warm?',
      public: true,
      comments: owner_id === mona ? 1 : 0,
      parent_id: null,
      created_at: moment,
      updated_at: moment,
    });
    tx.gist_revisions.insert({
      gist_id: id,
      position: 0,
      version: 'b'.repeat(40),
      user_id: owner_id,
      additions: 1,
      deletions: 0,
      files: { 'warmth.md': text },
      committed_at: moment,
    });
  };
  gist('aa5a315d61ae9438b18d0000000000aa', mona, '2700 K is warm.\n');
  gist('bb5a315d61ae9438b18d0000000000bb', hubert, '3000 K is warm enough.\n');
  tx.accounts.update(mona, { public_gists: 1 });
  tx.accounts.update(hubert, { public_gists: 1 });
  tx.gist_comments.insert({
    id: Number(nextId('gist_comments')),
    gist_id: 'aa5a315d61ae9438b18d0000000000aa',
    user_id: mona,
    body: 'Or 3000, at most.',
    created_at: moment,
    updated_at: moment,
  });
  tx.gist_stars.insert({ user_id: mona, gist_id: 'aa5a315d61ae9438b18d0000000000aa' });
  tx.stars.insert({ user_id: mona, repository_id: repository('handbook'), starred_at: moment });
  tx.repositories.update(repository('handbook'), { stargazers: 1, watchers: 1 });
  tx.subscriptions.insert({
    user_id: mona,
    repository_id: repository('lamp'),
    subscribed: true,
    ignored: false,
    created_at: moment,
  });
  tx.events.insert({
    id: Number(nextId('events')),
    type: 'WatchEvent',
    actor_id: mona,
    repository_id: repository('handbook'),
    org_id: org,
    payload: { action: 'started' },
    public: true,
    created_at: moment,
  });
}
