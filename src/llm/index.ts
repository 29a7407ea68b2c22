/** Port to a chat model: what is asked and answered, without any network. `providers/` has the real ones. */
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
