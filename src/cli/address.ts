import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { UsageError } from '../base/errors.ts';
import type { Invocation } from './command.ts';
import { textOption } from './options.ts';

/** Where a server listens, and who may reach its control plane. */

export const PORT = '4747';
const PORT_MOST = 65_535;
/** A control token that someone else could guess opens every world. */
const CONTROL_TOKEN_CHARACTERS_LEAST = 16;

export interface Address {
  readonly host: string;
  readonly port: number;
  readonly controlToken?: string;
}

/** @throws UsageError for a port or a host that is none, and for an open address without a control token. */
export async function addressOf(options: Invocation['options']): Promise<Address> {
  const port = portOf(options);
  const host = textOption(options, 'host') ?? '127.0.0.1';
  await assertHost(host);
  const controlToken = textOption(options, 'control-token') ?? process.env.GROUNDHOG_CONTROL_TOKEN;
  if (controlToken === undefined && !isLoopback(host)) {
    throw new UsageError(
      'open-address',
      `${host} can be reached from other machines: it needs a control token`,
      {
        hint: '--control-token TOKEN, or GROUNDHOG_CONTROL_TOKEN in the environment',
      },
    );
  }
  if (controlToken !== undefined && controlToken.length < CONTROL_TOKEN_CHARACTERS_LEAST) {
    throw new UsageError(
      'weak-token',
      `a control token has at least ${CONTROL_TOKEN_CHARACTERS_LEAST} characters, lest it be guessed`,
    );
  }
  return { host, port, ...(controlToken !== undefined && { controlToken }) };
}

function portOf(options: Invocation['options']): number {
  const text = textOption(options, 'port') ?? PORT;
  const port = Number(text);
  if (/^\d+$/u.test(text) && port <= PORT_MOST) return port;
  throw new UsageError(
    'bad-option',
    `--port takes a port from 0 to ${PORT_MOST}, not ${JSON.stringify(text)}`,
    { hint: `--port ${PORT}, or --port 0 for a free one` },
  );
}

async function assertHost(host: string): Promise<void> {
  if (isIP(host) !== 0) return;
  try {
    if (host !== '') await lookup(host);
    else throw badHost(host);
  } catch {
    throw badHost(host);
  }
}

function badHost(host: string): UsageError {
  return new UsageError(
    'bad-address',
    `--host takes an address of this machine, not ${JSON.stringify(host)}`,
    {
      hint: '--host 127.0.0.1, or --host 0.0.0.0 for all of its addresses',
    },
  );
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/u.test(host);
}

/** What the system says of an address that cannot be had, as misuse; anything else as it came. */
export function addressProblem(error: unknown, { host, port }: Address): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new UsageError('port-taken', `port ${port} is taken`, { hint: '--port 0 takes a free one' });
    case 'EACCES':
      return new UsageError('port-refused', `port ${port} is not open to this user`, {
        hint: `--port ${PORT}, or --port 0 for a free one`,
      });
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EINVAL':
      return badHost(host);
    default:
      return error;
  }
}
