import type { Json, JsonObject, Operation } from '../../../service/index.ts';
import { InvariantError } from '../../../service/index.ts';
import type { Writing } from '../operation.ts';

/** What an object of the graph shows: members are values, or functions of a field's arguments. */
export type GraphValue = Readonly<Record<string, unknown>>;

/** Why a field cannot be told, with the type that GitHub gives such errors. */
export class GraphError extends Error {
  override readonly name = 'GraphError';
  readonly type: string;

  constructor(type: string, message: string) {
    super(message);
    this.type = type;
  }
}

/** What resolvers work with: the tables, and the REST operations, whose rules hold here too. */
export interface Graph {
  readonly ctx: Writing;
  /** Runs a REST operation as the caller, and gives its answer's body. */
  perform(operation: string, input: JsonObject): Json;
}

/** A graph over the tables of a call. */
export function graphOver(ctx: Writing, operations: ReadonlyMap<string, Operation>): Graph {
  // What an operation says of its own answer is not said of the graph's.
  const quiet = { ...ctx, reply: () => undefined };
  return {
    ctx,
    perform(id, input) {
      const operation = operations.get(id);
      if (!operation) throw new InvariantError(`the graph needs ${id}, which there is not`);
      const parsed = operation.input.safeParse(input);
      if (!parsed.success) {
        const [issue] = parsed.error.issues;
        throw new GraphError(
          'UNPROCESSABLE',
          `${issue?.path.map(String).join('.') ?? ''}: ${issue?.message ?? ''}`,
        );
      }
      return operation.run(quiet as unknown as Parameters<Operation['run']>[0], parsed.data as never) as Json;
    },
  };
}

/** The same, as the object that it is. */
export function performed(graph: Graph, operation: string, input: JsonObject): JsonObject {
  return graph.perform(operation, input) as JsonObject;
}

/** Computes a value once, when it is first asked for. */
export function once<Value>(compute: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: compute() };
    return made.value;
  };
}
