/** What the laws are about, in one place. */
export { InvariantError, ProviderError, UsageError } from '../../src/base/errors.ts';
export type { Json } from '../../src/base/json.ts';
export * from '../../src/world/index.ts';
