import type { JsonObject } from '../../base/json.ts';

/** A tool call as these matchers take it: arguments already read. */
export interface PeerCall {
  readonly tool: string;
  readonly arguments: JsonObject;
}
