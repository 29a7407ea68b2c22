import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** A server reaches nobody. Everything in the sources that could open a connection is named here, and why. */

const ROOT = new URL('../../src/', import.meta.url).pathname;

/** What can open a connection: functions of Node's modules by their import, and globals. */
const OPENERS = {
  'node:http': ['request', 'get', 'Agent', 'ClientRequest'],
  'node:https': ['request', 'get', 'Agent'],
  'node:http2': ['connect'],
  'node:net': ['connect', 'createConnection', 'Socket'],
  'node:tls': ['connect', 'TLSSocket'],
  'node:dgram': ['createSocket'],
} as const;
/** Packages that are loaded on demand and speak to providers of models. */
const PROVIDERS = /\bimport\('@ai-sdk\//u;
const GLOBALS = /\b(?:fetch|WebSocket|EventSource)\s*\(/u;

const ALLOWED: Readonly<Record<string, string>> = {
  'fidelity/client.ts': 'asks the real service, when `--live` names it',
  'gateway/control/client.ts': 'is a client: it runs in the program of whoever steers a server',
  'gateway/proxy/forward.ts': 'hands on to our own listener, and to hosts that --allow names',
  'gateway/proxy/proxy.ts': 'speaks TLS on connections that programs have opened to it',
  'gateway/webhooks/webhooks.ts': 'webhooks, to this machine alone',
  'llm/providers/index.ts': 'asks the model that --agent or --judge names',
  'runner/scorers/http.ts': 'asks the scorer that `score --scorer` names',
};

/** The openers that a file brings in or calls. */
function openersOf(text: string): string[] {
  const found: string[] = GLOBALS.test(text) ? ['a global'] : [];
  if (PROVIDERS.test(text)) found.push('a provider package');
  for (const match of text.matchAll(/import\s+(type\s+)?([^;]*?)\s+from\s+'(node:\w+)'/gu)) {
    const [, typeOnly, names = '', module = ''] = match;
    if (typeOnly || !Object.hasOwn(OPENERS, module)) continue;
    const openers: readonly string[] = OPENERS[module as keyof typeof OPENERS];
    if (!names.startsWith('{')) found.push(module);
    for (const name of names.replaceAll(/[{}\s]/gu, ' ').split(',')) {
      const [first = '', second] = name.trim().split(/\s+/u);
      if (first !== 'type' && openers.includes(first)) found.push(`${module} ${second ?? first}`);
    }
  }
  return found;
}

const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
);
const opening = files.filter((file) => openersOf(readFileSync(join(ROOT, file), 'utf8')).length > 0);

describe('outgoing connections', () => {
  it('are opened nowhere but where it is said why', () => {
    expect(opening.toSorted()).toEqual(Object.keys(ALLOWED).toSorted());
  });

  it.each([
    "import { request } from 'node:http';",
    "import { createServer, get as load } from 'node:https';",
    "import net from 'node:net';",
    "import * as tls from 'node:tls';",
    'const page = await fetch(address);',
    'new WebSocket(address)',
    "const { createAnthropic } = await import('@ai-sdk/anthropic');",
  ])('would be seen: %s', (text) => {
    expect(openersOf(text)).not.toEqual([]);
  });

  it.each([
    "import type { Socket } from 'node:net';",
    "import { createServer, type Socket } from 'node:net';",
  ])('are not opened by %s', (text) => {
    expect(openersOf(text)).toEqual([]);
  });
});
