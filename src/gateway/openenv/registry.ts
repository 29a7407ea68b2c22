import { digestText } from '../../base/digest.ts';
import { drawToken, ENVIRONMENT_TOKEN, type SessionHost } from '../host/index.ts';
import { EnvInstance } from './instance.ts';
import { DEFAULT_IDLE_MS, DEFAULT_SESSIONS_MOST, type OpenEnvOptions } from './options.ts';

/** Environments without a connection that nobody has come back to are kept up to this number. */
const UNCLAIMED_MOST = 64;

/** How often one looks for environments that nobody uses any more. */
const SWEEP_MS = 30_000;

interface Kept {
  readonly id: string;
  readonly instance: EnvInstance;
  usedAtMs: number;
  /** True while a WebSocket speaks for it. */
  attached: boolean;
  closing: boolean;
}

/** Environments that outlive a request: of HTTP clients, of MCP sessions. By unguessable id. */
export class Registry {
  readonly #host: SessionHost;
  readonly #options: OpenEnvOptions;
  /** By the hash of their ids, so that the time of a look-up tells nothing about an id. */
  readonly #kept = new Map<string, Kept>();
  /** By session and actor. */
  readonly #adopted = new Map<string, { readonly session: string; readonly instance: EnvInstance }>();
  /** Ids that were given out unasked and never came back, the oldest first. */
  #unclaimed: string[] = [];
  #connections = 0;
  #sweeping: NodeJS.Timeout | null = null;

  constructor(host: SessionHost, options: OpenEnvOptions) {
    this.#host = host;
    this.#options = options;
  }

  /** What is in use, and what may be. */
  get room(): { readonly active: number; readonly most: number } {
    return {
      active: this.#connections + this.#kept.size,
      most: this.#options.sessionsMost ?? DEFAULT_SESSIONS_MOST,
    };
  }

  get hasRoom(): boolean {
    const { active, most } = this.room;
    return active < most;
  }

  connected(): void {
    this.#connections += 1;
  }

  disconnected(): void {
    this.#connections -= 1;
  }

  /** A new environment. An `unclaimed` one is closed when too many follow before anyone asks for it. */
  async create({ unclaimed = false } = {}): Promise<Kept> {
    this.#sweeping ??= setInterval(() => this.sweep().catch(() => undefined), SWEEP_MS).unref();
    const instance = new EnvInstance(this.#host, this.#options);
    const kept = {
      id: drawToken(ENVIRONMENT_TOKEN),
      instance,
      usedAtMs: Date.now(),
      attached: false,
      closing: false,
    };
    this.#kept.set(digestText(kept.id), kept);
    if (unclaimed) this.#unclaimed.push(kept.id);
    while (this.#unclaimed.length > UNCLAIMED_MOST) await this.close(this.#unclaimed.shift() ?? '');
    return kept;
  }

  /** An environment that its caller closes. */
  temporary(): EnvInstance {
    return new EnvInstance(this.#host, this.#options);
  }

  /** The environment of this id; undefined when there is none. From now on somebody has come back to it. */
  find(id: string): Kept | undefined {
    const kept = this.#kept.get(digestText(id));
    if (!kept) return undefined;
    kept.usedAtMs = Date.now();
    if (this.#unclaimed.length > 0) this.#unclaimed = this.#unclaimed.filter((one) => one !== id);
    return kept;
  }

  /** Whether there is an environment of this id: without taking it for somebody's coming back. */
  has(id: string): boolean {
    return this.#kept.has(digestText(id));
  }

  /** The environment on the session that a token opens, as its actor; undefined for any other token. */
  adopt(token: string): EnvInstance | undefined {
    const credential = this.#host.credential(token);
    if (credential?.service !== null) return undefined;
    const { session: id, actor } = credential;
    const key = `${id} ${actor}`;
    const known = this.#adopted.get(key);
    if (known) return known.instance;
    const session = this.#host.session(id);
    if (!session) return undefined;
    for (const [other, kept] of this.#adopted) {
      if (!this.#host.session(kept.session)) this.#adopted.delete(other);
    }
    const instance = new EnvInstance(this.#host, this.#options, { session, actor });
    this.#adopted.set(key, { session: id, instance });
    return instance;
  }

  async close(id: string): Promise<void> {
    const key = digestText(id);
    const kept = this.#kept.get(key);
    this.#kept.delete(key);
    await kept?.instance.close();
  }

  /** Closes what nobody has used for long. */
  async sweep(): Promise<void> {
    const before = Date.now() - (this.#options.idleMs ?? DEFAULT_IDLE_MS);
    for (const { id, usedAtMs, attached } of [...this.#kept.values()]) {
      if (usedAtMs < before && !attached) await this.close(id);
    }
  }

  async closeAll(): Promise<void> {
    if (this.#sweeping) clearInterval(this.#sweeping);
    for (const { id } of [...this.#kept.values()]) await this.close(id);
    for (const { instance } of this.#adopted.values()) await instance.close();
  }
}

export type { Kept };
