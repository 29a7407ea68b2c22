import type { Json, JsonObject } from '../base/json.ts';
import { seedWorld } from '../service/seed.ts';
import { airline } from '../services/airline/index.ts';
import type { TauRun } from '../traces/tau/index.ts';

/** The small seed as the files of a database, for recorded runs of our own. */
export function documents(): Record<string, Json> {
  const world = seedWorld([{ service: airline, seed: 'small' }]);
  const file = (table: string, key: string, added: string | null): JsonObject =>
    Object.fromEntries(
      [...world.table(`airline.${table}`).scan()].map((row) => {
        const { [added ?? '']: _added, ...document } = row;
        return [String(row[key]), document as JsonObject];
      }),
    );
  return {
    'flights.json': file('flights', 'flight_number', 'position'),
    'users.json': file('users', 'user_id', 'user_id'),
    'reservations.json': file('reservations', 'reservation_id', null),
  };
}

export interface Called {
  readonly name: string;
  readonly arguments: string;
  readonly output: string | null;
}

/** A recorded run that only calls, unless `rest` says more. */
export function runOf(calls: readonly Called[], rest: Partial<TauRun> = {}): TauRun {
  return {
    file: 'ours.json',
    taskId: 0,
    trial: 0,
    reward: 1,
    actions: [],
    outputs: [],
    goldHash: null,
    calls: calls.map((call) => ({ name: call.name, argumentsText: call.arguments, output: call.output })),
    said: [],
    instruction: 'Do it.',
    turns: calls.map((_, call) => ({ kind: 'call', call })),
    userStopped: true,
    ...rest,
  };
}
