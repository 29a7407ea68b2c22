import type { Json, JsonObject, Probe } from '../../../service/index.ts';
import { PUBLISHED } from '../coverage.ts';
import { operations } from '../tools.ts';

type Facts = Probe['expect']['facts'];

/** The day on which the documentation was looked at. */
const LOOKED_UP = '2026-11-30';

const EXAMPLES = new Map(operations.map(({ id, example }) => [id, example]));

/** What an operation's own example is answered with, by its documentation. */
export function fact(operation: string, facts: Facts, status = 200): Probe {
  return probeOf(operation, { title: 'its example', input: EXAMPLES.get(operation) ?? {}, facts, status });
}

/** Operations whose examples are answered with this status and nothing else. */
export function answered(status: number, body: Json, ids: readonly string[]): readonly Probe[] {
  return ids.map((operation) => fact(operation, { '': body }, status));
}

export interface Asked {
  readonly title: string;
  readonly input: JsonObject;
  readonly facts: Facts;
  readonly status?: number;
  readonly after?: Probe['after'];
}

/** A request of its own, after others if need be. */
export function probeOf(operation: string, { title, input, facts, status = 200, after }: Asked): Probe {
  return {
    operation,
    title,
    input,
    ...(after && { after }),
    expect: { ...(status !== 200 && { status }), facts },
    source: PUBLISHED.get(operation)?.documentationUrl ?? 'https://docs.github.com/rest',
    date: LOOKED_UP,
  };
}
