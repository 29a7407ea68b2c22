import { delimiter } from 'node:path';

/** What a program's environment is made from. */
export interface ChildEnvironmentOptions {
  /** The environment to start from, such as `process.env`. */
  readonly base: Readonly<Record<string, string | undefined>>;
  readonly proxyUrl: string;
  /** Files of the proxy's authority. */
  readonly authority: {
    readonly bundle: string;
    readonly certificate: string;
    readonly preload: string;
    readonly pythonPath: string;
  };
  /** Tokens by the variable that programs look for them in. */
  readonly tokens: Readonly<Record<string, string>>;
}

/** Programs that talk to themselves over the network keep doing so directly. */
const LOOPBACK = 'localhost,127.0.0.1,::1,.localhost';

/** Variables that replace a runtime's trusted certificates by those of a file. */
const BUNDLE_VARIABLES = [
  'SSL_CERT_FILE',
  'REQUESTS_CA_BUNDLE',
  'CURL_CA_BUNDLE',
  'GIT_SSL_CAINFO',
  'PIP_CERT',
  'AWS_CA_BUNDLE',
  'CARGO_HTTP_CAINFO',
] as const;

/**
 * The environment in which the common runtimes (Node, Python, curl, Go, git, `gh`) send their requests to the
 * proxy, trust it, and find the session's tokens. Pure.
 */
export function childEnvironment({
  base,
  proxyUrl,
  authority,
  tokens,
}: ChildEnvironmentOptions): Record<string, string> {
  const kept = Object.entries(base).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const bundle = BUNDLE_VARIABLES.map((name) => [name, authority.bundle]);
  const proxy = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].flatMap((name) => bothCases(name, proxyUrl));
  return {
    ...Object.fromEntries(kept),
    ...Object.fromEntries([...bundle, ...proxy, ...bothCases('NO_PROXY', LOOPBACK)]),
    NODE_EXTRA_CA_CERTS: authority.certificate,
    DENO_CERT: authority.certificate,
    NODE_USE_ENV_PROXY: '1',
    NODE_OPTIONS: [base.NODE_OPTIONS, `--require ${quoted(authority.preload)}`].filter(Boolean).join(' '),
    PYTHONPATH: [authority.pythonPath, base.PYTHONPATH].filter(Boolean).join(delimiter),
    ...tokens,
  };
}

function bothCases(name: string, value: string): [string, string][] {
  return [
    [name, value],
    [name.toLowerCase(), value],
  ];
}

/** As NODE_OPTIONS takes a path that has spaces. */
function quoted(path: string): string {
  return /[\s"\\]/u.test(path) ? `"${path.replace(/["\\]/gu, '\\$&')}"` : path;
}
