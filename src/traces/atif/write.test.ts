import { describe, expect, it } from 'vitest';
import { everything } from '../../../test/episodes.ts';
import type { JsonObject } from '../../base/json.ts';
import { atifTrajectory } from './write.ts';

const { trajectory } = everything();
const written = atifTrajectory(trajectory, 'one');
const steps = written.steps as readonly JsonObject[];

/** Members that Harbor's models know; others are refused there. */
const MEMBERS = {
  trajectory: ['schema_version', 'trajectory_id', 'agent', 'steps', 'final_metrics'],
  step: ['step_id', 'timestamp', 'source', 'message', 'llm_call_count', 'tool_calls', 'observation'],
  call: ['tool_call_id', 'function_name', 'arguments'],
  result: ['source_call_id', 'content', 'extra'],
};

describe('atifTrajectory', () => {
  const calls = steps.flatMap(({ tool_calls }) => (tool_calls ?? []) as readonly JsonObject[]);
  const results = steps.flatMap(
    ({ observation }) => ((observation as JsonObject | undefined)?.results ?? []) as readonly JsonObject[],
  );

  it('numbers steps from one without a gap, in the order of the world’s time', () => {
    expect(written).toMatchObject({ schema_version: 'ATIF-v1.7', trajectory_id: 'one' });
    expect(steps.map(({ step_id }) => step_id)).toEqual(steps.map((_, index) => index + 1));
    const times = steps.map(({ timestamp }) => Date.parse(String(timestamp)));
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    expect(written.final_metrics).toEqual({ total_steps: steps.length });
  });

  it('has every call with its arguments as an object, and its answer as it was delivered', () => {
    expect(calls.map((call) => call.function_name)).toEqual(trajectory.steps.map(({ tool }) => tool));
    const inputs = trajectory.steps.map(({ input, malformed }) =>
      malformed === undefined ? input : { raw: malformed },
    );
    expect(calls.map((call) => call.arguments)).toEqual(inputs);
    expect(results.map((result) => result.source_call_id)).toEqual(calls.map((call) => call.tool_call_id));
    const statuses = trajectory.steps.map(({ delivered, status }) =>
      delivered?.lost ? null : (delivered?.status ?? status),
    );
    expect(results.map(({ extra }) => (extra as JsonObject).status)).toEqual(statuses);
  });

  it('begins with the task and ends with the answer', () => {
    expect(steps[0]).toMatchObject({ source: 'user', message: 'Use everything once.' });
    expect(steps.at(-1)).toMatchObject({ source: 'agent', message: 'Done ✔' });
  });

  it('has no member that the format does not know', () => {
    const unknown = (values: readonly JsonObject[], known: readonly string[]): string[] =>
      values.flatMap((value) => Object.keys(value).filter((name) => !known.includes(name)));
    expect(unknown([written], MEMBERS.trajectory)).toEqual([]);
    expect(unknown(steps, MEMBERS.step)).toEqual([]);
    expect(unknown(calls, MEMBERS.call)).toEqual([]);
    expect(unknown(results, MEMBERS.result)).toEqual([]);
  });

  it('counts no call of a language model, and has no metrics of one', () => {
    const agents = steps.filter(({ source }) => source === 'agent');
    expect(new Set(agents.map(({ llm_call_count }) => llm_call_count))).toEqual(new Set([0]));
  });
});
