import { request } from 'node:http';
import { UsageError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import type { StepRecord } from '../../trajectory/index.ts';

/** What an operation caused besides its rows, as it is sent out. */
export interface EventNotice {
  readonly session: string;
  readonly step: number;
  readonly tool: string;
  readonly events: readonly { readonly type: string; readonly data: Json }[];
}

export interface WebhookOptions {
  /** Where notices go: `http://` addresses of this machine. */
  readonly targets: readonly string[];
  /** How long one delivery may take; 5 seconds when left out. */
  readonly timeoutMs?: number;
  /** Told of a delivery that failed; it is not tried again. */
  readonly failed?: (target: string, reason: string) => void;
}

const TIMEOUT_MS = 5_000;
/** Notices that wait at most; those beyond are dropped and told as failed. */
const WAITING_MOST = 10_000;

/**
 * Sends what sessions cause to listeners on this machine: the only requests that a server ever makes. Notices
 * arrive in the order of the steps; no call waits for one, and no world knows of them.
 */
export class Webhooks {
  readonly #targets: readonly URL[];
  readonly #options: WebhookOptions;
  #tail: Promise<void> = Promise.resolve();
  #waiting = 0;
  readonly #closing = new AbortController();

  /** @throws UsageError for a target that is no `http://` address of this machine. */
  constructor(options: WebhookOptions) {
    this.#options = options;
    this.#targets = options.targets.map(loopbackTarget);
  }

  /** Sends what a step caused; most cause nothing. */
  step(session: string, line: string): void {
    const notice = noticeOf(session, line);
    if (notice) this.send(notice);
  }

  send(notice: EventNotice): void {
    if (this.#waiting >= WAITING_MOST) {
      for (const target of this.#targets) this.#options.failed?.(target.href, 'too many notices wait');
      return;
    }
    this.#waiting += 1;
    const text = JSON.stringify({ ...notice, events: [...notice.events] } satisfies Record<
      keyof EventNotice,
      unknown
    >);
    this.#tail = this.#tail.then(async () => {
      await Promise.all(this.#targets.map((target) => this.#deliver(target, text)));
      this.#waiting -= 1;
    });
  }

  /** Resolves once everything that was sent up to now has arrived, or failed. */
  settled(): Promise<void> {
    return this.#tail;
  }

  /** Waits as long as one delivery may take for what is under way and behind it. */
  async close(): Promise<void> {
    const { timeoutMs = TIMEOUT_MS } = this.#options;
    const late = setTimeout(() => this.#closing.abort(), timeoutMs);
    await this.#tail;
    clearTimeout(late);
  }

  async #deliver(target: URL, text: string): Promise<void> {
    const { timeoutMs = TIMEOUT_MS, failed } = this.#options;
    const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), this.#closing.signal]);
    const problem = await post(target, text, signal);
    if (problem !== null) failed?.(target.href, problem);
  }
}

/** Null when it was taken; what went wrong otherwise. */
function post(target: URL, text: string, signal: AbortSignal): Promise<string | null> {
  return new Promise((resolve) => {
    const outgoing = request(
      {
        // The name itself is not looked up: it could stand for another machine.
        host: target.hostname === '[::1]' ? '::1' : '127.0.0.1',
        port: target.port === '' ? 80 : Number(target.port),
        path: `${target.pathname}${target.search}`,
        method: 'POST',
        headers: {
          host: target.host,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(text),
        },
        signal,
        agent: false,
      },
      (answer) => {
        answer.resume();
        const { statusCode = 0 } = answer;
        answer.on('error', (error) => resolve(error.message));
        answer.once('close', () => resolve(statusCode < 300 ? null : `answered with ${statusCode}`));
      },
    );
    outgoing.on('error', (error) => resolve(error.message));
    outgoing.end(text);
  });
}

function loopbackTarget(text: string): URL {
  const target = URL.canParse(text) ? new URL(text) : null;
  const local = target !== null && /^(?:localhost|127\.0\.0\.1|\[::1\])$/u.test(target.hostname);
  if (target?.protocol === 'http:' && local && target.username === '') return target;
  throw new UsageError('not-loopback', `${text} is no http:// address of this machine`, {
    hint: 'webhooks go to this machine only, such as http://127.0.0.1:9000/hook',
  });
}

/** What a step line has to tell; null for most, which is seen without reading it. */
function noticeOf(session: string, line: string): EventNotice | null {
  if (line.includes('"events":[]')) return null;
  const { index, tool, events } = JSON.parse(line) as Pick<StepRecord, 'index' | 'tool' | 'events'>;
  return events.length > 0 ? { session, step: index, tool, events } : null;
}
