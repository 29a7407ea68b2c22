import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, resolve } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where a person typed the command, and their environment. */
export interface Caller {
  readonly folder: string;
  readonly environment: Environment;
}

/** The folder that `npm run groundhog` goes to first. */
const CHECKOUT = new URL('../../..', import.meta.url).pathname;

/**
 * Who called: `npm run groundhog` goes to the checkout and puts its own variables and folders in front, which
 * are not the caller's. The scripts of others, who have us as a package, mean their own folder and programs.
 */
export function callerOf(
  environment: Environment = process.env,
  folder: string = process.cwd(),
  checkout: string = CHECKOUT,
): Caller {
  const { INIT_CWD: typedIn, npm_lifecycle_event: script, npm_package_json: manifest } = environment;
  const isOurs = script === 'groundhog' && manifest !== undefined && isSame(dirname(manifest), checkout);
  if (!isOurs || typedIn === undefined || !isSame(folder, checkout)) return { folder, environment };
  const { INIT_CWD: _typedIn, NODE: node, ...others } = environment;
  const kept = Object.entries(others).filter(([name]) => !name.startsWith('npm_'));
  return {
    folder: typedIn,
    environment: {
      ...Object.fromEntries(kept),
      ...(node !== undefined && node !== environment.npm_node_execpath && { NODE: node }),
      ...(environment.PATH !== undefined && { PATH: withoutNpm(environment.PATH) }),
      ...(environment.PWD !== undefined && { PWD: typedIn }),
    },
  };
}

/** A path as the caller means it; as it was given where we work in the caller's folder. */
export function fromCaller({ folder }: Caller, path: string): string {
  return folder === process.cwd() ? path : resolve(folder, path);
}

/** npm puts the programs of each folder upwards in front, and its own folder behind them, which ends them. */
function withoutNpm(path: string): string {
  const folders = path.split(delimiter);
  const own = folders.findIndex((folder) => /[/\\]node-gyp-bin$/u.test(folder));
  const isNpm = (folder: string): boolean => /[/\\]node_modules[/\\]\.bin$/u.test(folder);
  if (own >= 0 && folders.slice(0, own).every(isNpm)) return folders.slice(own + 1).join(delimiter);
  const first = folders.findIndex((folder) => !isNpm(folder));
  return folders.slice(Math.max(first, 0)).join(delimiter);
}

function isSame(one: string, other: string): boolean {
  return existsSync(one) && existsSync(other) && realpathSync(one) === realpathSync(other);
}
