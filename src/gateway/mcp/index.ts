/** The Model Context Protocol: Streamable HTTP and stdio on one core. */

export { answer as answerMcp, problemFor } from './core.ts';
export { asksToInitialize, mcpDoor } from './door.ts';
export {
  exchange,
  headerProblem,
  originAllowed,
  readBody as readMcpBody,
  sendJson,
  sendNothing,
} from './exchange.ts';
export { problemOf, RPC, type RpcResponse, resultOf } from './json-rpc.ts';
export { maskedRow } from './resources.ts';
export { serveMcpStdio } from './stdio.ts';
export type { McpTarget } from './target.ts';
export { LostAnswer, toolList } from './tools.ts';
