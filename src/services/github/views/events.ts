import { isJsonObject, type JsonObject } from '../../../service/index.ts';
import type { Reading } from '../operation.ts';
import type { IssueEvent } from '../schema/issues.ts';
import { simpleUserOrNull } from './accounts.ts';
import type { Place } from './issues.ts';
import { globalId } from './node-ids.ts';
import { simpleTeam } from './teams.ts';

const PREFIXES: Readonly<Record<string, string>> = {
  assigned: 'AE',
  base_ref_changed: 'BRCE',
  base_ref_deleted: 'BRDE',
  closed: 'CE',
  demilestoned: 'DME',
  head_ref_deleted: 'HRDE',
  head_ref_force_pushed: 'HRFPE',
  labeled: 'LE',
  locked: 'LOE',
  merged: 'ME',
  milestoned: 'MIE',
  renamed: 'RTE',
  reopened: 'REE',
  review_dismissed: 'RDE',
  review_request_removed: 'RRRE',
  review_requested: 'RRE',
  unassigned: 'UNAE',
  unlabeled: 'UNLE',
  unlocked: 'UNLOE',
};

/** One event of an issue or pull, without the issue that it is about. */
export function eventView({ tx }: Reading, place: Place, event: IssueEvent): JsonObject {
  const { url, repository } = place;
  return {
    id: event.id,
    node_id: globalId(PREFIXES[event.event] ?? 'EV', [0, repository.id, event.id]),
    url: `${url}/issues/events/${event.id}`,
    actor: simpleUserOrNull(event.actor_id === null ? null : tx.accounts.get(event.actor_id)),
    event: event.event,
    commit_id: event.commit_id,
    commit_url: event.commit_id === null ? null : `${url}/commits/${event.commit_id}`,
    created_at: event.created_at,
    ...particulars(tx, event),
    performed_via_github_app: null,
  };
}

function teamOrNull(tx: Reading['tx'], id: unknown): JsonObject | null {
  const team = typeof id === 'number' ? tx.teams.get(id) : undefined;
  const org = team && tx.accounts.get(team.org_id);
  return team && org ? simpleTeam(team, org) : null;
}

/** What only this kind of event has: who was assigned, which label, the titles before and after. */
function particulars(tx: Reading['tx'], event: IssueEvent): JsonObject {
  if (!isJsonObject(event.details)) return {};
  const { assignee_id, requested_reviewer_id, requested_team_id, ...rest } = event.details;
  const actor = simpleUserOrNull(event.actor_id === null ? null : tx.accounts.get(event.actor_id));
  const person = (id: unknown): JsonObject | null =>
    typeof id === 'number' ? simpleUserOrNull(tx.accounts.get(id)) : null;
  return {
    ...rest,
    ...(assignee_id !== undefined && { assignee: person(assignee_id), assigner: actor }),
    ...(requested_reviewer_id !== undefined && {
      review_requester: actor,
      requested_reviewer: person(requested_reviewer_id),
    }),
    ...(requested_team_id !== undefined && {
      review_requester: actor,
      requested_team: teamOrNull(tx, requested_team_id),
    }),
  };
}
