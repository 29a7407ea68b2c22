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
  } finally {
    process.removeListener('SIGINT', stop);
  }
}
