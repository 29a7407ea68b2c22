import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { UsageError } from '../base/errors.ts';
import {
  type CorpusRecord,
  type CorpusScenario,
  Redaction,
  recordLive,
  Throttle,
} from '../fidelity/index.ts';
import type { Service } from '../service/types.ts';
import type { Invocation, OptionSpec } from './command.ts';
import { countOption, textOption } from './options.ts';

const REQUESTS = '500';
const INTERVAL_MS = '1000';

/** Flags of asking the real service. */
export const LIVE_OPTIONS: readonly OptionSpec[] = [
  { name: 'live', value: 'url', description: 'ask the real service there, record it, and compare with that' },
  { name: 'token-env', value: 'name', description: 'with --live: the environment variable with the token' },
  {
    name: 'write',
    value: 'org',
    description: 'with --live: a sandbox organisation where things may be made, changed and deleted',
  },
  { name: 'out', value: 'file', description: 'with --live: where the new recording goes, redacted' },
  {
    name: 'requests',
    value: 'n',
    description: 'with --live: how many are sent at most',
    default: REQUESTS,
  },
  {
    name: 'interval',
    value: 'ms',
    description: 'with --live: the least time between two requests; limits of the service are kept besides',
    default: INTERVAL_MS,
  },
];

/**
 * Asks the real service what the corpus asked, and writes what it answers.
 * @throws UsageError when a flag is missing or does not fit.
 */
export function liveRecords(
  service: Service,
  scenarios: readonly CorpusScenario[],
  {
    invocation,
    wanted,
  }: { readonly invocation: Invocation; readonly wanted: (record: CorpusRecord) => boolean },
): Promise<readonly CorpusRecord[]> {
  const { options, output } = invocation;
  const baseUrl = baseUrlOf(textOption(options, 'live') ?? '');
  const token = tokenOf(textOption(options, 'token-env'));
  const file = fileOf(textOption(options, 'out'));
  writeFileSync(file, '');
  return recordLive(scenarios, {
    service,
    baseUrl,
    token,
    wanted,
    sandbox: textOption(options, 'write'),
    redaction: new Redaction([token]),
    requestsMost: countOption(options, 'requests', 1) ?? Number(REQUESTS),
    day: new Date().toISOString().slice(0, 10),
    write: (line) => appendFileSync(file, `${line}\n`),
    note: (text) => output.note(text),
    progress: (done, of) => output.progress(`${done}/${of} live requests`, done === of),
    throttle: new Throttle({
      intervalMs: countOption(options, 'interval', 0) ?? Number(INTERVAL_MS),
      waiting: (reason, durationMs) => output.note(`waiting ${Math.ceil(durationMs / 1_000)} s: ${reason}`),
    }),
  });
}

function baseUrlOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && /^https?:$/u.test(url.protocol) && url.username === '' && url.search === '') {
    return text.replace(/\/$/u, '');
  }
  throw new UsageError('bad-option', `--live takes a base URL, not ${JSON.stringify(text)}`, {
    hint: '--live https://api.github.com',
  });
}

function tokenOf(name: string | undefined): string {
  const hint = '--token-env GITHUB_TOKEN';
  if (name === undefined)
    throw new UsageError('no-token', 'name the variable that holds the token', { hint });
  const token = process.env[name];
  if (token) return token;
  throw new UsageError('no-token', `the environment variable ${name} is not set`);
}

function fileOf(name: string | undefined): string {
  if (name === undefined) {
    throw new UsageError('no-file', 'name the file for the new recording', { hint: '--out FILE' });
  }
  if (existsSync(name)) throw new UsageError('file-exists', `${name} is there already`);
  return name;
}
