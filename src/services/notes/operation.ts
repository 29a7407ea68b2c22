import { type OperationContext, operationFor } from '../../service/index.ts';
import { errors, type NotesErrors } from './errors.ts';
import { type NotesSchema, schema } from './schema.ts';

/** Declares one operation of this service: tables and errors are typed by name. */
export const operation = operationFor(schema, errors);

/** What a function shared by operations needs: the tables it works with, and the errors it may give. */
export type Context<Code extends keyof NotesErrors, Tables> = OperationContext<
  NotesSchema,
  Pick<NotesErrors, Code>,
  Tables
>;
