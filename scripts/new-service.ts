/** `npm run new:service NAME [THING]`: a new service as a copy of `notes`, with its names replaced. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UsageError } from '../src/base/errors.ts';

const SOURCE = 'notes';
const COLUMNS = 110;

/** Names that cannot be a constant's. */
const RESERVED = new Set(
  (
    'await break case catch class const continue debugger default delete do else enum export extends false ' +
    'finally for function if implements import in instanceof interface let new null package private ' +
    'protected ' +
    'public return static super switch this throw true try typeof var void while with yield'
  ).split(' '),
);

/** What the copy calls its things: `notes`, `note`, and `notebook` that holds them. */
interface Names {
  readonly plural: string;
  readonly singular: string;
  readonly holder: string;
}

/**
 * Copies `src/services/notes` to `src/services/NAME` under a root folder and gives the paths of the new
 * files, relative to the root. The service, its main table and its operations are then called NAME, one row
 * `thing`: NAME without its plural s when left out, or `item`; what notebooks are is called a group.
 * @throws UsageError for a name that is none, taken, or in use within `notes`.
 */
export function copyService(name: string, root: string, thing?: string): string[] {
  assertName(name);
  const names = namesOf(name, thing);
  assertName(names.singular);
  const folder = join('src', 'services', name);
  if (existsSync(join(root, folder))) {
    throw new UsageError('service-exists', `there is a service named ${name} already`, {
      place: { file: folder },
    });
  }
  const source = join('src', 'services', SOURCE);
  const files = filesUnder(join(root, source)).map((file) => ({
    file,
    text: readFileSync(join(root, source, file), 'utf8'),
  }));
  assertFree(
    names,
    files.filter(({ file }) => file.endsWith('.ts')).map(({ text }) => text),
  );
  return files.map(({ file, text }) => {
    const target = join(folder, renamed(file, names));
    mkdirSync(dirname(join(root, target)), { recursive: true });
    writeFileSync(join(root, target), wrapped(renamed(text, names)));
    return target;
  });
}

function namesOf(name: string, thing: string | undefined): Names {
  const stem = name.endsWith('ies') ? `${name.slice(0, -3)}y` : name.replace(/(?<=[^s])s$/u, '');
  const singular = thing ?? (stem === name ? 'item' : stem);
  return { plural: name, singular, holder: singular === 'group' ? 'folder' : 'group' };
}

function assertName(name: string): void {
  if (/^[a-z][a-z0-9]*$/u.test(name) && !RESERVED.has(name)) return;
  throw new UsageError('bad-service-name', `"${name}" cannot be the name of a service`, {
    hint: 'use lower-case letters and digits, such as npm run new:service library book',
  });
}

/** A thing called `tag` would be one with what `notes` calls so already. */
function assertFree({ plural, singular }: Names, texts: readonly string[]): void {
  if (plural === singular) {
    throw new UsageError('name-taken', `the service and its things cannot both be called ${plural}`);
  }
  const code = texts.join('\n').replaceAll(/'[^'\n]*'|\/\*[\s\S]*?\*\/|\/\/.*/gu, '');
  const known = new Set(renamed(code, { plural: 'P', singular: 'S', holder: 'H' }).match(/\w+/gu));
  const clash = [plural, singular, titled(singular)].find((name) => known.has(name));
  if (clash === undefined) return;
  throw new UsageError('name-taken', `${SOURCE} has something called ${clash} already`, {
    hint: 'name another thing: npm run new:service NAME THING',
  });
}

function filesUnder(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => statSync(join(folder, name)).isFile()).sort();
}

function titled(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

/** Whole words, also within `note_id`, `listNotes` and `TAGS_PER_NOTE`; `note` is also a word of the kit. */
function renamed(text: string, { plural, singular, holder }: Names): string {
  const article = /^[aeiou]/u.test(singular) ? 'n' : '';
  return text
    .replace(/notebook/gu, holder)
    .replace(/Notebook/gu, titled(holder))
    .replace(/\bbook(?=_|\)| of )/gu, holder)
    .replace(/\b([Aa]) (?=note\b)/gu, `$1${article} `)
    .replace(/(?<![A-Za-z])note(?!s?[a-z]|: ')/gu, singular)
    .replace(/(?<![A-Za-z])notes(?![a-z])/gu, plural)
    .replace(/Notes(?![a-z])/gu, titled(plural))
    .replace(/Note(?![a-z])/gu, titled(singular))
    .replace(/(?<![A-Z])NOTES(?![A-Z])/gu, plural.toUpperCase())
    .replace(/(?<![A-Z])NOTE(?![A-Z])/gu, singular.toUpperCase());
}

/** Breaks comments that longer names have made too wide; code is the formatter's. */
function wrapped(text: string): string {
  return text
    .split('\n')
    .flatMap((line) => {
      const whole = /^( *)\/\*\* (.*) \*\/$/u.exec(line);
      if (line.length <= COLUMNS) return [line];
      if (whole) return [`${whole[1]}/**`, ...broken(`${whole[1]} * `, whole[2] ?? ''), `${whole[1]} */`];
      const inner = /^( *(?:\*|\/\/) )(.*)$/u.exec(line);
      return inner ? broken(inner[1] ?? '', inner[2] ?? '') : [line];
    })
    .join('\n');
}

function broken(prefix: string, text: string): string[] {
  const width = COLUMNS - prefix.length;
  if (text.length <= width) return [prefix + text];
  const at = text.lastIndexOf(' ', width);
  if (at <= 0) return [prefix + text];
  return [prefix + text.slice(0, at), ...broken(prefix, text.slice(at + 1))];
}

function main([name = '', thing]: readonly string[]): void {
  try {
    const files = copyService(name, process.cwd(), thing);
    // Other names are sorted and broken in other ways.
    execFileSync(join('node_modules', '.bin', 'biome'), ['check', '--write', join('src', 'services', name)]);
    process.stdout.write(`${files.join('\n')}\n\nNext: docs/adding-a-service.md, from step 2.\n`);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.describe()}\n`);
    process.exitCode = 2;
  }
}

// `import.meta.main` is younger than the oldest Node we run on.
if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2));
