import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import type { Row, WorldValue } from '../../world/types.ts';
import type { HostedSession } from '../host/index.ts';
import { RPC, RpcError } from './json-rpc.ts';
import type { McpTarget } from './target.ts';

const POLICY = 'groundhog://policy';
const TASK = 'groundhog://task';
const TABLES = 'groundhog://tables/';
const TEMPLATE = `${TABLES}{table}`;

/** Rows of one table that are given at most. */
export const TABLE_ROWS_MOST = 1000;

/** What stands in place of a redacted cell. */
const MASK = '[redacted]';

/**
 * What an agent is told before it begins: the task, the rules, and what the user says first. Undefined where
 * there is nothing to say.
 */
export function briefing({ episode }: HostedSession): string | undefined {
  const { task, policy } = episode.environment;
  const parts = [task?.text ?? '', policy, saidFirst(episode.opening)];
  return parts.filter((part) => part !== '').join('\n\n') || undefined;
}

function saidFirst(opening: string | null): string {
  return opening === null ? '' : `The user says: ${opening}`;
}

/** `resources/list`: the policy, the task, and the tables where they may be read. */
export function resourceList(target: McpTarget): JsonObject {
  const { policy, task } = target.session.episode.environment;
  return {
    resources: [
      ...(policy === ''
        ? []
        : [{ uri: POLICY, name: 'policy', title: 'The rules to follow', mimeType: 'text/markdown' }]),
      ...(task ? [{ uri: TASK, name: 'task', title: 'What is to be done', mimeType: 'text/plain' }] : []),
      ...readableTables(target).map((name) => ({
        uri: `${TABLES}${name}`,
        name,
        title: `Rows of ${name}`,
        mimeType: 'application/json',
      })),
    ],
  };
}

/** `resources/templates/list`. */
export function resourceTemplates(target: McpTarget): JsonObject {
  if (readableTables(target).length === 0) return { resourceTemplates: [] };
  const title = 'The rows of one table, read-only; {table} is service.table';
  return {
    resourceTemplates: [{ uriTemplate: TEMPLATE, name: 'table', title, mimeType: 'application/json' }],
  };
}

/** `resources/read`. @throws RpcError for what does not exist here. */
export function readResource(target: McpTarget, { uri }: JsonObject): JsonObject {
  if (typeof uri !== 'string') throw new RpcError(RPC.invalidParams, 'Invalid params: uri is a text');
  const { environment, opening } = target.session.episode;
  const { policy, task } = environment;
  if (uri === POLICY && policy !== '') return contents(uri, 'text/markdown', policy);
  if (uri === TASK && task) {
    const text = opening === null ? task.text : `${task.text}\n\n${saidFirst(opening)}`;
    return contents(uri, 'text/plain', text);
  }
  const table = uri.startsWith(TABLES) ? uri.slice(TABLES.length) : null;
  if (table !== null && readableTables(target).includes(table)) {
    const rows = tableRows(target.session.episode.session.world, table);
    return contents(uri, 'application/json', JSON.stringify(rows));
  }
  throw new RpcError(RPC.resourceNotFound, `Resource not found: ${uri}`, { uri });
}

function contents(uri: string, mimeType: string, text: string): JsonObject {
  return { contents: [{ uri, mimeType, text }] };
}

function readableTables({ session, tables }: McpTarget): readonly string[] {
  const { environment, session: world } = session.episode;
  return tables || environment.task === null ? world.world.tableNames : [];
}

function tableRows(world: WorldValue, table: string): JsonObject {
  const reader = world.table(table);
  const hidden = world.spec(table).redacted ?? [];
  const rows = [...reader.scan({ limit: TABLE_ROWS_MOST })].map((row) => maskedRow(row, hidden));
  return { table, total: reader.size, rows, truncated: reader.size > rows.length };
}

/** A row with a mask in place of what its redacted columns hold. */
export function maskedRow(row: Row, hidden: readonly string[]): JsonObject {
  if (hidden.length === 0) return row;
  const masked = Object.fromEntries(hidden.flatMap((name) => (name in row ? [[name, MASK as Json]] : [])));
  return { ...row, ...masked };
}

/** `prompts/list`: the task, where there is one. */
export function promptList({ session }: McpTarget): JsonObject {
  if (!session.episode.environment.task) return { prompts: [] };
  return { prompts: [{ name: 'task', title: 'The task', description: 'The task with the rules to follow' }] };
}

/** `prompts/get`. @throws RpcError for a prompt that does not exist. */
export function readPrompt({ session }: McpTarget, params: JsonObject): JsonObject {
  const text = session.episode.environment.task && briefing(session);
  if (!isJsonObject(params) || params.name !== 'task' || !text) {
    throw new RpcError(
      RPC.invalidParams,
      `Unknown prompt: ${typeof params.name === 'string' ? params.name : ''}`,
    );
  }
  return {
    description: 'The task with the rules to follow',
    messages: [{ role: 'user', content: { type: 'text', text } }],
  };
}
