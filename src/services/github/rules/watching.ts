import { momentText } from '../moments.ts';
import type { Writing } from '../operation.ts';
import type { Account } from '../schema/accounts.ts';
import type { Repository } from '../schema/repositories.ts';

/** Keeps how many people watch a repository, before it is written whether somebody does. */
export function countSubscribers(
  { tx }: Writing,
  { id }: Repository,
  { user_id, subscribed }: { readonly user_id: number; readonly subscribed: boolean },
): void {
  const before = tx.subscriptions.get([user_id, id])?.subscribed === true;
  const counted = tx.repositories.get(id);
  if (!counted || before === subscribed) return;
  tx.repositories.update(id, { subscribers: Math.max(0, counted.subscribers + (subscribed ? 1 : -1)) });
}

/** Somebody is told from now on of what happens in a repository. */
export function watch(ctx: Writing, repository: Repository, account: Account): void {
  const { subscriptions } = ctx.tx;
  const key = [account.id, repository.id];
  if (subscriptions.has(key)) return;
  countSubscribers(ctx, repository, { user_id: account.id, subscribed: true });
  subscriptions.insert({
    user_id: account.id,
    repository_id: repository.id,
    subscribed: true,
    ignored: false,
    created_at: momentText(ctx.nowMs),
  });
}
