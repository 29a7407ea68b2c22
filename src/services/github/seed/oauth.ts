import type { Seeding } from '../../../service/index.ts';
import type { GithubSchema } from '../schema.ts';

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
    expires_ms: epochMs + 900_000,
    polled_ms: null,
    interval_seconds: 5,
  });
}
