import type { z } from 'zod';
import type { Json, JsonObject } from '../base/json.ts';
import type { ReadTables, Schema, WriteTables } from '../world/types.ts';
import type { Observer } from './evidence.ts';
import type {
  ErrorTable,
  HttpBinding,
  Invoke,
  LatencyModel,
  Operation,
  OperationContext,
  Seeding,
  SeedSize,
  Service,
  Tool,
} from './types.ts';

/** What an author declares; the types of tables, errors, input and output flow from here into `run`. */
export interface OperationSpec<
  S extends Schema,
  E extends ErrorTable,
  Code extends keyof E & string,
  Input extends z.ZodType,
  Output extends z.ZodType,
  Effect extends 'read' | 'write',
> {
  readonly id: string;
  readonly summary: string;
  readonly effect: Effect;
  readonly http?: HttpBinding;
  readonly input: Input;
  readonly output: Output;
  readonly unhashedInputs?: readonly string[];
  readonly issuedTokens?: readonly string[];
  readonly example: z.input<Input>;
  readonly errors: readonly Code[];
  readonly latencyMs?: LatencyModel;
  readonly run: (
    ctx: OperationContext<S, Pick<E, Code>, Effect extends 'read' ? ReadTables<S> : WriteTables<S>>,
    input: z.infer<Input>,
  ) => z.infer<Output>;
}

/**
 * Gives the `operation` function of one service, which knows its tables and errors:
 * `export const operation = operationFor(schema, errors)`.
 */
export function operationFor<S extends Schema, E extends ErrorTable>(_schema: S, _errors: E) {
  return function operation<
    Input extends z.ZodType,
    Output extends z.ZodType,
    Effect extends 'read' | 'write',
    Code extends keyof E & string = never,
  >(spec: OperationSpec<S, E, Code, Input, Output, Effect>): Operation {
    return spec as unknown as Operation;
  };
}

/** A tool that is one operation under the agent's name for it. */
export function toolOf(operation: Operation, options: { name: string; description?: string }): Tool {
  return {
    name: options.name,
    description: options.description ?? operation.summary,
    input: operation.input,
    operations: [operation.id],
  };
}

/**
 * A tool that makes several operations its sub-steps: one step in the trajectory, several operations in it.
 */
export function composedTool<Input extends z.ZodType>(spec: {
  readonly name: string;
  readonly description: string;
  readonly input: Input;
  readonly operations: readonly string[];
  readonly compose: (invoke: Invoke, input: z.infer<Input>) => Json;
  readonly refusal?: NonNullable<Tool['refusal']>;
  readonly optional?: true;
  readonly answers?: 'content';
}): Tool {
  return spec as unknown as Tool;
}

/** Keeps the literal keys of an error table, so that `fail` and `errors` are checked by name. */
export function defineErrors<const E extends ErrorTable>(errors: E): E {
  return errors;
}

/**
 * Keeps the tables of a schema by name, so that `ctx.tx` is typed. The bound is loose on purpose: under
 * `Schema` as context the columns of a `table(...)` written in place would widen to any columns.
 */
export function defineSchema<const S extends Readonly<Record<string, object>>>(schema: S): S {
  return schema;
}

type TypedSeeds<S extends Schema> = Readonly<Partial<Record<SeedSize, (seeding: Seeding<S>) => void>>>;

/** Declares a service. Whether it keeps its promises is shown by the conformance kit in `src/testing`. */
export function defineService<S extends Schema>(
  service: Omit<Service, 'schema' | 'seeds' | 'load' | 'observe'> & {
    readonly schema: S;
    readonly seeds: TypedSeeds<S>;
    readonly load?: (seeding: Seeding<S>, documents: JsonObject) => void;
    readonly observe?: Observer<S>;
  },
): Service {
  return Object.freeze(service) as unknown as Service;
}
