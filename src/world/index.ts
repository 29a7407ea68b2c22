export { defineTable, readTables, typedTables } from './tables.ts';
export type * from './types.ts';
export { createWorld, World } from './world.ts';
