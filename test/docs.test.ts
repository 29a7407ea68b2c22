import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generatedPages } from '../scripts/docs.ts';
import { splitWords } from '../src/runner/agents/index.ts';
import { notes } from '../src/services/notes/index.ts';
import { type ConformanceOptions, conformanceProblems } from '../src/testing/index.ts';

/** Runs every example of README and docs as it is printed, in a folder that looks like a checkout. */

const ROOT = new URL('..', import.meta.url).pathname;
const BIN = join(ROOT, 'bin/groundhog.js');
const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
];
const PREFIX = 'npm run -s groundhog -- ';

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'groundhog-docs-'));
  for (const name of ['examples', 'banks', 'docs', 'test']) symlinkSync(join(ROOT, name), join(folder, name));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Block {
  readonly page: string;
  readonly language: string;
  readonly text: string;
}

const blocks = PAGES.flatMap((page): Block[] => {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gmu)].map((match) => ({
    page,
    language: match[1] ?? '',
    text: match[2] ?? '',
  }));
});

/** What each command of the pages ends with: 0, but for those that say otherwise in their page. */
const EXIT_CODES: Readonly<Record<string, number>> = { diff: 1 };

function groundhog(line: string): { readonly status: number | null; readonly output: string } {
  const words = splitWords(line.slice(PREFIX.length));
  const result = spawnSync(process.execPath, [BIN, ...words], { cwd: folder, encoding: 'utf8' });
  return { status: result.status, output: result.stdout + result.stderr };
}

describe('shell examples', () => {
  const lines = blocks
    .filter(({ language }) => language === 'sh')
    .flatMap(({ page, text }) =>
      text
        .replace(/\\\n\s*/gu, '')
        .split('\n')
        .map((line) => ({ page, line: line.replace(/\s+#.*$/u, '').trim() })),
    )
    .filter(({ line }) => line !== '');

  it('the two commands of the README are those that CI runs', () => {
    const readme = lines.filter(({ page }) => page === 'README.md').map(({ line }) => line);
    expect(readme.slice(0, 2)).toEqual(['npm ci && npm run demo', 'npm ci && npm test']);
    const ci = readFileSync(join(ROOT, '.ci/run'), 'utf8');
    for (const part of ['npm ci', 'npm run -s demo', 'suite test\n']) expect(ci).toContain(part);
  });

  it('the demo, which the others build on', () => {
    const { status, output } = groundhog(`${PREFIX}demo`);
    expect(output).toContain('pass^4');
    expect(status).toBe(0);
  });

  // Those that stay up are run by docs-doors.test.ts.
  const ending = lines.filter(({ line }) => line.startsWith(PREFIX) && !line.startsWith(`${PREFIX}serve`));
  for (const { page, line } of ending) {
    it(`${page}: ${line}`, () => {
      const command = line.slice(PREFIX.length).split(' ')[0] ?? '';
      const { status, output } = groundhog(line);
      const expected = EXIT_CODES[command] ?? 0;
      expect({ status, output: status === expected ? '' : output }).toEqual({ status: expected, output: '' });
      if (command === 'fork') expect(output).toContain('Verdict: pass');
    });
  }

  it('every npm script that a page names exists', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
    const named = PAGES.flatMap((page) =>
      [...readFileSync(join(ROOT, page), 'utf8').matchAll(/npm run (?:-s )?([\w:]+)/gu)].map(
        (match) => match[1] ?? '',
      ),
    );
    expect([...new Set(named)].filter((name) => !(name in scripts))).toEqual([]);
  });
});

describe('TypeScript examples', () => {
  const examples = blocks.filter(
    ({ language, text }) => language === 'ts' && text.includes("from 'groundhog'"),
  );

  it('there are some', () => expect(examples.length).toBeGreaterThan(0));

  for (const [index, { page, text }] of examples.entries()) {
    it(`${page}, example ${index}: prints what its comments say`, () => {
      const file = join(folder, `example-${index}.ts`);
      writeFileSync(file, text.replace("from 'groundhog'", `from '${join(ROOT, 'src/index.ts')}'`));
      const printed = execFileSync(process.execPath, [file], { encoding: 'utf8' }).trim().split('\n');
      const expected = [...text.matchAll(/^.*console\.log\(.*\/\/ (.*)$/gmu)].map((match) => match[1]);
      expect(printed).toEqual(expected);
    });
  }
});

describe('docs/adding-a-service.md', () => {
  const page = readFileSync(join(ROOT, 'docs/adding-a-service.md'), 'utf8');
  const snippets = [...page.matchAll(/^ {4}```ts\n([\s\S]*?)^ {4}```$/gmu)].map((match) => match[1] ?? '');

  it('shows a probe that stands in notes', () => {
    const probes = readFileSync(join(ROOT, 'src/services/notes/probes/index.ts'), 'utf8');
    expect(probes).toContain(snippets[0]?.replace(/^ {2}/gmu, ''));
  });

  it('shows a script that the kit runs', () => {
    const text = snippets[1]?.trim() ?? '';
    const options = runInNewContext(`({ probes: [], ${text} })`) as ConformanceOptions;
    const unreached = (given: ConformanceOptions) =>
      conformanceProblems(notes, given, 'declared errors are reached').join('\n');
    expect(unreached({ probes: [] })).toContain('too_many_tags');
    expect(unreached(options)).not.toContain('too_many_tags');
  });
});

describe('SQL examples', () => {
  const examples = blocks.filter(({ language }) => language === 'sql');

  it('there is one', () => expect(examples.length).toBeGreaterThan(0));

  for (const [index, { page, text }] of examples.entries()) {
    it(`${page}, query ${index}: gives the rows that its comments say`, () => {
      const file = join(folder, `query-${index}.sqlite`);
      expect(groundhog(`${PREFIX}world export helpdesk/small --out ${file}`).status).toBe(0);
      const database = new DatabaseSync(file, { readOnly: true });
      const rows = database.prepare(text).all();
      database.close();
      const expected = [...text.matchAll(/^-- (.*)$/gmu)].map((match) => match[1]);
      expect(rows.map((row) => Object.values(row).join('|'))).toEqual(expected);
    });
  }
});

describe('scenario examples', () => {
  for (const { page, text } of blocks.filter(
    ({ language, text: yaml }) => language === 'yaml' && yaml.startsWith('id: '),
  )) {
    it(`${page}: certified by bank lint, but for its missing lock`, () => {
      const bank = join(folder, 'bank');
      mkdirSync(join(bank, 'scenarios'), { recursive: true });
      cpSync(join(ROOT, 'banks/helpdesk/bank.yaml'), join(bank, 'bank.yaml'));
      writeFileSync(join(bank, 'scenarios/example.yaml'), text);
      expect(groundhog(`${PREFIX}bank lock bank`).status).toBe(0);
      const { status, output } = groundhog(`${PREFIX}bank lint bank`);
      expect({ status, output: status === 0 ? '' : output }).toEqual({ status: 0, output: '' });
    });
  }
});

describe('pages', () => {
  it('made from code are fresh: run `npm run docs`', async () => {
    for (const [file, text] of Object.entries(await generatedPages())) {
      expect({ file, text: readFileSync(join(ROOT, file), 'utf8') }).toEqual({ file, text });
    }
  });

  it('link only to what is there', () => {
    const broken = [...PAGES, 'ARCHITECTURE.md'].flatMap((page) => {
      const text = readFileSync(join(ROOT, page), 'utf8');
      const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/gu)].map((match) => match[1] ?? '');
      return links.filter((link) => !isThere(join(ROOT, page, '..', link))).map((link) => `${page}: ${link}`);
    });
    expect(broken).toEqual([]);
  });

  it('the README has at most 150 lines', () => {
    expect(readFileSync(join(ROOT, 'README.md'), 'utf8').split('\n').length - 1).toBeLessThanOrEqual(150);
  });
});

function isThere(path: string): boolean {
  try {
    readFileSync(path);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EISDIR';
  }
}
