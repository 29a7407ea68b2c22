import { InvariantError, UsageError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { agentTools } from '../host/episode-tools.ts';
import { VERSION } from '../host/version.ts';
import {
  isRequest,
  problemOf,
  RPC,
  RpcError,
  type RpcProblem,
  type RpcResponse,
  readMessage,
  resultOf,
} from './json-rpc.ts';
import {
  briefing,
  promptList,
  readPrompt,
  readResource,
  resourceList,
  resourceTemplates,
} from './resources.ts';
import type { McpTarget } from './target.ts';
import { callTool, toolList } from './tools.ts';

/** Versions of the protocol that are spoken, the newest first: as the official SDK lists them. */
export const PROTOCOL_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'];

export const SERVER_INFO = { name: 'groundhog', title: 'Groundhog simulated world', version: VERSION };

export const CAPABILITIES = { tools: {}, resources: {}, prompts: {} };

type Method = (target: McpTarget, params: JsonObject) => JsonObject | Promise<JsonObject>;

const METHODS: Readonly<Record<string, Method>> = {
  initialize: initialized,
  ping: () => ({}),
  'tools/list': whole(({ session }) => toolList(agentTools(session.episode.environment))),
  'tools/call': callTool,
  'resources/list': whole(resourceList),
  'resources/templates/list': whole(resourceTemplates),
  'resources/read': readResource,
  'prompts/list': whole(promptList),
  'prompts/get': readPrompt,
  'groundhog/wait': wait,
};

/**
 * Answers one message of the protocol: what both transports have in common. Null where nothing is to be said.
 * @throws LostAnswer when the answer to a call never arrives, and what is a fault of ours as it comes.
 */
export async function answer(target: McpTarget, message: unknown): Promise<RpcResponse | null> {
  const read = readMessage(message);
  if (read === null) return null;
  if (!isRequest(read)) return read;
  try {
    return resultOf(read.id, await perform(target, read.method, read.params));
  } catch (error) {
    if (!isAnswerable(error)) throw error;
    return problemOf(read.id, problemFor(error));
  }
}

/** Runs one method. @throws RpcError, LostAnswer and UsageError as they come. */
export async function perform(target: McpTarget, method: string, params: JsonObject): Promise<JsonObject> {
  const run = Object.hasOwn(METHODS, method) ? METHODS[method] : undefined;
  if (!run) throw new RpcError(RPC.methodNotFound, `Method not found: ${method}`);
  return run(target, params);
}

/** Whether the protocol has words for it. A fault of ours goes on to whoever logs it. */
export function isAnswerable(error: unknown): boolean {
  return error instanceof RpcError || error instanceof UsageError;
}

/** The protocol's own words for what went wrong. */
export function problemFor(error: unknown): RpcProblem {
  if (error instanceof RpcError) {
    const { code, message, data } = error;
    return { code, message, ...(data !== undefined && { data }) };
  }
  if (error instanceof UsageError) {
    const code = error.code === 'no-room' ? RPC.server : RPC.invalidParams;
    return { code, message: error.describe() };
  }
  const message = error instanceof InvariantError ? error.message : 'Internal error';
  return { code: RPC.internal, message };
}

/** A list that is given whole, on one page: no cursor was ever handed out. */
function whole(list: (target: McpTarget) => JsonObject): Method {
  return (target, { cursor }) => {
    if (cursor !== undefined)
      throw new RpcError(RPC.invalidParams, 'Invalid params: there is no such cursor');
    return list(target);
  };
}

/** The answer to `initialize`, with the version that both sides speak. */
function initialized({ session, notice }: McpTarget, { protocolVersion: wanted }: JsonObject): JsonObject {
  const told = briefing(session);
  const instructions = told !== undefined && notice !== undefined ? `${told}\n\n${notice}` : (told ?? notice);
  const [newest = ''] = PROTOCOL_VERSIONS;
  const protocolVersion = typeof wanted === 'string' && PROTOCOL_VERSIONS.includes(wanted) ? wanted : newest;
  return {
    protocolVersion,
    capabilities: CAPABILITIES,
    serverInfo: SERVER_INFO,
    ...(instructions !== undefined && { instructions }),
  };
}

/** Lets virtual time pass. Nobody really waits. */
async function wait({ host, session }: McpTarget, { durationMs }: JsonObject): Promise<JsonObject> {
  if (typeof durationMs !== 'number') {
    throw new RpcError(RPC.invalidParams, 'Invalid params: durationMs is a number of milliseconds');
  }
  await host.wait(session, durationMs);
  return {};
}
