import { CONTROL_PREFIX, controlDoor } from './control/index.ts';
import { CONTROL_TOKEN, drawToken, type SessionHost } from './host/index.ts';
import {
  type Door,
  type ListenerLimits,
  type Listening,
  listen,
  Pacing,
  type RestOptions,
  restDoor,
  tokenMask,
} from './http/index.ts';

/** How a server listens, and how it turns real time into virtual time and back. */
export interface ServerOptions {
  /** The address to listen on; 127.0.0.1 when left out. */
  readonly host?: string;
  /** A free one when left out or 0. */
  readonly port?: number;
  /** What opens the control plane; drawn when left out. */
  readonly controlToken?: string;
  readonly limits?: ListenerLimits;
  /**
   * `observed`: the real time between an answer and the next call of a session passes in its world too,
   * `scale` virtual milliseconds for each real one. `fixed`, the default: only calls take time.
   */
  readonly time?: RestOptions['time'];
  /** `real`: an answer is held back for as long as the call took in virtual time. `none` when left out. */
  readonly pace?: RestOptions['pace'];
  /** With exactly one open session, any token or none is taken as its first actor's. */
  readonly permissive?: boolean;
  /** Further doors, asked after the control plane and before REST; `pacing` is `time` and `pace` for all. */
  readonly doors?: (host: SessionHost, pacing: Pacing) => readonly Door[];
  /** Takes one object per thing worth knowing; tokens are masked in it. */
  readonly log?: (line: object) => void;
}

/** A server that is up. */
export interface RunningServer {
  /** Such as `http://127.0.0.1:4747`. */
  readonly url: string;
  readonly port: number;
  readonly control: { readonly url: string; readonly token: string };
  readonly host: SessionHost;
  /** Stops accepting, lets what is under way end, then closes every connection. */
  close(): Promise<void>;
}

/**
 * Starts one listener with every door to the sessions of `host`.
 * @throws Error as node:net does when the address cannot be had.
 */
export async function startServer(host: SessionHost, options: ServerOptions = {}): Promise<RunningServer> {
  const { controlToken = drawToken(CONTROL_TOKEN), log } = options;
  const { time, pace, permissive } = options;
  const pacing = new Pacing({ ...(time && { time }), ...(pace && { pace }) });
  let listening: Listening | null = null;
  const doors: Door[] = [
    controlDoor(host, {
      token: controlToken,
      listener: () => listening,
    }),
    ...(options.doors?.(host, pacing) ?? []),
    restDoor(host, { pacing, ...(permissive !== undefined && { permissive }) }),
  ];
  const mask = tokenMask(host.source.services);
  listening = await listen(doors, {
    ...(options.host !== undefined && { host: options.host }),
    ...(options.port !== undefined && { port: options.port }),
    ...(options.limits && { limits: options.limits }),
    ...(log && {
      failed: (error, door) => log(failureLine(error, door, mask)),
      answered: (entry) => log({ event: 'request', ...entry, path: mask(entry.path) }),
    }),
  });
  const { port, url } = listening;
  return {
    url,
    port,
    control: { url: `${url}${CONTROL_PREFIX}`, token: controlToken },
    host,
    close: () => listening?.close() ?? Promise.resolve(),
  };
}

/** A failure of ours as it is logged: what a stack holds of a client's tokens is masked. */
function failureLine(error: unknown, door: string, mask: (text: string) => string): object {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  return {
    event: 'failure',
    door,
    error: name,
    message: mask(message),
    ...(stack && { stack: mask(stack) }),
  };
}
