/**
 * Writes `src/catalog/behaviour.ts`: the identity of the code that makes worlds behave. Comments, types and
 * white space do not count, so that only a change of behaviour changes it. `--check` only compares.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { minifySync, transformSync } from 'rolldown/experimental';

const ROOT = new URL('..', import.meta.url).pathname;
const TARGET = join(ROOT, 'src/catalog/behaviour.ts');
const ENGINE_FOLDERS = ['base', 'world', 'service', 'faults', 'session'];

/** Source and data files of a folder, tests left out, by path. */
function sourcesOf(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:ts|json)$/u.test(file) && !file.endsWith('.test.ts'))
    .map((file) => `${folder}/${file}`)
    .sort();
}

/** A file as it works: code without types, comments and white space; data without white space. */
function essence(file: string): string {
  const source = readFileSync(join(ROOT, file), 'utf8');
  if (file.endsWith('.json')) return JSON.stringify(JSON.parse(source));
  const script = transformSync(file, source).code;
  return minifySync(file, script, { compress: false, mangle: false, codegen: { removeWhitespace: true } })
    .code;
}

function digestOf(folders: readonly string[]): string {
  const digest = createHash('sha256');
  for (const file of folders.flatMap(sourcesOf)) digest.update(`${file}\n${essence(file)}\n`);
  return digest.digest('hex');
}

/** The text of `src/catalog/behaviour.ts` for the sources as they stand. */
export function behaviourModule(): string {
  const services = readdirSync(join(ROOT, 'src/services')).sort();
  const lines = services.map((name) => `    ${name}: '${digestOf([`src/services/${name}`])}',`);
  return [
    '/** Written by `npm run behaviour`: the identity of the code that makes worlds behave. Not edited by hand. */',
    "import type { BehaviourRecord } from '../trajectory/types.ts';",
    '',
    'export const BEHAVIOUR: BehaviourRecord = {',
    `  engine: '${digestOf(ENGINE_FOLDERS.map((folder) => `src/${folder}`))}',`,
    '  services: {',
    ...lines,
    '  },',
    '};',
    '',
  ].join('\n');
}

if (import.meta.main) {
  const text = behaviourModule();
  if (!process.argv.includes('--check')) writeFileSync(TARGET, text);
  else if (readFileSync(TARGET, 'utf8') !== text) {
    console.error('src/catalog/behaviour.ts is stale: run `npm run behaviour`');
    process.exitCode = 1;
  }
}
