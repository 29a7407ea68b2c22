/**
 * The server process of the REST benchmark: our doors and, beside them, a bare `node:http` server that sends
 * a body which it is given. Its parent asks for CPU time over IPC. The argument names service and seed size.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SessionHost } from '../src/gateway/host/index.ts';
import { startServer } from '../src/gateway/serve.ts';
import { servedSource } from '../src/runner/served.ts';
import { cpuMicros } from './measure.ts';

const directory = mkdtempSync(join(tmpdir(), 'groundhog-bench-'));
const host = new SessionHost({
  source: await servedSource({ services: [process.argv[2] ?? 'helpdesk'] }),
  sessionsMost: 1_000_000,
  nowMs: Date.now,
  state: { directory, durability: 'batch' },
});
const server = await startServer(host);
let bareBody = '{}';
const bare = createServer((request, response) => {
  // A server that takes a body at all has to read it.
  request.on('data', () => {});
  request.on('end', () => {
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(bareBody),
    });
    response.end(bareBody);
  });
});
await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve));

process.on('message', (message: { readonly ask: string; readonly body?: string }) => {
  if (message.body !== undefined) bareBody = message.body;
  if (message.ask === 'exit') {
    rmSync(directory, { recursive: true, force: true });
    process.exit(0);
  }
  process.send?.({ cpuMicros: cpuMicros() });
});
process.send?.({
  port: server.port,
  barePort: (bare.address() as AddressInfo).port,
  token: server.control.token,
});
