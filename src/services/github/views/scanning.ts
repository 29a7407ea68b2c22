import { isJsonObject, type Json, type JsonObject } from '../../../service/index.ts';
import type { Reading } from '../operation.ts';
import type { Repository } from '../schema/repositories.ts';
import type { ScanningAlert, ScanningAnalysis } from '../schema/scanning.ts';
import { simpleUserOrNull } from './accounts.ts';
import { ownerOf, simpleRepository } from './repositories.ts';
import { fullName, repositoryUrl, WEB } from './urls.ts';

export function analysisView(
  ctx: Reading,
  repository: Repository,
  { analysis, deletable }: { readonly analysis: ScanningAnalysis; readonly deletable: boolean },
): JsonObject {
  const { id, repository_id, tool, warning, ...shown } = analysis;
  const url = `${repositoryUrl(ownerOf(ctx, repository), repository)}/code-scanning/analyses/${id}`;
  return { ...shown, id, url, tool, deletable, warning };
}

/** An alert as lists show it: of its rule only the outline. */
export function listedAlert(ctx: Reading, repository: Repository, alert: ScanningAlert): JsonObject {
  const view = fullAlert(ctx, repository, alert);
  const { full_description, help, help_uri, ...rule } = isJsonObject(alert.rule) ? alert.rule : {};
  return { ...view, rule };
}

/** The same beside those of other repositories. */
export function organizationAlert(ctx: Reading, repository: Repository, alert: ScanningAlert): JsonObject {
  const owner = ownerOf(ctx, repository);
  return { ...listedAlert(ctx, repository, alert), repository: simpleRepository(owner, repository) };
}

export function fullAlert(ctx: Reading, repository: Repository, alert: ScanningAlert): JsonObject {
  const owner = ownerOf(ctx, repository);
  const url = `${repositoryUrl(owner, repository)}/code-scanning/alerts/${alert.number}`;
  const { dismissed_by_id: by } = alert;
  return {
    number: alert.number,
    created_at: alert.created_at,
    updated_at: alert.updated_at,
    url,
    html_url: `${WEB}/${fullName(owner, repository)}/security/code-scanning/${alert.number}`,
    state: alert.state,
    fixed_at: alert.fixed_at,
    dismissed_by: simpleUserOrNull(by === null ? null : ctx.tx.accounts.get(by)),
    dismissed_at: alert.dismissed_at,
    dismissed_reason: alert.dismissed_reason,
    dismissed_comment: alert.dismissed_comment,
    rule: alert.rule,
    tool: alert.tool,
    most_recent_instance: instanceView(alert),
    instances_url: `${url}/instances`,
  };
}

export function instanceView(alert: ScanningAlert): Json {
  return isJsonObject(alert.instance) ? { ...alert.instance, state: alert.state } : alert.instance;
}
