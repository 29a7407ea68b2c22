import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACTION_MEMBERS } from '../src/gateway/openenv/actions.ts';
import { childEnvironment } from '../src/gateway/proxy/index.ts';
import { splitWords } from '../src/runner/agents/index.ts';
import { type Serving, serve } from './clients/groundhog.ts';

/**
 * Runs the examples of the pages that need a server: the block that starts it, then, in order, those that
 * talk to it, with the tokens that it printed. What an example prints is what the block behind it shows.
 */

const ROOT = new URL('..', import.meta.url).pathname;
const PAGES = ['rest', 'mcp', 'openenv', 'control'] as const;
const SERVE = 'npm run -s groundhog -- serve ';
/** The port of the pages; the tests take a free one in its place. */
const PORT = 4747;

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'groundhog-doors-'));
  for (const name of ['examples', 'node_modules']) symlinkSync(join(ROOT, name), join(folder, name));
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Block {
  readonly language: string;
  readonly text: string;
}

function blocksOf(page: string): Block[] {
  const text = readFileSync(join(ROOT, `docs/${page}.md`), 'utf8');
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gmu)].map((match) => ({
    language: match[1] ?? '',
    text: match[2] ?? '',
  }));
}

/** The variables that the server's `export` lines set. */
function environmentOf({ ready }: Serving): NodeJS.ProcessEnv {
  const tokens = Object.entries(ready.services).map(([name, { credentials }]): [string, string] => [
    `${name.toUpperCase()}_TOKEN`,
    Object.values(credentials)[0] ?? '',
  ]);
  return {
    ...process.env,
    ...Object.fromEntries(tokens),
    GROUNDHOG_TOKEN: ready.mcp.token,
    GROUNDHOG_CONTROL_TOKEN: ready.control.token,
  };
}

/** How each language is run; a block of another one is shown, not run. */
const RUNNERS: Readonly<Record<string, (file: string) => readonly string[]>> = {
  sh: (file) => ['bash', '-eu', file],
  js: (file) => [process.execPath, file],
  ts: (file) => [process.execPath, file],
};

async function printed({ language, text }: Block, serving: Serving): Promise<string> {
  const file = join(folder, `example-${Math.abs(hashOf(text))}.${language}`);
  const { port } = new URL(serving.ready.openenv.url);
  const control = `from '${join(ROOT, 'src/gateway/control/client.ts')}'`;
  writeFileSync(file, text.replaceAll(`:${PORT}`, `:${port}`).replace("from 'groundhog/control'", control));
  const [program = '', ...words] = RUNNERS[language]?.(file) ?? [];
  const child = spawn(program, words, { cwd: folder, env: environmentOf(serving) });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
    });
  }
  const [exit] = (await once(child, 'close')) as [number | null];
  return exit === 0 ? output : `${output}\nexit code ${exit}`;
}

function hashOf(text: string): number {
  return [...text].reduce((hash, character) => (hash * 31 + (character.codePointAt(0) ?? 0)) | 0, 7);
}

describe.each(PAGES)('docs/%s.md', (page) => {
  const blocks = blocksOf(page);
  let serving: Serving | null = null;

  beforeAll(async () => {
    const line = blocks.find(({ language, text }) => language === 'sh' && text.startsWith(SERVE))?.text ?? '';
    serving = await serve(...splitWords(line.slice(SERVE.length).trim()));
  });

  afterAll(async () => {
    expect(await serving?.stop()).toBe(0);
  });

  const examples = blocks.flatMap((block, index) => {
    const shown = blocks[index + 1];
    const runs = block.language in RUNNERS && !block.text.startsWith('npm run');
    return runs && shown?.language === 'text' ? [{ block, shown: shown.text }] : [];
  });

  it('has an example', () => expect(examples.length).toBeGreaterThan(0));

  for (const [index, { block, shown }] of examples.entries()) {
    it(`prints what it shows, example ${index}`, async () => {
      if (!serving) throw new Error('the server did not start');
      expect(await printed(block, serving)).toBe(shown);
    });
  }
});

describe('tables that are written by hand', () => {
  const page = (name: string) => readFileSync(join(ROOT, `docs/${name}.md`), 'utf8');

  it('name every variable that exec sets', () => {
    const authority = { bundle: 'b', certificate: 'c', preload: 'p', pythonPath: 'y' };
    const set = childEnvironment({ base: {}, proxyUrl: 'http://127.0.0.1:1', authority, tokens: {} });
    const upper = Object.keys(set).filter((name) => name === name.toUpperCase());
    expect(upper.filter((name) => !page('proxy').includes(`\`${name}\``))).toEqual([]);
  });

  it('name every action of OpenEnv with its members', () => {
    const text = page('openenv');
    const missing = Object.entries(ACTION_MEMBERS)
      .filter(([type]) => type.startsWith('groundhog/'))
      .filter(([type, members]) => {
        const named = Object.entries(members).map(
          ([name, { required }]) => `, "${name}"${required ? '' : '?'}`,
        );
        return !text.includes(`\`{"type": "${type}"${named.join('')}}\``);
      });
    expect(missing).toEqual([]);
  });
});
