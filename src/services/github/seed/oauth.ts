import type { Seeding } from '../../../service/index.ts';
import type { GithubSchema } from '../schema.ts';

const DAY_MS = 86_400_000;

/** A device that waits for somebody to enter its code. */
export function seedOauth({ tx }: Seeding<GithubSchema>, epochMs: number): void {
  const app = [...tx.apps.scan()][0];
  if (!app) return;
  tx.oauth_grants.insert({
    code: 'b'.repeat(40),
    kind: 'device',
    app_id: app.id,
    account_id: null,
    denied: false,
    scopes: ['repo'],
    redirect_uri: null,
    user_code: 'BCDF-GHJK',
    // Longer than such codes last: the world may be looked at on any day.
    expires_ms: epochMs + 4_000 * DAY_MS,
    polled_ms: null,
    interval_seconds: 5,
  });
}
