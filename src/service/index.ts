/** The service kit: everything that a service may import, and all it needs. */
export { digestText, hmacHex, sha1Hex } from '../base/digest.ts';
export { InvariantError, invariant, ProviderError, UsageError } from '../base/errors.ts';
export { deepFreeze, isJsonObject, type Json, type JsonObject, jsonText, keepText } from '../base/json.ts';
export type { SeededRandom } from '../base/random.ts';
export { defineTable as table } from '../world/index.ts';
export type {
  Derivation,
  DerivedChange,
  ReadTables,
  Row,
  RowOf,
  Schema,
  TableReader,
  TableWriter,
  WriteTables,
} from '../world/types.ts';
export { OperationFailed, ToolFailed } from './compose.ts';
export {
  composedTool,
  defineErrors,
  defineSchema,
  defineService,
  type OperationSpec,
  operationFor,
  toolOf,
} from './define.ts';
export type { Observation, Observer, Probe, RecordedExchange, RecordedRequest } from './evidence.ts';
export {
  type GraphqlAnswer,
  type GraphqlProblem,
  type GraphqlRequest,
  type GraphqlSchema,
  graphqlSchema,
  readGraphql,
} from './graphql.ts';
export type { GraphqlSize } from './graphql-size.ts';
export {
  describeIssues,
  PLAIN_ERRORS,
  plainAccess,
  plainProtocol,
  plainRefusal,
  providerError,
} from './protocol.ts';
export {
  comparePythonText,
  inPythonOrder,
  isPythonFloat,
  isPythonMembers,
  isPythonNumber,
  keepPythonOrder,
  magnitudeOf,
  type PythonFloat,
  type PythonMembers,
  type PythonNumber,
  parsePythonJson,
  pythonArithmetic,
  pythonFloat,
  pythonFloatText,
  pythonJson,
  pythonNumberText,
  pythonRepr,
  pythonText,
  pythonTextRepr,
} from './python-text.ts';
export type {
  Access,
  Actor,
  Answer,
  Authorisation,
  BodyForm,
  Completion,
  CoverageEntry,
  ErrorTable,
  HttpBinding,
  InputIssue,
  Invoke,
  Operation,
  OperationContext,
  Protocol,
  Refusal,
  RefusedCall,
  Reply,
  RequestHeaders,
  Seeding,
  SeedSize,
  Service,
  ServiceEvent,
  TokenPlace,
  Tool,
} from './types.ts';
