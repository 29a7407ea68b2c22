import { spawn } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect as connectPlain, isIP, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { dirname, join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CertificateAuthority } from './certificates.ts';
import { childEnvironment } from './environment.ts';
import { type RunningProxy, startProxy } from './proxy.ts';

/** Where Node is that knows no proxy variables; its cases are left out on machines without it. */
const OLD_NODE = '/usr/bin/node';

let target: Server;
let proxy: RunningProxy;
const refusedLive: string[] = [];

beforeAll(async () => {
  target = createServer((request, response) => {
    if (request.url === '/lost') {
      request.socket.destroy();
      return;
    }
    if (request.url === '/reset') {
      request.socket.resetAndDestroy();
      return;
    }
    if (request.url === '/half') {
      response.writeHead(200, { 'content-length': 1000 });
      response.write('half of it', () => request.socket.destroy());
      return;
    }
    if (request.method === 'HEAD') {
      response.writeHead(200, { 'content-length': 12_345 }).end();
      return;
    }
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      response.writeHead(207, { 'X-Vendor-Header': 'kept' });
      response.end(
        JSON.stringify({ method: request.method, url: request.url, host: request.headers.host, body }),
      );
    });
  });
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
  proxy = await startProxy({
    target: `http://127.0.0.1:${(target.address() as AddressInfo).port}`,
    hosts: ['api.notes.example'],
    onRefused: (host) => refusedLive.push(host),
  });
});

afterAll(async () => {
  await proxy.close();
  target.close();
});

/** Runs a Node program in the environment of the proxy and gives what it prints. */
async function node(program: string, { binary = process.execPath, type = 'module' } = {}): Promise<unknown> {
  const { PATH } = process.env;
  const env = childEnvironment({
    base: { PATH },
    proxyUrl: proxy.url,
    authority: proxy.authority,
    tokens: {},
  });
  const child = spawn(binary, [`--input-type=${type}`, '-e', program], { env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  await new Promise((resolve) => child.once('close', resolve));
  try {
    return JSON.parse(output);
  } catch {
    return output;
  }
}

const FETCH = `
const response = await fetch('https://api.notes.example/notes?q=1', { method: 'POST', body: 'hello' });
console.log(JSON.stringify({ status: response.status, vendor: response.headers.get('x-vendor-header'),
  ...(await response.json()) }));`;

const HTTPS = `
const https = require('node:https');
const request = https.request('https://api.notes.example/notes?q=1', { method: 'POST' }, (response) => {
  let text = '';
  response.on('data', (chunk) => { text += chunk; });
  response.on('end', () => console.log(JSON.stringify({ status: response.statusCode,
    vendor: response.headers['x-vendor-header'], ...JSON.parse(text) })));
});
request.end('hello');`;

const HTTP = HTTPS.replaceAll('https', 'http');

const ANSWER = {
  status: 207,
  vendor: 'kept',
  method: 'POST',
  url: '/notes?q=1',
  host: 'api.notes.example',
  body: 'hello',
};

const VERSIONS = [
  { version: 'this Node', binary: process.execPath },
  { version: 'an old Node', binary: OLD_NODE },
].filter(({ binary }) => existsSync(binary));

describe.each(VERSIONS)('a program of $version', ({ binary }) => {
  it('reaches the target with fetch, its request and our answer unchanged', async () => {
    expect(await node(FETCH, { binary })).toEqual(ANSWER);
  });

  it('with node:https', async () => {
    expect(await node(HTTPS, { binary, type: 'commonjs' })).toEqual(ANSWER);
  });

  it('with plain node:http', async () => {
    expect(await node(HTTP, { binary, type: 'commonjs' })).toEqual(ANSWER);
  });

  it('with an agent of its own, which heeds no proxy variable', async () => {
    const own = HTTPS.replace(
      "{ method: 'POST' }",
      "{ method: 'POST', agent: new https.Agent({ keepAlive: false }) }",
    );
    expect(await node(own, { binary, type: 'commonjs' })).toEqual(ANSWER);
  });

  it('sees a lost answer as a broken connection', async () => {
    const lost = `await fetch('https://api.notes.example/lost').then(
      (response) => console.log(JSON.stringify(response.status)),
      (error) => console.log(JSON.stringify(error.name)));`;
    expect(await node(lost, { binary })).toBe('TypeError');
  });

  it.each(['lost', 'reset'])('sees an answer that is %s as what it is', async (path) => {
    const asked = `(await import('node:http')).get('http://api.notes.example/${path}')
      .on('error', ({ code, syscall }) => console.log(JSON.stringify([code, syscall ?? null])))`;
    expect(await node(asked, { binary })).toEqual(['ECONNRESET', path === 'reset' ? 'read' : null]);
  });

  it('never takes half an answer for a whole one', async () => {
    const half = `const response = await fetch('https://api.notes.example/half');
      await response.text().then(
        (text) => console.log(JSON.stringify(text)),
        (error) => console.log(JSON.stringify(error.name)));`;
    expect(await node(half, { binary })).toBe('TypeError');
  });

  it('sends large bodies and asks for heads, several requests on one connection', async () => {
    const several = `const url = 'https://api.notes.example/x';
      const body = 'y'.repeat(3_000_000);
      const sent = await (await fetch(url, { method: 'POST', body })).json();
      const streamed = new Blob([body]).stream();
      const chunked = await (await fetch(url, { method: 'POST', body: streamed, duplex: 'half' })).json();
      const head = await fetch(url, { method: 'HEAD' });
      const length = head.headers.get('content-length');
      console.log(JSON.stringify([sent.body === body, chunked.body === body, length]));`;
    expect(await node(several, { binary })).toEqual([true, true, '12345']);
  });

  it('is refused any other host, which is listed and never reached', async () => {
    const before = refusedLive.filter((host) => host === 'api.elsewhere.example').length;
    const other = `const { status } = await fetch('https://api.elsewhere.example/x');
      const plain = await fetch('http://api.elsewhere.example/x');
      console.log(JSON.stringify([status, plain.status, await plain.text()]));`;
    expect(await node(other, { binary })).toEqual([
      403,
      403,
      expect.stringContaining('api.elsewhere.example'),
    ]);
    expect(refusedLive.filter((host) => host === 'api.elsewhere.example').length).toBe(before + 2);
    expect(proxy.refused()).toContainEqual({ host: 'api.elsewhere.example', count: before + 2 });
  });

  it('is refused on any port, and by address', async () => {
    const count = (host: string) => refusedLive.filter((one) => one === host).length;
    const before = count('ports.example');
    const ports = `const urls = ['https://ports.example:8443/', 'http://ports.example:8080/', 'http://192.0.2.1:81/'];
      console.log(JSON.stringify(await Promise.all(urls.map(async (url) => (await fetch(url)).status))));`;
    expect(await node(ports, { binary })).toEqual([403, 403, 403]);
    expect(count('ports.example')).toBe(before + 2);
    expect(count('192.0.2.1')).toBeGreaterThan(0);
  });

  it('reaches its own servers directly', async () => {
    const local = `const { createServer } = await import('node:http');
      const server = createServer((request, response) => response.end('mine')).listen(0, async () => {
        const response = await fetch('http://localhost:' + server.address().port);
        console.log(JSON.stringify(await response.text()));
        process.exit();
      });`;
    expect(await node(local, { binary })).toBe('mine');
  });
});

describe('a Python program that heeds no proxy variable', () => {
  async function python(program: string): Promise<string> {
    const { PATH } = process.env;
    const { authority, url } = proxy;
    const base = { PATH, PYTHONPATH: join(dirname(authority.bundle), 'none') };
    const env = childEnvironment({ base, proxyUrl: url, authority, tokens: {} });
    const child = spawn('python3', ['-c', program], { env });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
      });
    }
    await new Promise((resolve) => child.once('close', resolve));
    return output.trim();
  }

  it('reaches modelled hosts, is refused others on any port, and listens where it will', async () => {
    const told = await python(`
import asyncio, http.client
def ask(host, secure, port=None):
    kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
    connection = kind(host, port)
    connection.request("HEAD", "/x")
    return connection.getresponse().status
print(ask("api.notes.example", True), ask("python.example", True, 8443), ask("192.0.2.9", False, 81))
async def serve():
    server = await asyncio.start_server(lambda reader, writer: writer.close(), "127.0.0.1", 0)
    reader, writer = await asyncio.open_connection("localhost", server.sockets[0].getsockname()[1])
    print(await reader.read())
    server.close()
asyncio.run(serve())
`);
    expect(told).toBe("200 403 403\nb''");
    expect(proxy.refused()).toContainEqual({ host: 'python.example', count: 1 });
    expect(proxy.refused()).toContainEqual({ host: '192.0.2.9', count: 1 });
  });
});

describe('a tunnel to a host that is not modelled', () => {
  async function through(authority: string, options: object): Promise<string> {
    const [name = ''] = authority.split(':');
    const tunnel = request({ host: '127.0.0.1', port: proxy.port, method: 'CONNECT', path: authority }).end();
    const [, socket] = (await once(tunnel, 'connect')) as [unknown, Socket];
    const secure = connect({ socket, ...(isIP(name) === 0 && { servername: name }), host: name, ...options });
    const ended = new Promise((resolve) => secure.once('close', resolve));
    let answer = '';
    secure.on('data', (chunk: Buffer) => {
      answer += chunk.toString();
    });
    secure.on('error', () => undefined);
    secure.once('secureConnect', () => secure.write(`GET / HTTP/1.1\r\nhost: ${name}\r\n\r\n`));
    await ended;
    return answer.split('\r\n', 1)[0] ?? '';
  }

  it('is answered in the name of its address, and listed', async () => {
    const ca = readFileSync(proxy.authority.certificate);
    expect(await through('198.51.100.7:443', { ca })).toBe('HTTP/1.1 403 Forbidden');
    expect(proxy.refused()).toContainEqual({ host: '198.51.100.7', count: 1 });
  });

  it('is listed where the program does not trust us and asks nothing', async () => {
    expect(await through('distrust.example:443', {})).toBe('');
    await expect.poll(() => proxy.refused()).toContainEqual({ host: 'distrust.example', count: 1 });
  });
});

describe('the authority', () => {
  it('is in a folder for this user alone, without its key', () => {
    const folder = dirname(proxy.authority.bundle);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    for (const { parentPath, name } of files) {
      expect(readFileSync(join(parentPath, name), 'utf8')).not.toContain('PRIVATE KEY');
    }
  });

  it('holds one certificate of ours, and the known ones too where hosts are passed through', async () => {
    const count = (file: string) => readFileSync(file, 'utf8').split('BEGIN CERTIFICATE').length - 1;
    expect(count(proxy.authority.bundle)).toBe(1);
    const open = await startProxy({ target: 'http://127.0.0.1:1', hosts: [], allow: ['pypi.example'] });
    expect(count(open.authority.bundle)).toBeGreaterThan(50);
    await open.close();
  });

  it('is gone once the proxy is closed', async () => {
    const other = await startProxy({ target: 'http://127.0.0.1:1', hosts: [] });
    expect(existsSync(other.authority.bundle)).toBe(true);
    await other.close();
    expect(existsSync(other.authority.bundle)).toBe(false);
  });
});

describe('a host that is allowed', () => {
  it('is passed through untouched: the program sees its own certificate', async () => {
    const { key, cert } = (await CertificateAuthority.create()).pairFor('127.0.0.1');
    const real = createTlsServer({ key, cert }, (_request, response) => response.end('real'));
    await new Promise<void>((resolve) => real.listen(0, '127.0.0.1', resolve));
    const { port } = real.address() as AddressInfo;
    const own = new X509Certificate(cert).fingerprint256;
    const open = await startProxy({ target: 'http://127.0.0.1:1', hosts: [], allow: ['127.0.0.1'] });
    expect(await fingerprintThrough(open.port, `127.0.0.1:${port}`)).toBe(own);
    expect(open.refused()).toEqual([]);
    await open.close();
    const shut = await startProxy({ target: 'http://127.0.0.1:1', hosts: [] });
    expect(await fingerprintThrough(shut.port, `127.0.0.1:${port}`)).not.toBe(own);
    await shut.close();
    real.close();
  });
});

it('listens on the loopback interface alone', async () => {
  const outside = Object.values(networkInterfaces())
    .flat()
    .filter((one) => one && !one.internal && one.family === 'IPv4')
    .map((one) => one?.address ?? '');
  for (const host of outside) {
    await expect(once(connectPlain(proxy.port, host), 'connect')).rejects.toThrow('ECONNREFUSED');
  }
  expect(proxy.url).toBe(`http://127.0.0.1:${proxy.port}`);
});

/** The certificate that is seen at the far end of a tunnel. */
async function fingerprintThrough(port: number, authority: string): Promise<unknown> {
  const tunnel = request({ host: '127.0.0.1', port, method: 'CONNECT', path: authority }).end();
  const [, socket] = (await once(tunnel, 'connect')) as [unknown, Socket];
  const secure = connect({ socket, rejectUnauthorized: false });
  await once(secure, 'secureConnect');
  const { fingerprint256 } = secure.getPeerCertificate();
  secure.destroy();
  return fingerprint256;
}

it('refuses to pass a modelled host through', async () => {
  const both = { target: 'http://127.0.0.1:1', hosts: ['a.example'], allow: ['a.example'] };
  await expect(startProxy(both)).rejects.toThrow('a.example is modelled here');
});
