import type { Reading, Writing } from '../operation.ts';
import type { Repository } from '../schema/repositories.ts';
import type { RepositoryFeatures } from '../schema/repository-parts.ts';

/** What is turned on in a repository besides its settings; all off until somebody turns it on. */
export function featuresOf({ tx }: Reading, { id }: Repository): RepositoryFeatures {
  return tx.repository_features.get(id) ?? blankFeatures(id);
}

export function blankFeatures(repository_id: number): RepositoryFeatures {
  return {
    repository_id,
    vulnerability_alerts: false,
    automated_security_fixes: false,
    immutable_releases: false,
    interaction_limit: null,
    auto_trigger_checks: [],
    custom_properties: {},
  };
}

export function setFeatures(
  ctx: Writing,
  repository: Repository,
  changes: Partial<RepositoryFeatures>,
): void {
  const { repository_features: table } = ctx.tx;
  if (table.has(repository.id)) table.update(repository.id, changes);
  else table.insert({ ...blankFeatures(repository.id), ...changes });
}
