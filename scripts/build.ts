/**
 * Builds `dist/` for publishing: compiled sources, declarations, and the banks with their modules as
 * JavaScript.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'rolldown/experimental';

const ROOT = new URL('..', import.meta.url).pathname;
const DIST = join(ROOT, 'dist');

rmSync(DIST, { recursive: true, force: true });
execFileSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json'], {
  cwd: ROOT,
  stdio: 'inherit',
});
cpSync(join(ROOT, 'banks'), join(DIST, 'banks'), { recursive: true });
// Node strips no types below node_modules, so the reference modules of banks are compiled too.
for (const file of readdirSync(join(DIST, 'banks'), { recursive: true, encoding: 'utf8' })) {
  if (!file.endsWith('.ts')) continue;
  const path = join(DIST, 'banks', file);
  const { code } = transformSync(file, readFileSync(path, 'utf8'));
  writeFileSync(
    path.replace(/\.ts$/u, '.js'),
    code.replaceAll(/(from\s*["']\.[^"']*)\.ts(["'])/gu, '$1.js$2'),
  );
  rmSync(path);
}
console.log('dist/ built');
