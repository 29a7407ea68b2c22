/**
 * A `sitecustomize` module that has Python look up every host but those of this machine as the proxy: also
 * for clients that heed no proxy variables (`http.client`, urllib3, aiohttp). Hosts that are allowed stay as
 * they are. For any Python 3; another `sitecustomize` behind it on the path is run too.
 */
export function pythonPreloadSource({
  port,
  allow,
}: {
  readonly port: number;
  readonly allow: readonly string[];
}): string {
  return `import importlib.machinery
import importlib.util
import os
import re
import socket
import sys

PORT = ${port}
ALLOWED = frozenset(${JSON.stringify(allow)})
LOCAL = re.compile(r"(localhost|.*\\.localhost|127\\.[0-9.]+|::1|0\\.0\\.0\\.0|::|)$", re.IGNORECASE)

look_up = socket.getaddrinfo


def getaddrinfo(host, port, family=0, type=0, proto=0, flags=0):
    name = host.decode("ascii", "replace") if isinstance(host, bytes) else host or ""
    name = str(name).lower()
    to_listen = flags & socket.AI_PASSIVE or type == socket.SOCK_DGRAM
    if to_listen or LOCAL.match(name) or name in ALLOWED or name == socket.gethostname().lower():
        return look_up(host, port, family, type, proto, flags)
    tcp = (socket.SOCK_STREAM, socket.IPPROTO_TCP, "")
    if family == socket.AF_INET6:
        return [(socket.AF_INET6, *tcp, ("::ffff:127.0.0.1", PORT, 0, 0))]
    return [(socket.AF_INET, *tcp, ("127.0.0.1", PORT))]


socket.getaddrinfo = getaddrinfo

here = os.path.dirname(os.path.abspath(__file__))
others = [path for path in sys.path if os.path.abspath(path) != here]
found = importlib.machinery.PathFinder.find_spec("sitecustomize", others)
if found and found.loader:
    found.loader.exec_module(importlib.util.module_from_spec(found))
`;
}
