import { InvariantError, UsageError } from '../base/errors.ts';
import { isJsonObject, type Json } from '../base/json.ts';
import { keepPythonOrder, parsePythonJson, type Service } from '../service/index.ts';
import { seedWorld } from '../service/seed.ts';
import type { CallRequest } from '../session/types.ts';
import type { TauFolder, TauLayout, TauRun } from '../traces/tau/index.ts';
import type { WorldValue } from '../world/types.ts';

/** A world from the user's files; what is wrong with them is the user's, though a transaction reports it. */
export function loadedWorld(service: Service, documents: TauFolder['documents']): WorldValue {
  try {
    return seedWorld([{ service, seed: { documents } }]);
  } catch (error) {
    if (error instanceof InvariantError && error.cause instanceof UsageError) throw error.cause;
    throw error;
  }
}

export function nameOfRun({ taskId, trial }: { readonly taskId: number; readonly trial: number }): string {
  return `task ${taskId}, trial ${trial}`;
}

/** The call as the door takes it; arguments that are not JSON go through as they came. */
export function requestOf(tool: string, argumentsText: string, layout: TauLayout): CallRequest {
  try {
    return { tool, input: keptInOrder(parsePythonJson(argumentsText), layout), transport: 'inprocess' };
  } catch {
    return { tool, malformed: argumentsText, transport: 'inprocess' };
  }
}

/** Arguments are bound by name, so their own order means nothing; that of documents inside them does. */
export function keptInOrder(input: Json, layout: TauLayout): Json {
  if (!isJsonObject(input)) return input;
  const members = Object.entries(input).map(([name, value]): [string, Json] => [
    name,
    keepPythonOrder(value ?? null, layout.usualOrder),
  ]);
  return Object.fromEntries(members);
}

/** An unfinished run is worth nothing, whatever its state. */
export function finished(run: TauRun, layout: TauLayout): boolean {
  return run.userStopped || handedOver(run, layout);
}

/** True when the agent called a tool that ends a run. */
export function handedOver(run: TauRun, layout: TauLayout): boolean {
  return run.calls.some((call) => layout.terminating.includes(call.name));
}
