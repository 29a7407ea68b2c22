import { adkTurnScore } from './adk.ts';
import {
  type AgentevalsArguments,
  agentevalsStrict,
  agentevalsSubset,
  agentevalsSuperset,
  agentevalsUnordered,
} from './agentevals.ts';
import { deepevalExact, deepevalOrdering, deepevalToolCorrectness } from './deepeval.ts';
import { promptfooToolCallF1 } from './promptfoo.ts';
import { ragasToolCallAccuracy, ragasToolCallF1 } from './ragas.ts';
import type { PeerCall } from './types.ts';

/** A matcher of another tool that needs no judge: a run's calls against the reference's. */
export interface PeerMatcher {
  readonly name: string;
  /** Whether it looks at arguments, or at names alone. */
  readonly compares: 'names' | 'arguments';
  /** What a run may do wrong, or right, without it noticing. */
  readonly misses: string;
  /** The score from 0 to 1. */
  readonly score: (run: readonly PeerCall[], reference: readonly PeerCall[]) => number;
}

const eachOwnTurn = (calls: readonly PeerCall[]): PeerCall[][] => calls.map((call) => [call]);
const NO_STATE = 'what the calls did';

function agentevals(mode: AgentevalsArguments): PeerMatcher[] {
  const name = mode === 'exact' ? 'exact' : `${mode} args`;
  const compares = 'arguments';
  return [
    {
      name: `agentevals strict / ${mode === 'exact' ? 'exact args' : name}`,
      compares,
      misses: `any other right way: reads swapped or repeated fail it; ${NO_STATE}`,
      score: (run, reference) => Number(agentevalsStrict(eachOwnTurn(run), eachOwnTurn(reference), mode)),
    },
    {
      name: `agentevals unordered / ${name}`,
      compares,
      misses: 'order: the policy may be read after the refund; a harmless extra read fails it',
      score: (run, reference) => Number(agentevalsUnordered(run, reference, mode)),
    },
    {
      name: `agentevals subset / ${name}`,
      compares,
      misses: 'calls that should have been made: an empty run passes; order',
      score: (run, reference) => Number(agentevalsSubset(run, reference, mode)),
    },
    {
      name: `agentevals superset / ${name}`,
      compares,
      misses: 'surplus calls, whatever they do: a second refund passes; order',
      score: (run, reference) => Number(agentevalsSuperset(run, reference, mode)),
    },
  ];
}

/** Every matcher, in the order of the litmus. */
export const PEER_MATCHERS: readonly PeerMatcher[] = [
  {
    name: 'deepeval ToolCorrectness, default (names)',
    compares: 'names',
    misses: 'arguments, order, surplus calls; equal calls are taken together, so a right repeat scores half',
    score: (run, reference) => deepevalToolCorrectness(run, reference),
  },
  {
    name: 'deepeval + INPUT_PARAMETERS',
    compares: 'arguments',
    misses: 'order and surplus calls: a second refund is free; a wrong amount costs a part',
    score: (run, reference) => deepevalToolCorrectness(run, reference, 'parameters'),
  },
  {
    name: 'deepeval ordering + params',
    compares: 'arguments',
    misses: 'surplus calls; which order matters: two reads swapped cost as much as a policy read too late',
    score: (run, reference) => deepevalOrdering(run, reference, 'parameters'),
  },
  {
    name: 'deepeval exact + params',
    compares: 'arguments',
    misses: `any other right way; ${NO_STATE}`,
    score: (run, reference) => deepevalExact(run, reference, 'parameters'),
  },
  {
    name: 'ragas ToolCallAccuracy strict',
    compares: 'arguments',
    misses: 'surplus arguments, and 1 against "1"; an extra read gives 0 whatever the rest',
    score: (run, reference) => ragasToolCallAccuracy(run, reference, 'strict'),
  },
  {
    name: 'ragas ToolCallAccuracy flexible',
    compares: 'arguments',
    misses: 'order, surplus arguments, and 1 against "1"; an extra read gives 0',
    score: (run, reference) => ragasToolCallAccuracy(run, reference, 'flexible'),
  },
  {
    name: 'ragas ToolCallF1',
    compares: 'arguments',
    misses: 'repeats: sets collapse a second refund; order',
    score: ragasToolCallF1,
  },
  {
    name: 'ADK EXACT',
    compares: 'arguments',
    misses: `any other right way; ${NO_STATE}`,
    score: (run, reference) => adkTurnScore(run, reference, { match: 'exact' }),
  },
  {
    name: 'ADK IN_ORDER',
    compares: 'arguments',
    misses: 'whatever stands between the expected calls; reads swapped fail it',
    score: (run, reference) => adkTurnScore(run, reference, { match: 'in-order' }),
  },
  {
    name: 'ADK ANY_ORDER',
    compares: 'arguments',
    misses: 'order and surplus calls',
    score: (run, reference) => adkTurnScore(run, reference, { match: 'any-order' }),
  },
  {
    name: 'promptfoo tool-call-f1',
    compares: 'names',
    misses: 'arguments, repeats and order: sets of names are all it sees',
    score: promptfooToolCallF1,
  },
  ...agentevals('exact'),
  ...agentevals('superset'),
];
