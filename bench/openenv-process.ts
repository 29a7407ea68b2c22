import { type ChildProcess, fork } from 'node:child_process';

/** What the measured server has used so far. */
export interface Usage {
  /** CPU time, user and system, in microseconds. */
  readonly cpu: number;
  readonly sessions: number;
  /** Bytes, the heap after a collection; 0 where memory was not asked for. */
  readonly heap: number;
  readonly resident: number;
}

/** A server in a process of its own, so that the load does not count. */
export interface MeasuredServer {
  readonly url: string;
  readonly port: number;
  /** Of a session that is open already. */
  readonly token: string;
  usage(what?: 'cpu' | 'memory'): Promise<Usage>;
  stop(): void;
}

export async function startMeasuredServer(
  kind: 'services' | 'scenarios',
  name: string,
): Promise<MeasuredServer> {
  const child = fork(new URL('openenv-server.ts', import.meta.url), [kind, name], {
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const started = (await message(child)) as { url: string; port: number; token: string };
  return {
    ...started,
    usage: async (what = 'cpu') => {
      const answer = message(child);
      child.send(what);
      return (await answer) as Usage;
    },
    stop: () => child.disconnect(),
  };
}

function message(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const ended = (): void => reject(new Error('the server ended'));
    child.once('exit', ended);
    child.once('message', (told) => {
      child.off('exit', ended);
      resolve(told);
    });
  });
}
