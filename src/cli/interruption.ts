import { ChatError, type ChatErrorKind } from '../llm/index.ts';
import type { Output } from './command.ts';

/** How far a run is, in trials. */
export interface Standing {
  readonly done: number;
  readonly of: number;
}

/** An interruption says nothing about the agent: infrastructure. */
const EXIT_CODE = 3;

/**
 * Works on a run that Ctrl-C ends in one sentence. The process is left at once: what is done was written
 * whole, programs and locks are let go of as the process exits.
 * @throws ChatError that says how far the run is, where a model stopped it
 */
export async function interruptible<T>(
  output: Output,
  again: string,
  work: (track: (standing: Standing) => void) => Promise<T>,
): Promise<T> {
  let standing: Standing = { done: 0, of: 0 };
  const stop = (): void => {
    const message = `${standing.done} of ${standing.of} trials done; ${again}`;
    output.note(message);
    output.json({ error: { code: 'interrupted', message } });
    process.exit(EXIT_CODE);
  };
  process.once('SIGINT', stop);
  try {
    return await work((now) => {
      standing = now;
    });
  } catch (error) {
    throw error instanceof ChatError ? resumable(error, standing, again) : error;
  } finally {
    process.removeListener('SIGINT', stop);
  }
}

/** Failures that only another model, URL or setting mends: that is another run. */
const OTHER_RUN: ReadonlySet<ChatErrorKind> = new Set(['unknown-model', 'bad-url', 'bad-request']);

/** A failure of a model with what is kept. Before the first trial there is nothing to go on from. */
function resumable(error: ChatError, { done, of }: Standing, again: string): ChatError {
  if (done === 0) return error;
  const { kind, message, hint = '' } = error;
  // Some hints name the command themselves.
  const isSaid = OTHER_RUN.has(kind) || hint.includes('the same command');
  const kept = [`${done} of ${of} trials done`, ...(isSaid ? [] : [again])];
  const whole = [...(hint === '' ? [] : [hint]), ...kept].join('; ');
  return new ChatError(kind, message, { hint: whole, cause: error });
}

/** Resolves as someone asks us to stop. */
export async function untilStopped(): Promise<void> {
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}
