import { SessionHost } from '../src/gateway/host/index.ts';
import { listen } from '../src/gateway/http/index.ts';
import { mcpDoor } from '../src/gateway/mcp/index.ts';
import { openEnvDoor } from '../src/gateway/openenv/index.ts';
import { servedSource } from '../src/runner/served.ts';
import { cpuMicros, heapAfterCollection } from './measure.ts';

/**
 * The measured process: MCP and OpenEnv on one listener. Says where it listens, then answers each message of
 * its parent with what it has used so far. Run with `--expose-gc`.
 */
const [, , kind, name = ''] = process.argv;
const source = await servedSource(kind === 'services' ? { services: [name] } : { scenarios: [name] });
const host = new SessionHost({ source, sessionsMost: 100_000, nowMs: Date.now });
const listening = await listen([mcpDoor(host), openEnvDoor(host)]);
const session = host.open();
const token = session.credentials.find(({ service }) => service === null)?.token;
process.on('message', (asked) => {
  const memory =
    asked === 'memory' ? { heap: heapAfterCollection(), resident: process.memoryUsage().rss } : {};
  process.send?.({ cpu: cpuMicros(), sessions: host.size, ...memory });
});
process.on('disconnect', () => process.exit());
process.send?.({ url: listening.url, port: listening.port, token });
