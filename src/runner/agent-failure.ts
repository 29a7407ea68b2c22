import type { EndReason } from '../trajectory/index.ts';

/** The agent itself failed: a recorded outcome of the trial, named by the reason. */
export class AgentFailure extends Error {
  readonly reason: Extract<EndReason, `agent-${string}`>;

  constructor(reason: AgentFailure['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}
