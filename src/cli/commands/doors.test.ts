import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BIN, groundhog, run } from '../../../test/clients/groundhog.ts';
import { scenarioText, TINY, writeTinyBank } from '../../../test/tiny-bank.ts';
import { readTrajectory } from '../../trajectory/index.ts';

/** The commands of the doors as far as they end by themselves; those that stay are in test/clients. */

const folder = mkdtempSync(join(tmpdir(), 'groundhog-doors-'));

beforeAll(() => writeTinyBank(join(folder, 'bank'), TINY.slice(0, 2)));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const TOKEN = ['--control-token', 'a-token-of-this-test'];

describe('misuse', () => {
  const services = ['--services', 'notes'];
  it.each([
    { words: ['serve'], code: 'nothing-to-serve' },
    { words: ['serve', ...services, '--host', '192.0.2.1'], code: 'open-address' },
    { words: ['serve', ...services, '--control-token', 'short'], code: 'weak-token' },
    { words: ['serve', ...services, '--port', '70000'], code: 'bad-option' },
    { words: ['serve', ...services, '--port'], code: 'usage' },
    { words: ['serve', ...services, '--host', ''], code: 'bad-address' },
    { words: ['serve', ...services, '--host', 'no such host'], code: 'bad-address' },
    { words: ['serve', ...services, '--host', '192.0.2.1', ...TOKEN, '--port', '0'], code: 'bad-address' },
    { words: ['serve', ...services, '--state', 'bank/bank.yaml'], code: 'bad-folder' },
    { words: ['serve', ...services, '--actor', ''], code: 'bad-option' },
    { words: ['serve', ...services, '--actor', 'ann', '--actor', 'ann'], code: 'id-taken' },
    { words: ['serve', ...services, '--doors', 'rest,soap'], code: 'bad-option' },
    { words: ['serve', ...services, '--scenario', 'bank/look-0'], code: 'two-targets' },
    { words: ['serve', '--scenario', ''], code: 'bad-option' },
    { words: ['openenv', 'collect', '.', '--out', 'collected'], code: 'no-run' },
    { words: ['serve', ...services, '--durability', 'strict'], code: 'bad-option' },
    { words: ['serve', ...services, '--time-scale', '60'], code: 'bad-option' },
    { words: ['serve', ...services, '--shaping', 'refused=0.5'], code: 'bad-option' },
    { words: ['mcp', '--scenario', 'bank'], code: 'many-scenarios' },
    { words: ['mcp', ...services, '--out', 'x.jsonl'], code: 'bad-out' },
    { words: ['openenv', 'shim', ...services], code: 'no-out' },
    { words: ['openenv', 'shim', ...services, '--out', 'e.py', '--class', 'a b'], code: 'bad-option' },
    { words: ['openenv', 'collect', 'nothing-here', '--out', 'collected'], code: 'unreadable' },
  ])('$words', async ({ words, code }) => {
    const { exit, json } = await groundhog([...words, '--json'], folder);
    expect({ exit, json: json() }).toMatchObject({ exit: 2, json: { error: { code } } });
  });

  it('names a scenario that can be typed from where the bank is', async () => {
    const { json } = await groundhog(['mcp', '--scenario', 'bank', '--json'], folder);
    const { error } = json<{ error: { hint: string } }>();
    const [, named = ''] = /--scenario (\S+)$/u.exec(error.hint) ?? [];
    const out = join(folder, 'look.py');
    const { exit } = await groundhog(['openenv', 'shim', '--scenario', named, '--out', out], tmpdir());
    expect({ named, exit }).toEqual({ named: expect.stringMatching(/bank\/look-0$/u), exit: 0 });
  });
});

describe('openenv', () => {
  it('shim writes a class with a method for each tool', async () => {
    const { json } = await groundhog(
      ['openenv', 'shim', '--services', 'notes', '--out', 'env.py', '--json'],
      folder,
    );
    const { tools } = json<{ tools: readonly string[] }>();
    const text = readFileSync(join(folder, 'env.py'), 'utf8');
    expect(json()).toMatchObject({ class: 'NotesEnv', world: 'notes' });
    expect(tools.length).toBeGreaterThan(5);
    for (const tool of tools) expect(text).toContain(`    def ${tool}(self`);
  });

  it('collect takes runs and single files, with the same scores', async () => {
    const run = ['run', 'bank', '--agent', 'oracle', '--out', 'run', '--engine', 'inline'];
    expect((await groundhog(run, folder)).exit).toBe(0);
    const file = 'run/trajectories/look-1.0.traj.jsonl';
    const words = ['openenv', 'collect', 'run', file, '--bank', 'bank', '--out', 'collected', '--json'];
    const collected = await groundhog(words, folder);
    expect(collected.json()).toMatchObject({ episodes: 3, rewards: { one: 3, zero: 0, none: 0 } });
    const lines = readFileSync(join(folder, 'collected/results.jsonl'), 'utf8').trimEnd().split('\n');
    expect(lines[2]).toBe(lines[1]);
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({ episode_id: 'look-1#0', reward: 1, done: true });
    const metadata = JSON.parse(readFileSync(join(folder, 'collected/metadata.json'), 'utf8'));
    expect(metadata).toMatchObject({ num_episodes: 3 });
    const above = await groundhog(['openenv', 'collect', '.', '--out', 'above'], folder);
    expect(above.stderr).toMatch(/\. is no run: it holds .*\brun\b/u);
    const again = await groundhog(words, folder);
    expect({ exit: again.exit, json: again.json() }).toMatchObject({
      exit: 2,
      json: { error: { code: 'out-exists' } },
    });
  });
});

describe('mcp', () => {
  it('leaves the trajectory of a client that went without a word', async () => {
    const words = ['mcp', '--services', 'notes', '--out', 'gone.traj.jsonl'];
    const child = spawn(process.execPath, [BIN, ...words], {
      cwd: folder,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const call = (id: number): void => {
      const params = { name: 'list_notebooks', arguments: {} };
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })}\n`);
    };
    call(1);
    await once(child.stdout, 'data');
    child.stdout.destroy();
    call(2);
    await once(child, 'close');
    const { steps, end } = readTrajectory(readFileSync(join(folder, 'gone.traj.jsonl'), 'utf8'));
    expect(steps.map(({ tool }) => tool)).toEqual(['list_notebooks', 'list_notebooks']);
    expect(end).toMatchObject({ reason: 'agent-stopped' });
    // A client starts its servers anew each time: the next one leaves its trajectory beside this one.
    const again = await groundhog([...words, '--json'], folder);
    expect(again.json()).toMatchObject({ trajectory: 'gone.1.traj.jsonl', steps: 0 });
    expect(existsSync(join(folder, 'gone.1.traj.jsonl'))).toBe(true);
  });
});

describe('exec', () => {
  it('runs the program where npm was called, without what npm adds to the environment', async () => {
    const checkout = dirname(dirname(BIN));
    const sub = join(checkout, 'examples/doors');
    const tell = `console.log(process.cwd());
      console.log(Object.keys(process.env).filter((name) => /^npm_|^INIT_CWD$/.test(name)).length);
      console.log(process.env.PATH === process.env.PATH_BEFORE);`;
    const out = join(relative(sub, folder), 'under-npm.traj.jsonl');
    const words = ['exec', '--services', 'notes', '--out', out, '--', process.execPath, '-e', tell];
    const kept = Object.entries(process.env).filter(([name]) => !/^npm_|^INIT_CWD$/u.test(name));
    const env = { ...Object.fromEntries(kept), PATH_BEFORE: process.env.PATH };
    const { exit, stdout } = await run(['npm', 'run', '-s', 'groundhog', '--', ...words], { cwd: sub, env });
    expect(exit).toBe(0);
    expect(stdout.split('\n').slice(0, 3)).toEqual([sub, '0', 'true']);
    expect(existsSync(join(folder, 'under-npm.traj.jsonl'))).toBe(true);
  });

  it('says what was not let in, after output that ends without a newline, and leaves steps out', async () => {
    const program = `
      const call = async (headers) => (await fetch('https://api.notes.example/notebooks', { headers })).status;
      const headers = { authorization: 'Bearer ' + process.env.NOTES_TOKEN };
      (async () => {
        await call({});
        for (let n = 0; n < 41; n += 1) await call(headers);
        process.stdout.write('done');
      })();`;
    const words = ['exec', '--services', 'notes', '--', process.execPath, '-e', program];
    const { stdout } = await groundhog(words, folder);
    expect(stdout).toContain('done\n\n41 steps:\n');
    expect(stdout).toContain('  19 list_notebooks → 200\n  … 11 more …\n  31 list_notebooks');
    expect(stdout).toContain('Not let in: 1 request without a valid token\n');
  });

  it('counts what came after the end apart', async () => {
    const program = `
      const headers = { authorization: 'Bearer ' + process.env.NOTES_TOKEN };
      (async () => {
        for (let n = 0; n < 3; n += 1) await fetch('https://api.notes.example/notebooks', { headers });
        await fetch('https://api.notes.example/notebooks');
      })();`;
    const text = scenarioText({ id: 'short', order: '10034' }).replace('{ calls: 6 }', '{ calls: 1 }');
    writeFileSync(join(folder, 'bank/scenarios/short.yaml'), text);
    const desk = program.replaceAll('api.notes.example/notebooks', 'api.helpdesk.example/orders/10034');
    const words = ['exec', '--scenario', 'bank/short', '--json', '--', process.execPath, '-e'];
    const { json } = await groundhog([...words, desk.replace('NOTES', 'HELPDESK')], folder);
    expect(json()).toMatchObject({ steps: 1, unauthenticated: 1, afterEnd: 2 });
  });

  it('ends with 4 where what was asked for is not modelled: that says nothing about the program', async () => {
    writeFileSync(
      join(folder, 'bank/scenarios/export.yaml'),
      `id: export
title: Lists the notebooks
cluster: notes
world: { services: [notes], seed: small }
task: { text: Which notebooks are there? }
reference: { calls: [{ tool: list_notebooks, arguments: {} }], answer: These. }
graders: [{ kind: contract, required: true }]
`,
    );
    const program = `fetch('https://api.notes.example/notes/N-1/export', {
      headers: { authorization: 'Bearer ' + process.env.NOTES_TOKEN } })
      .then(({ status }) => console.log(status));`;
    const words = ['exec', '--scenario', 'bank/export', '--json', '--', process.execPath, '-e', program];
    const { exit, json } = await groundhog(words, folder);
    const score = { value: null, reason: 'void: unmodelled' };
    expect({ exit, json: json() }).toMatchObject({
      exit: 4,
      json: { exit: 0, score, void: { reason: 'unmodelled' } },
    });
  });

  it('lets an answer get lost as on the network: who looks before asking again pays once', async () => {
    const program = `
      const call = async (path, body) => (await fetch('https://api.helpdesk.example' + path, {
        method: body ? 'POST' : 'GET',
        headers: { authorization: 'Bearer ' + process.env.HELPDESK_TOKEN, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })).json();
      const order = '/orders/10320';
      await call(order);
      await call(order + '/policy?line=2');
      const silent = await call(order + '/refunds', { amount: 379 }).catch((error) => error.name);
      const { refunded } = await call(order);
      if (silent === 'TypeError' && refunded === 379) {
        const to = 'thea.fairlie@example.org';
        await call('/emails', { to, subject: 'Refund', body: '379.00 is on its way.' });
        console.log('I refunded 379.00 for order 10320.');
      }`;
    const words = [
      'exec',
      '--scenario',
      'helpdesk/lost-answer',
      '--json',
      '--',
      process.execPath,
      '-e',
      program,
    ];
    const { exit, json } = await groundhog(words, folder);
    expect({ exit, json: json() }).toMatchObject({ exit: 0, json: { steps: 5, score: { value: 1 } } });
  });

  it('lets a program through that honours Retry-After by sleeping, with --time observed', async () => {
    const extra = `faults:
  rules:
    - id: busy
      label: busy for two seconds
      match: { tool: lookup_order }
      effect: { kind: reject, status: 429, retryAfterSeconds: 2, holds: true }
      hits: 1
`;
    writeFileSync(
      join(folder, 'bank/scenarios/busy.yaml'),
      scenarioText({ id: 'busy', order: '10034', extra }),
    );
    const program = `
      const headers = { authorization: 'Bearer ' + process.env.HELPDESK_TOKEN };
      const ask = () => fetch('https://api.helpdesk.example/orders/10034', { headers });
      let response = await ask();
      while (response.status === 429) {
        const seconds = Number(response.headers.get('retry-after'));
        await new Promise((resolve) => setTimeout(resolve, (seconds * 1000) / 20));
        response = await ask();
      }
      console.log('Order 10034 is as it is.');`;
    const time = ['--time', 'observed', '--time-scale', '25'];
    const words = ['exec', '--scenario', 'bank/busy', ...time, '--out', 'busy.traj.jsonl', '--json', '--'];
    const { exit, json } = await groundhog([...words, process.execPath, '-e', program], folder);
    expect({ exit, json: json() }).toMatchObject({ exit: 0, json: { steps: 2, score: { value: 1 } } });
    const replayed = await groundhog(['replay', 'busy.traj.jsonl', '--json'], folder);
    expect(replayed.json()).toMatchObject({ identical: true });
  });
});
