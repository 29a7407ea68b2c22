import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { groundhog, run, serve } from './groundhog.ts';

/** The class that `openenv shim` writes, used by a Python program as docs/openenv.md shows it. */

const folder = mkdtempSync(join(tmpdir(), 'groundhog-shim-'));
const page = readFileSync(new URL('../../docs/openenv.md', import.meta.url), 'utf8');

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('solves a scenario in Python, as the page shows', async () => {
  const python = join(folder, 'venv/bin/python');
  expect((await run(['python3', '-m', 'venv', join(folder, 'venv')])).exit).toBe(0);
  expect((await run([python, '-m', 'pip', 'install', '-q', 'websockets==15.0.1'])).exit).toBe(0);
  const [, program = '', shown] = /^```python\n([\s\S]*?)^```\n\n```text\n([\s\S]*?)^```$/mu.exec(page) ?? [];
  writeFileSync(join(folder, 'example.py'), program);
  const written = await groundhog(['openenv', 'shim', '--scenario', 'helpdesk', '--out', 'env.py'], folder);
  expect(written.exit).toBe(0);

  const server = await serve('--scenario', 'helpdesk');
  const env = { ...process.env, GROUNDHOG_URL: server.ready.openenv.url };
  const { exit, stdout, stderr } = await run([python, 'example.py'], { cwd: folder, env });
  expect({ exit, stdout, stderr }).toEqual({ exit: 0, stdout: shown, stderr: '' });
  expect(await server.stop()).toBe(0);
});
