// Packs the package, installs it into an empty folder, and uses it there as a stranger would.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'groundhog-package-'));
const node = join(root, 'node_modules/.bin/node');
const environment = { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}` };
const run = (program, args) =>
  execFileSync(program, args, { cwd: folder, env: environment, encoding: 'utf8', maxBuffer: 1e9 });

try {
  execFileSync(node, [join(root, 'node_modules/publint/src/cli.js'), '--strict'], {
    cwd: root,
    stdio: 'inherit',
  });
  execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], { cwd: root });
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  writeFileSync(join(folder, 'package.json'), '{"name": "user", "version": "1.0.0", "type": "module"}\n');
  // By the npm and Node of the machine, as a stranger would; only the package itself needs the newer Node.
  const install = [
    'install',
    '--silent',
    '--no-fund',
    '--no-audit',
    '--prefer-offline',
    join(folder, tarball),
  ];
  execFileSync('npm', install, { cwd: folder, timeout: 180_000 });
  const bin = join(folder, 'node_modules/.bin/groundhog');
  const ran = run(node, [bin, 'run', 'helpdesk', '--agent', 'oracle', '--json']).trim().split('\n').at(-1);
  const { success, trials } = JSON.parse(ran);
  if (success.value !== 1)
    throw new Error(`the installed package's oracle succeeds in ${success.value} of ${trials}`);
  writeFileSync(
    join(folder, 'use.js'),
    `import { WorldCache, openSession } from 'groundhog';
import { passHatK } from 'groundhog/stats';
import { matchers } from 'groundhog/vitest';
const { services, world, behaviour } = new WorldCache().get([{ name: 'notes', seed: 'small' }]);
const seeds = { notes: 'small' };
const session = openSession({ services, world, behaviour, seeds, streamSeed: '1', epochMs: 0 });
const same = session.world.contentDigest() === world.contentDigest();
console.log(typeof passHatK, same, Object.keys(matchers).length);\n`,
  );
  const used = run(node, ['use.js']).trim();
  if (used !== 'function true 3') throw new Error(`the installed package answers ${used}`);
  const asks = `fetch('https://api.notes.example/notebooks', {
    headers: { authorization: 'Bearer ' + process.env.NOTES_TOKEN } })`;
  const inside = run(node, [bin, 'exec', '--services', 'notes', '--json', '--', node, '-e', asks]);
  const { steps } = JSON.parse(inside.trim().split('\n').at(-1));
  if (steps !== 1) throw new Error(`a program inside the installed package made ${steps} calls`);
  console.log(`package: ${trials} oracle trials succeed from the installed tarball, imports work`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
