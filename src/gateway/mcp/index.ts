/** The Model Context Protocol: Streamable HTTP and stdio on one core. */

export { answer as answerMcp, isAnswerable, problemFor } from './core.ts';
export { asksToInitialize, mcpDoor } from './door.ts';
export {
  allowOrigin,
  exchange,
  headerProblem,
  originAllowed,
  readBody as readMcpBody,
  sendJson,
  sendNothing,
} from './exchange.ts';
export { problemOf, RPC, type RpcProblem, type RpcResponse, resultOf } from './json-rpc.ts';
export { maskedRow } from './resources.ts';
export { serveMcpStdio } from './stdio.ts';
export type { McpTarget } from './target.ts';
export { callToTheEnd, LostAnswer, toolList } from './tools.ts';
export { traceOf } from './trace.ts';
