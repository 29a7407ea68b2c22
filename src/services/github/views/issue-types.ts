import type { JsonObject } from '../../../service/index.ts';
import type { IssueType } from '../schema/conversations.ts';
import { globalId } from './node-ids.ts';

/** A kind of issues. */
export function issueTypeView(type: IssueType): JsonObject {
  return {
    id: type.id,
    node_id: globalId('IT', [0, type.org_id, type.id]),
    name: type.name,
    description: type.description,
    color: type.color,
    created_at: type.created_at,
    updated_at: type.updated_at,
    is_enabled: type.is_enabled,
  };
}
