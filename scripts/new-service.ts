/** `npm run new:service NAME`: a new service as a copy of `notes`, with its names replaced. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UsageError } from '../src/base/errors.ts';

const SOURCE = 'notes';

/** Names that cannot be a constant's. */
const RESERVED = new Set(
  (
    'await break case catch class const continue debugger default delete do else enum export extends false ' +
    'finally for function if implements import in instanceof interface let new null package private ' +
    'protected ' +
    'public return static super switch this throw true try typeof var void while with yield'
  ).split(' '),
);

/**
 * Copies `src/services/notes` to `src/services/NAME` under a root folder and gives the paths of the new
 * files, relative to the root. The service, its main table and its operations are then called NAME.
 * @throws UsageError for a name that is none or taken.
 */
export function copyService(name: string, root: string): string[] {
  if (!/^[a-z][a-z0-9]*$/u.test(name) || RESERVED.has(name)) {
    throw new UsageError('bad-service-name', `"${name}" cannot be the name of a service`, {
      hint: 'use lower-case letters and digits, such as npm run new:service library',
    });
  }
  const folder = join('src', 'services', name);
  if (existsSync(join(root, folder))) {
    throw new UsageError('service-exists', `there is a service named ${name} already`, {
      place: { file: folder },
    });
  }
  const source = join('src', 'services', SOURCE);
  return filesUnder(join(root, source)).map((file) => {
    const target = join(folder, renamed(file, name));
    mkdirSync(dirname(join(root, target)), { recursive: true });
    writeFileSync(join(root, target), renamed(readFileSync(join(root, source, file), 'utf8'), name));
    return target;
  });
}

function filesUnder(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => statSync(join(folder, name)).isFile()).sort();
}

/** Whole words only: `notebooks` and `note_id` are not the service's name. */
function renamed(text: string, name: string): string {
  const title = name.slice(0, 1).toUpperCase() + name.slice(1);
  return text.replace(/\bnotes\b/gu, name).replace(/\bNotes(?=[A-Z]|\b)/gu, title);
}

function main(name: string | undefined): void {
  try {
    const files = copyService(name ?? '', process.cwd());
    process.stdout.write(`${files.join('\n')}\n\nNext: docs/adding-a-service.md, from step 2.\n`);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.describe()}\n`);
    process.exitCode = 2;
  }
}

// `import.meta.main` is younger than the oldest Node we run on.
if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv[2]);
