import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { parseSync } from 'rolldown/experimental';
import { describe, expect, it } from 'vitest';
import { behaviourModule } from '../scripts/behaviour.ts';

/** Reads the repository and says what to do instead. About two seconds. */

const ROOT = new URL('..', import.meta.url).pathname;
const layers = JSON.parse(read('layers.json')) as {
  readonly order: readonly string[];
  readonly narrower: Readonly<Record<string, readonly string[]>>;
  readonly deterministic: readonly string[];
  readonly nodeModules: Readonly<Record<string, readonly string[]>>;
  readonly transcendental: readonly string[];
};
/** What may break a limit, by `rule file`. It only shrinks: an entry that is not needed fails the test. */
const exceptions = JSON.parse(read('test/tidy-exceptions.json')) as readonly string[];

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && existsSync(join(ROOT, file)));
const code = files.filter((file) => /\.[cm]?[jt]s$/u.test(file));
const sources = code.filter((file) => file.startsWith('src/') && !isTest(file));

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

function isTest(file: string): boolean {
  return /\.test(?:-kit)?\.ts$/u.test(file) || file.startsWith('test/');
}

/** The findings that no exception covers, and the exceptions that cover none. */
function judge(
  rule: string,
  findings: readonly { readonly file: string; readonly message: string }[],
): string[] {
  const excepted = exceptions
    .filter((entry) => entry.startsWith(`${rule} `))
    .map((entry) => entry.slice(rule.length + 1));
  const open = findings
    .filter(({ file }) => !excepted.includes(file))
    .map(({ file, message }) => `${file}: ${message}`);
  const idle = excepted.filter((file) => !findings.some((finding) => finding.file === file));
  return [...open, ...idle.map((file) => `${file}: no longer needs its exception from ${rule}: remove it`)];
}

interface Import {
  readonly file: string;
  readonly target: string;
}

function importsOf(file: string): Import[] {
  const found = read(file).matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*)(['"])([^'"\n]+)\1/gu);
  return [...found].map((match) => ({ file, target: match[2] ?? '' }));
}

/** The folder below src that a path belongs to; null for what is not in one. */
function folderOf(file: string): string | null {
  const [root, folder, rest] = file.split('/');
  return root === 'src' && rest !== undefined ? (folder ?? null) : null;
}

describe('imports', () => {
  it('go one way', () => {
    const wrong: { file: string; message: string }[] = [];
    for (const { file, target } of sources.flatMap(importsOf)) {
      if (!target.startsWith('.')) continue;
      const from = folderOf(file);
      const path = normalize(join(file, '..', target));
      const to = folderOf(path);
      if (from === null || to === null) continue;
      const message = wrongDirection({ file, path, from, to });
      if (message) wrong.push({ file, message });
    }
    expect(judge('imports', wrong)).toEqual([]);
  });

  it('name only folders that exist in the order', () => {
    const folders = new Set(sources.map(folderOf).filter((folder) => folder !== null));
    expect([...folders].filter((folder) => !layers.order.includes(folder))).toEqual([]);
  });
});

function wrongDirection(edge: { file: string; path: string; from: string; to: string }): string | null {
  const { file, path, from, to } = edge;
  if (from === to) {
    const [one, other] = [file.split('/')[2], path.split('/')[2]];
    return from === 'services' && one !== other ? `a service imports another one (${path})` : null;
  }
  const allowed = layers.narrower[from];
  if (allowed && !allowed.includes(to)) return `${from} may see ${allowed.join(', ')} only, not ${path}`;
  if (layers.order.indexOf(to) >= layers.order.indexOf(from)) return `${to} stands right of ${from}: ${path}`;
  if (from === 'services' && !path.startsWith('src/service/index.ts'))
    return `services import the kit's index only, not ${path}`;
  return null;
}

const AMBIENT: readonly { readonly pattern: RegExp; readonly instead: string }[] = [
  { pattern: /\bDate\.now\(|\bnew Date\(\s*\)|\bperformance\./u, instead: 'time comes from the context' },
  { pattern: /\bMath\.random\b|\brandomUUID\b|\bgetRandomValues\b/u, instead: 'draw from the world' },
  {
    pattern: /\bset(?:Timeout|Interval|Immediate)\(|\bqueueMicrotask\(/u,
    instead: 'nobody waits below the adapters',
  },
  { pattern: /\bprocess\.|\bglobalThis\.(?!gc)/u, instead: 'nothing here knows its process' },
  { pattern: /\blocaleCompare\b|\btoLocale\w+|\bIntl\./u, instead: 'compare by code units' },
  { pattern: /\bfetch\(/u, instead: 'no network below the adapters' },
];

const INEXACT =
  'pow exp expm1 log log2 log10 log1p sin cos tan asin acos atan atan2 sinh cosh tanh cbrt hypot'.split(' ');
const TRANSCENDENTAL = new RegExp(`\\*\\*(?!/)|\\bMath\\.(?:${INEXACT.join('|')})\\b`, 'u');

describe('deterministic folders', () => {
  const deterministic = sources.filter((file) => layers.deterministic.includes(folderOf(file) ?? ''));

  it('hold nothing ambient', () => {
    const found = deterministic.flatMap((file) =>
      linesOfCode(file).flatMap(({ line, number }) =>
        AMBIENT.filter(({ pattern }) => pattern.test(line)).map(({ instead }) => ({
          file,
          message: `line ${number}: ${line.trim()} (${instead})`,
        })),
      ),
    );
    expect(judge('ambient', found)).toEqual([]);
  });

  it('use no arithmetic that differs between engines', () => {
    const found = deterministic
      .filter((file) => !layers.transcendental.includes(folderOf(file) ?? ''))
      .flatMap((file) =>
        linesOfCode(file)
          .filter(({ line }) => TRANSCENDENTAL.test(line))
          .map(({ line, number }) => ({
            file,
            message: `line ${number}: ${line.trim()} (use a table, or + − × ÷)`,
          })),
      );
    expect(judge('transcendental', found)).toEqual([]);
  });

  it('import no Node module', () => {
    const found = deterministic.flatMap(importsOf).filter(({ file, target }) => {
      return target.startsWith('node:') && !(layers.nodeModules[file] ?? []).includes(target);
    });
    expect(
      judge(
        'node',
        found.map(({ file, target }) => ({ file, message: `imports ${target}` })),
      ),
    ).toEqual([]);
  });
});

/** Lines without comments and without the insides of texts, which may speak of anything. */
function linesOfCode(file: string): { line: string; number: number }[] {
  const bare = read(file)
    .replace(/\/\*[\s\S]*?\*\//gu, (comment) => comment.replace(/[^\n]/gu, ' '))
    .replace(/(^|[^:'"`])\/\/[^\n]*/gu, '$1')
    .replace(/'(?:[^'\\\n]|\\.)*'/gu, "''");
  return bare.split('\n').map((line, index) => ({ line, number: index + 1 }));
}

const LIMITS = {
  fileLines: 500,
  testFileLines: 600,
  functionLines: 70,
  parameters: 3,
  columns: 110,
} as const;

describe('sizes', () => {
  it('of files', () => {
    const found = code.flatMap((file) => {
      const lines = read(file).split('\n').length - 1;
      const limit = isTest(file) ? LIMITS.testFileLines : LIMITS.fileLines;
      return lines > limit
        ? [{ file, message: `${lines} lines, at most ${limit}: split it by subject` }]
        : [];
    });
    expect(judge('file-lines', found)).toEqual([]);
  });

  it('of lines', () => {
    const found = code
      .filter((file) => !file.includes('src/catalog/behaviour.ts'))
      .flatMap((file) =>
        read(file)
          .split('\n')
          .flatMap((line, index) =>
            [...line].length > LIMITS.columns && !/https?:\/\/|^import |^export |['"`].{60,}['"`]/u.test(line)
              ? [
                  {
                    file,
                    message: `line ${index + 1} has ${[...line].length} columns, at most ${LIMITS.columns}`,
                  },
                ]
              : [],
          ),
      );
    expect(judge('columns', found)).toEqual([]);
  });

  it('of functions', () => {
    const found = code
      .filter((file) => !isTest(file))
      .flatMap((file) => functionsOf(file).flatMap((one) => tooLarge(file, one)));
    expect(judge('functions', found)).toEqual([]);
  });
});

interface FoundFunction {
  readonly name: string;
  readonly lines: number;
  readonly parameters: number;
}

function tooLarge(
  file: string,
  { name, lines, parameters }: FoundFunction,
): { file: string; message: string }[] {
  const long =
    lines > LIMITS.functionLines ? [`${name} has ${lines} lines, at most ${LIMITS.functionLines}`] : [];
  const wide =
    parameters > LIMITS.parameters ? [`${name} takes ${parameters} parameters: pass an options object`] : [];
  return [...long, ...wide].map((message) => ({ file, message }));
}

interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly params?: readonly unknown[];
  readonly id?: { readonly name?: string } | null;
}

function functionsOf(file: string): FoundFunction[] {
  const text = read(file);
  const { program } = parseSync(file, text);
  const found: FoundFunction[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) visit(item);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    const node = value as SyntaxNode;
    if (/^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/u.test(node.type ?? '')) {
      const lines = text.slice(node.start, node.end).split('\n').length;
      found.push({
        name: node.id?.name ?? `function at ${lineAt(text, node.start)}`,
        lines,
        parameters: node.params?.length ?? 0,
      });
    }
    for (const member of Object.values(node)) visit(member);
  };
  visit(program);
  return found;
}

function lineAt(text: string, offset: number): string {
  return `line ${text.slice(0, offset).split('\n').length}`;
}

describe('names and leftovers', () => {
  it('no drawer for anything', () => {
    const found = code.filter((file) =>
      /(?:^|\/)(?:utils?|helpers?|common|misc|shared)(?:\.|\/)/u.test(file),
    );
    expect(
      judge(
        'names',
        found.map((file) => ({ file, message: 'name the file for what is in it' })),
      ),
    ).toEqual([]);
  });

  it('no default exports, no switched-off or focused tests, no markers', () => {
    const rules = [
      { pattern: /^export default /mu, message: 'use a named export', tests: true },
      {
        pattern: /\b(?:it|test|describe)\.(?:only|todo)\(/u,
        message: 'a focused or empty test',
        tests: true,
      },
      {
        pattern: /\b(?:TODO|FIXME|XXX|HACK)\b/u,
        message: 'a marker without an owner: do it or write it down',
        tests: true,
      },
    ];
    const found = code
      .filter((file) => !file.endsWith('.config.ts') && file !== 'test/tidy.test.ts')
      .flatMap((file) =>
        rules.filter(({ pattern }) => pattern.test(read(file))).map(({ message }) => ({ file, message })),
      );
    expect(judge('leftovers', found)).toEqual([]);
  });

  it('no commented-out code', () => {
    const found = code.flatMap((file) =>
      read(file)
        .split('\n')
        .flatMap((line, index) =>
          /^\s*\/\/.*(?:;|\{|\}|=>)\s*$/u.test(line)
            ? [{ file, message: `line ${index + 1}: ${line.trim()}` }]
            : [],
        ),
    );
    expect(judge('commented-out', found)).toEqual([]);
  });

  it('no machine path and no registry host', () => {
    const hosts =
      /registry\.(?:npmjs|yarnpkg)\.\w+|pypi\.org|crates\.io|deb\.debian\.org|\/(?:root|home)\/\w/u;
    const found = files
      .filter(
        (file) =>
          !/\.(?:png|sqlite)$/u.test(file) && file !== 'test/tidy.test.ts' && file !== 'package-lock.json',
      )
      .filter((file) => hosts.test(read(file)) || read(file).includes(ROOT));
    expect(found).toEqual([]);
  });
});

describe('generated files', () => {
  it('src/catalog/behaviour.ts is what the sources give: run `npm run behaviour`', () => {
    expect(read('src/catalog/behaviour.ts')).toBe(behaviourModule());
  });
});
