import type { Json, JsonObject } from '../base/json.ts';

/**
 * An operation of a composed tool gave an error. A composition may catch it and go on, or end with words of
 * its own; else the operation's answer becomes the tool's.
 */
export class OperationFailed extends Error {
  override readonly name: string = 'OperationFailed';
  readonly operation: string;
  readonly input: JsonObject;
  readonly status: number;
  /** The error's body, as the service's protocol made it. */
  readonly body: Json;

  constructor(failed: {
    readonly operation: string;
    readonly input: JsonObject;
    readonly status: number;
    readonly body: Json;
  }) {
    super(`${failed.operation} gave ${failed.status}`);
    this.operation = failed.operation;
    this.input = failed.input;
    this.status = failed.status;
    this.body = failed.body;
  }
}

/**
 * Ends a composed tool with an error in the words that the agent is given; `cause` is the operation that
 * failed, where one did.
 */
export class ToolFailed extends Error {
  override readonly name: string = 'ToolFailed';
  readonly body: Json;

  constructor(body: Json, cause?: OperationFailed) {
    super(typeof body === 'string' ? body : 'the tool failed', { cause });
    this.body = body;
  }
}
