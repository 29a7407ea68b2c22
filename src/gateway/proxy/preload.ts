/**
 * A module for `node --require` that turns all of the program's connections towards the proxy: also in
 * versions of Node and in clients that heed no proxy variables. Names and addresses of the loopback
 * interface, and hosts that are allowed, stay as they are. Plain CommonJS, for any Node.
 */
export function preloadSource({
  port,
  allow,
}: {
  readonly port: number;
  readonly allow: readonly string[];
}): string {
  return `'use strict';
const net = require('node:net');
const PORT = ${port};
const ALLOWED = new Set(${JSON.stringify(allow)});
const LOCAL = /^(localhost|.*\\.localhost|127\\.[0-9.]+|::1|\\[::1\\]|0\\.0\\.0\\.0|::)$/i;
const connect = net.Socket.prototype.connect;

function turned(options) {
  if (!options || typeof options !== 'object' || options.path || !options.host) return options;
  const host = String(options.host).toLowerCase();
  if (LOCAL.test(host) || ALLOWED.has(host)) return options;
  return { ...options, host: '127.0.0.1', port: PORT, family: 4, lookup: undefined, localAddress: undefined };
}

net.Socket.prototype.connect = function (...given) {
  const [first] = given;
  if (Array.isArray(first)) {
    // What net.connect and tls.connect hand over: options and listener, marked by a symbol that must stay.
    const options = turned(first[0]);
    if (options !== first[0]) first[0] = options;
    return connect.apply(this, given);
  }
  if (first !== null && typeof first === 'object') {
    return connect.apply(this, [turned(first), ...given.slice(1)]);
  }
  if (typeof given[1] === 'string') {
    return connect.apply(this, [turned({ port: first, host: given[1] }), ...given.slice(2)]);
  }
  return connect.apply(this, given);
};
`;
}
