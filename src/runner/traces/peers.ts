import { isJsonObject } from '../../base/json.ts';
import type { WorldShape } from '../../scoring/index.ts';
import {
  type BfclVerdict,
  bfclMultiTurn,
  PEER_MATCHERS,
  type PeerCall,
  type PromptfooCall,
  type PromptfooOutcome,
  promptfooAssert,
  type TauReward,
  tauReward,
} from '../../scoring/peers/index.ts';
import { type TraceCall, type TraceRun, traceTrajectory } from '../../traces/index.ts';
import type { Trajectory } from '../../trajectory/index.ts';
import type { TraceRules } from './rules.ts';

/** A score of another tool's matcher, or the reason why there is none. */
export type PeerScore =
  | { readonly metric: string; readonly value: number }
  | { readonly metric: string; readonly value: null; readonly reason: string };

/** What other tools would say of a run. */
export interface PeerReport {
  readonly matchers: readonly PeerScore[];
  readonly promptfoo: readonly (PromptfooOutcome & { readonly type: string })[];
  readonly bfcl: BfclVerdict;
  readonly tau: TauReward;
}

/** The gold run and the shape of the tables that it changes. */
export interface Gold {
  readonly trajectory: Trajectory;
  readonly shape: WorldShape;
}

const NO_GOLD = 'there is no gold run: give --gold FILE.traj.jsonl';

/** Scores a run as other tools do, each under its own name. */
export function peerReport(run: TraceRun, rules: TraceRules, gold: Gold | null): PeerReport {
  const model = traceTrajectory(run);
  const pair = gold && { model, gold: gold.trajectory, shape: gold.shape };
  const reference =
    rules.reference ?? gold?.trajectory.steps.map(({ tool, input }) => ({ tool, input })) ?? null;
  const wanted = reference?.map(({ tool, input }): PeerCall | null =>
    isJsonObject(input) ? { tool, arguments: input } : null,
  );
  return {
    matchers: PEER_MATCHERS.map(({ name, compares, score }): PeerScore => {
      const none = (reason: string): PeerScore => ({ metric: name, value: null, reason });
      if (!wanted) return none('there is no reference to compare with: give one in the rules');
      const read = peerCalls(run.calls, compares);
      if (typeof read === 'string') return none(read);
      if (wanted.some((call) => call === null))
        return none('the reference has arguments that are no JSON object');
      return { metric: name, value: score(read, wanted as readonly PeerCall[]) };
    }),
    promptfoo: rules.assertions.map((assertion) => ({
      type: assertion.type,
      ...promptfooAssert(assertion, run.calls.map(promptfooCall)),
    })),
    bfcl: pair === null ? { valid: null, reason: NO_GOLD } : bfclMultiTurn(pair),
    tau: pair === null ? { reward: null, reason: NO_GOLD } : tauReward(pair, rules.outputs),
  };
}

/** The calls as matchers take them; a sentence where one has arguments that they cannot take. */
function peerCalls(calls: readonly TraceCall[], compares: 'names' | 'arguments'): PeerCall[] | string {
  const found: PeerCall[] = [];
  for (const { tool, arguments: given } of calls) {
    if (given.kind === 'json' && isJsonObject(given.value)) found.push({ tool, arguments: given.value });
    else if (compares === 'names') found.push({ tool, arguments: {} });
    else if (given.kind === 'not-captured') return `the arguments of ${tool} were not captured`;
    else return `the arguments of ${tool} are no JSON object, and the definition does not say what then`;
  }
  return found;
}

function promptfooCall({ tool, arguments: given }: TraceCall): PromptfooCall {
  if (given.kind === 'not-captured') return { tool, arguments: undefined };
  return { tool, arguments: given.kind === 'json' ? given.value : given.text };
}
