/** The service kit: everything that a service may import, and all it needs. */
export { ProviderError } from '../base/errors.ts';
export { deepFreeze, isJsonObject, type Json, type JsonObject } from '../base/json.ts';
export type { SeededRandom } from '../base/random.ts';
export { table } from '../world/index.ts';
export type {
  ReadTables,
  Row,
  RowOf,
  Schema,
  TableReader,
  TableWriter,
  WriteTables,
} from '../world/types.ts';
export {
  composedTool,
  defineErrors,
  defineSchema,
  defineService,
  type OperationSpec,
  operationFor,
  toolOf,
} from './define.ts';
export { describeIssues, PLAIN_ERRORS, plainProtocol, providerError } from './protocol.ts';
export type {
  Actor,
  CoverageEntry,
  ErrorTable,
  InputIssue,
  Operation,
  OperationContext,
  Protocol,
  Seeding,
  SeedSize,
  Service,
  ServiceEvent,
  Tool,
} from './types.ts';
