import { operationFor } from '../../service/index.ts';
import { errors } from './errors.ts';
import { schema } from './schema.ts';

/** Declares one operation of this service: tables and errors are typed by name. */
export const operation = operationFor(schema, errors);
