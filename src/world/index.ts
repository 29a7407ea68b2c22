export { FORMAT_VERSION as PACKED_FORMAT_VERSION, type PageSource } from './packed-format.ts';
export { openPacked } from './packed-read.ts';
export { packInto, packWorld } from './packed-write.ts';
export { defineTable, readTables, typedTables } from './tables.ts';
export type * from './types.ts';
export { createWorld, World } from './world.ts';
