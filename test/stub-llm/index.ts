import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import * as anthropic from './anthropic.ts';
import * as openai from './openai.ts';
import { failsWith, type Scripted, type ScriptedReply } from './scripted.ts';
import { need, type Plain, plain } from './shape.ts';

export * from './scripted.ts';

export interface StubRequest {
  readonly protocol: 'openai' | 'anthropic';
  readonly headers: IncomingMessage['headers'];
  readonly body: Plain;
  /** Counts from 0 over both protocols. */
  readonly index: number;
}

export type StubScript = (request: StubRequest, index: number) => Scripted | Promise<Scripted>;

export interface StubLlm {
  /** Up to the version, for both protocols. */
  readonly baseUrl: string;
  /** What was asked, with what the real API would have refused. */
  readonly requests: readonly StubRequest[];
  /** Requests that are being answered. */
  readonly inFlight: number;
  /** The most that were answered at once. */
  readonly mostInFlight: number;
  /** Why requests were refused as the real API would; whoever takes them has looked. */
  takeRefusals(): string[];
  /** @throws Error when requests were refused and nobody has looked. */
  close(): Promise<void>;
}

export interface StubOptions {
  /** Any other key is refused; every one is taken when left out. */
  readonly key?: string;
  /** Any other model is unknown; every one is known when left out. */
  readonly models?: readonly string[];
}

const WIRES = {
  '/v1/chat/completions': {
    protocol: 'openai',
    check: openai.checkOpenAi,
    answer: openai.openAiAnswer,
    events: openai.openAiEvents,
    error: openai.openAiError,
    errorEvent: openai.openAiErrorEvent,
    keyOf: (headers: IncomingMessage['headers']) => headers.authorization?.replace(/^Bearer /u, ''),
    unknownModel: (model: string) =>
      failsWith(404, {
        type: 'model_not_found',
        message: `The model \`${model}\` does not exist or you do not have access to it.`,
      }),
  },
  '/v1/messages': {
    protocol: 'anthropic',
    check: anthropic.checkAnthropic,
    answer: anthropic.anthropicAnswer,
    events: anthropic.anthropicEvents,
    error: anthropic.anthropicError,
    errorEvent: anthropic.anthropicErrorEvent,
    keyOf: (headers: IncomingMessage['headers']) => {
      need(headers['anthropic-version'] === '2023-06-01', 'anthropic-version: header is required');
      return headers['x-api-key'];
    },
    unknownModel: (model: string) => failsWith(404, { message: `model: ${model}` }),
  },
} as const;

type Wire = (typeof WIRES)[keyof typeof WIRES];

/** A server that speaks both protocols on a free port and answers as the script says. */
export async function startStubLlm(script: StubScript, options: StubOptions = {}): Promise<StubLlm> {
  const stub = new Stub(script, options);
  const server = createServer((request, response) => void stub.serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests: stub.requests,
    get inFlight() {
      return stub.inFlight;
    },
    get mostInFlight() {
      return stub.mostInFlight;
    },
    takeRefusals: () => stub.refusals.splice(0),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      if (stub.refusals.length > 0) throw new Error(`requests were refused: ${stub.refusals.join('; ')}`);
    },
  };
}

class Stub {
  readonly requests: StubRequest[] = [];
  readonly refusals: string[] = [];
  inFlight = 0;
  mostInFlight = 0;
  readonly #script: StubScript;
  readonly #options: StubOptions;

  constructor(script: StubScript, options: StubOptions) {
    this.#script = script;
    this.#options = options;
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.inFlight += 1;
    this.mostInFlight = Math.max(this.mostInFlight, this.inFlight);
    response.on('close', () => {
      this.inFlight -= 1;
    });
    const wire = WIRES[(request.url ?? '') as keyof typeof WIRES] as Wire | undefined;
    if (!wire || request.method !== 'POST') {
      response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not Found</h1>');
      return;
    }
    const index = this.requests.length;
    try {
      const body = plain(JSON.parse(await textOf(request)), 'body');
      const asked: StubRequest = { protocol: wire.protocol, headers: request.headers, body, index };
      this.requests.push(asked);
      await send(response, { wire, body, index, scripted: await this.#answerTo(wire, asked) });
    } catch (error) {
      this.refusals.push(`request ${index}: ${String(error)}`);
      const refused = failsWith(400, { message: String(error) });
      await send(response, { wire, body: {}, index, scripted: refused });
    }
  }

  async #answerTo(wire: Wire, request: StubRequest): Promise<Scripted> {
    const { key, models } = this.#options;
    const given = wire.keyOf(request.headers);
    if (key !== undefined && given !== key) {
      return failsWith(401, { message: `Incorrect API key provided: ${given}` });
    }
    wire.check(request.body);
    const model = String(request.body.model);
    if (models && !models.includes(model)) return wire.unknownModel(model);
    return await this.#script(request, request.index);
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  need(request.headers['content-type'] === 'application/json', 'content-type: not application/json');
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

interface Sending {
  readonly wire: Wire;
  readonly body: Plain;
  readonly index: number;
  readonly scripted: Scripted;
}

async function send(response: ServerResponse, sending: Sending): Promise<void> {
  const { wire, body, index, scripted } = sending;
  if (scripted.kind === 'hang') return;
  if (scripted.kind === 'raw') {
    response.writeHead(scripted.status, { 'content-type': scripted.type }).end(scripted.body);
    return;
  }
  if (scripted.kind === 'error') {
    response
      .writeHead(scripted.status, { 'content-type': 'application/json', ...scripted.headers })
      .end(JSON.stringify(wire.error(scripted)));
    return;
  }
  if (body.stream !== true) {
    const text = JSON.stringify(wire.answer(body, scripted, index));
    response.writeHead(200, { 'content-type': 'application/json' });
    if (scripted.cutAfter === undefined) response.end(text);
    else response.write(text.slice(0, 20), () => response.destroy());
    return;
  }
  const events = wire.events(body, scripted, index);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  await stream(response, failing(wire, scripted, events), scripted);
}

/** The events up to where the script breaks them off, and the error that it puts there. */
function failing({ errorEvent }: Wire, reply: ScriptedReply, events: readonly string[]): readonly string[] {
  const { errorAfter, endAfter, cutAfter } = reply;
  if (errorAfter) {
    const { events: count, ...error } = errorAfter;
    return [...events.slice(0, count), errorEvent(error)];
  }
  return events.slice(0, endAfter ?? cutAfter);
}

async function stream(
  response: ServerResponse,
  events: readonly string[],
  { eventMs, cutAfter }: ScriptedReply,
): Promise<void> {
  for (const event of events) {
    if (response.destroyed) return;
    await new Promise<void>((resolve) => response.write(event, () => resolve()));
    if (eventMs !== undefined) await sleep(eventMs);
  }
  if (cutAfter === undefined) response.end();
  else response.destroy();
}
