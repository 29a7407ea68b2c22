/** Port to a chat model: what is asked and answered, without any network. `providers/` has the real ones. */
export { Budget, type BudgetLimits, type BudgetSpent, withBudget } from './budget.ts';
export {
  CASSETTE_MODES,
  type CassetteKey,
  type CassetteMode,
  type CassetteOptions,
  type Exchange,
  type KeptRequest,
  type Tape,
  withCassette,
} from './cassette.ts';
export { Limiter, withConcurrency } from './concurrency.ts';
export { type PaceOptions, paced } from './paced.ts';
export { costOf, type Price, type PriceTable, parsePrices, priceOf } from './prices.ts';
export { Redaction, secretsOf } from './redaction.ts';
export { growingWait, type RetryOptions, type RetryWait, withRetries } from './retry.ts';
export {
  ChatError,
  type ChatErrorKind,
  type ChatFinish,
  type ChatMessage,
  type ChatModel,
  type ChatOptions,
  type ChatReply,
  type ChatRequest,
  type ChatTool,
  type ChatToolCall,
  type ChatUsage,
} from './types.ts';
