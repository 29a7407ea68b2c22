import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The Node releases that must agree to the byte: each goes to a folder of its own, away from
 * `node_modules/.bin`.
 */
export const NODE_VERSIONS = { 22: '22.23.3', 24: '24.21.0', 26: '26.10.0' } as const;

const ROOT = new URL('../..', import.meta.url).pathname;

/** The binary of an installed release. */
export function nodeBinary(major: keyof typeof NODE_VERSIONS): string {
  return join(ROOT, '.nodes', String(major), 'node_modules/.bin/node');
}

/** Installs the releases that are not there yet. */
export function setup(): void {
  for (const [major, version] of Object.entries(NODE_VERSIONS)) {
    const folder = join(ROOT, '.nodes', major);
    if (installedVersion(folder) === `v${version}`) continue;
    mkdirSync(folder, { recursive: true });
    console.log(`Installing Node ${version} into .nodes/${major}`);
    const args = ['install', '--prefix', folder, '--no-save', '--no-fund', '--no-audit', `node@${version}`];
    execFileSync('npm', args, { stdio: ['ignore', 'ignore', 'inherit'] });
  }
}

function installedVersion(folder: string): string | null {
  const binary = join(folder, 'node_modules/.bin/node');
  return existsSync(binary) ? execFileSync(binary, ['--version'], { encoding: 'utf8' }).trim() : null;
}
