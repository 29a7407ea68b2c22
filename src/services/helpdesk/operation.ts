import { type OperationContext, operationFor } from '../../service/index.ts';
import { errors, type HelpdeskErrors } from './errors.ts';
import { type HelpdeskSchema, type Reads, schema, type Writes } from './schema.ts';

/** Declares one operation of the desk; it knows the desk's tables and errors. */
export const operation = operationFor(schema, errors);

/** What every operation may rely on, reads and writes alike. */
export type Context<Code extends keyof HelpdeskErrors, Tables = Reads> = OperationContext<
  HelpdeskSchema,
  Pick<HelpdeskErrors, Code>,
  Tables
>;

export type WriteContext<Code extends keyof HelpdeskErrors> = Context<Code, Writes>;
