import { UsageError } from '../../base/errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { readAction, readWsMessage } from './actions.ts';
import { type EnvInstance, FactoryFailure, type Observed } from './instance.ts';
import { answerDialect } from './mcp.ts';
import { ValidationProblem } from './selection.ts';

/** What answers one message: text to send, and whether the session ends with it. */
export interface Reply {
  readonly text: string | null;
  readonly close: boolean;
}

const CLOSE: Reply = { text: null, close: true };

/** Answers one message of `/ws`. Never throws: what went wrong is an answer. */
export async function answerMessage(instance: EnvInstance, text: string): Promise<Reply> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    return problem('INVALID_JSON', `Invalid JSON: ${(error as Error).message}`);
  }
  try {
    const message = readWsMessage(parsed);
    switch (message?.type) {
      case 'reset':
        return resetReply(await instance.reset(message.data));
      case 'step':
        return reply('observation', await instance.step(readAction(message.data)));
      case 'state':
        return reply('state', instance.state());
      case 'mcp':
        return reply('mcp', await answerDialect(instance, message.data));
      case 'close':
        return CLOSE;
      default: {
        const type = isJsonObject(parsed) ? parsed.type : '';
        const name = typeof type === 'string' ? type.slice(0, 100) : '';
        return problem('UNKNOWN_TYPE', `Unknown message type: ${name}`);
      }
    }
  } catch (error) {
    return replyTo(error, instance);
  }
}

function replyTo(error: unknown, instance: EnvInstance): Reply {
  if (error instanceof ValidationProblem) {
    return problem('VALIDATION_ERROR', error.message, { errors: error.errors });
  }
  if (error instanceof FactoryFailure) return factoryProblem(error.message);
  if (!(error instanceof UsageError)) {
    return problem('EXECUTION_ERROR', error instanceof Error ? error.message : String(error));
  }
  if (error.code === 'no-room') return capacityReached(instance.room);
  return problem('EXECUTION_ERROR', error.describe());
}

/** No room: told unasked after connecting, or in answer to the reset that would need it; ends the session. */
export function capacityReached({ active, most }: { readonly active: number; readonly most: number }): Reply {
  const message = `Session capacity reached: ${active}/${most} sessions active`;
  const counts = { active_sessions: active, max_sessions: most };
  return { ...problem('CAPACITY_REACHED', message, counts), close: true };
}

export function sessionProblem(message: string): Reply {
  return { ...problem('SESSION_ERROR', message), close: true };
}

function factoryProblem(message: string): Reply {
  return { ...problem('FACTORY_ERROR', message, { factory_name: 'groundhog' }), close: true };
}

const OBSERVATION = '{"type":"observation","data":{"observation":{';

const written = new WeakMap<object, string>();

/** The answer to a reset. Its list of tools is most of it, always the same: it is written down once. */
function resetReply({ observation, ...rest }: Observed): Reply {
  const { available_tools: tools, ...told } = observation;
  const { text } = reply('observation', { observation: told, ...rest });
  if (typeof tools !== 'object' || tools === null || text === null) return { text, close: false };
  let list = written.get(tools);
  if (list === undefined) {
    list = `"available_tools":${JSON.stringify(tools)},`;
    written.set(tools, list);
  }
  return { text: `${OBSERVATION}${list}${text.slice(OBSERVATION.length)}`, close: false };
}

function reply(type: string, data: unknown): Reply {
  return { text: JSON.stringify({ type, data }), close: false };
}

function problem(
  code: string,
  message: string,
  more: Readonly<Record<string, Json>> | JsonObject = {},
): Reply {
  return { text: JSON.stringify({ type: 'error', data: { message, code, ...more } }), close: false };
}
