import { defineSchema, type ReadTables, type WriteTables } from '../../service/index.ts';
import { accountTables } from './schema/accounts.ts';
import { limitTables } from './schema/limits.ts';
import { repositoryTables } from './schema/repositories.ts';

/** All tables, by area; what a column means stands where it is declared. */
export const schema = defineSchema({
  ...accountTables,
  ...repositoryTables,
  ...limitTables,
});

export type GithubSchema = typeof schema;
export type Tables = WriteTables<GithubSchema>;
export type Reader = ReadTables<GithubSchema>;
