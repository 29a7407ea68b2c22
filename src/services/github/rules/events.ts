import type { JsonObject } from '../../../service/index.ts';
import { momentText } from '../moments.ts';
import type { Writing } from '../operation.ts';
import type { Repository } from '../schema/repositories.ts';
import { freshId } from './ids.ts';
import { requireViewer } from './viewer.ts';

/** Something that feeds tell of, as GitHub names it: `WatchEvent`, `PushEvent`. */
export interface News {
  readonly type: string;
  readonly repository: Repository;
  readonly payload: JsonObject;
}

/** Tells the feeds of something that the caller did. */
export function recordEvent(ctx: Writing, { type, repository, payload }: News): void {
  const owner = ctx.tx.accounts.get(repository.owner_id);
  ctx.tx.events.insert({
    id: freshId(ctx, 'events'),
    type,
    actor_id: requireViewer(ctx).id,
    repository_id: repository.id,
    org_id: owner?.type === 'Organization' ? owner.id : null,
    payload,
    public: repository.visibility === 'public',
    created_at: momentText(ctx.nowMs),
  });
}
