import { ChatError } from '../../../llm/index.ts';
import { AgentFailure } from '../../agent-failure.ts';

const OUTGROWN = /context (?:length|window)|maximum context|too many tokens|prompt is too long/iu;
const FILTERED = /content.?(?:filter|management|policy)/iu;

/**
 * What the agent answers for among the failures of a request: a conversation that has outgrown its model, and
 * one that the endpoint's own filter refuses. Null for what is nobody's answer: it stops the run.
 */
export function ownFailure(error: unknown): AgentFailure | null {
  if (!(error instanceof ChatError) || error.kind !== 'bad-request') return null;
  if (OUTGROWN.test(error.message)) {
    return new AgentFailure('agent-stopped', `the conversation has outgrown the model: ${error.message}`);
  }
  if (FILTERED.test(error.message)) {
    return new AgentFailure('agent-stopped', `the request was filtered: ${error.message}`);
  }
  return null;
}
