import type { JsonObject } from '../../base/json.ts';
import type { CleanRun, PlannedCall } from '../testbed/index.ts';

/** A call of the clean run, ready to be made otherwise. */
export interface MadeCall {
  readonly step: number;
  readonly tool: string;
  readonly isRead: boolean;
  readonly call: { readonly tool: string; readonly arguments: JsonObject };
  readonly planned: PlannedCall;
}

export function madeCalls({ plan, tools }: CleanRun): readonly MadeCall[] {
  return plan.calls.map((planned, step) => ({
    step,
    tool: planned.tool,
    isRead: tools.get(planned.tool)?.effect === 'read',
    call: { tool: planned.tool, arguments: planned.input },
    planned,
  }));
}

/** The first call of each tool. */
export function once(calls: readonly MadeCall[]): readonly MadeCall[] {
  return calls.filter(({ tool }, index) => calls.findIndex((other) => other.tool === tool) === index);
}
