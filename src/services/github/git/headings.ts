import type { Bytes } from './bytes.ts';

/** Gives what a line says as the heading of a hunk below it; null when it is no heading. */
type Heading = (line: Bytes) => Bytes | null;

/** How declarations look in a language: lines that are none whatever follows, and those that are. */
interface Language {
  readonly never?: RegExp;
  readonly declarations: readonly RegExp[];
}

const SHARP_WORDS = 'static|public|internal|private|protected|new|unsafe|sealed';
const SHARP_MEMBER = `(?:(?:${SHARP_WORDS}|virtual|override|async)[ \\t]+)*[\\]\\[<>@.~_A-Za-z0-9]+[ \\t]+`;
const SHARP_TYPE = `(?:(?:${SHARP_WORDS}|abstract|partial)[ \\t]+)*(?:class|enum|interface|struct|record)[ \\t]`;

const PYTHON: Language = { declarations: [/^[ \t]*((?:class|(?:async[ \t]+)?def)[ \t].*)$/u] };
const RUBY: Language = { declarations: [/^[ \t]*((?:class|module|def)[ \t].*)$/u] };
const JAVA: Language = {
  never: /^[ \t]*(?:catch|do|for|if|instanceof|new|return|switch|throw|while)/u,
  declarations: [
    /^[ \t]*((?:[a-z-]+[ \t]+)*(?:class|enum|interface|record)[ \t]+.*)$/u,
    /^[ \t]*((?:[A-Za-z_<>&][\][?&<>.,A-Za-z_0-9]*[ \t]+)+[A-Za-z_][A-Za-z_0-9]*[ \t]*\([^;]*)$/u,
  ],
};
const PHP: Language = {
  declarations: [
    /^[ \t]*((?:(?:public|protected|private|static|abstract|final)[ \t]+)*function.*)$/u,
    /^[ \t]*((?:(?:(?:final|abstract)[ \t]+)?class|enum|interface|trait).*)$/u,
  ],
};
const C_SHARP: Language = {
  never: /^[ \t]*(?:do|while|for|if|else|instanceof|new|return|switch|case|throw|catch|using)/u,
  declarations: [
    new RegExp(`^[ \\t]*(${SHARP_MEMBER}[<>@._A-Za-z0-9]+[ \\t]*\\(.*\\))[ \\t]*$`, 'u'),
    new RegExp(`^[ \\t]*(${SHARP_MEMBER}[@._A-Za-z0-9]+)[ \\t]*$`, 'u'),
    new RegExp(`^[ \\t]*(${SHARP_TYPE}.*)$`, 'u'),
    /^[ \t]*(namespace[ \t]+.*)$/u,
  ],
};

const LANGUAGES: ReadonlyMap<string, Language> = new Map([
  ['py', PYTHON],
  ['rb', RUBY],
  ['java', JAVA],
  ['php', PHP],
  ['cs', C_SHARP],
]);

/** What heads the hunks of a file: declarations of the language it is named for, or lines not indented. */
export function headingFor(path: string): Heading {
  const language = LANGUAGES.get(path.slice(path.lastIndexOf('.') + 1));
  return language ? (line) => declarationIn(line, language) : plainHeading;
}

function declarationIn(line: Bytes, { never, declarations }: Language): Bytes | null {
  if (never?.test(line)) return null;
  for (const pattern of declarations) {
    const found = pattern.exec(line);
    if (found) return found[1] ?? line;
  }
  return null;
}

/** A line that begins with a letter, an underscore or a dollar sign. */
export function plainHeading(line: Bytes): Bytes | null {
  return /^[A-Za-z_$]/u.test(line) ? line : null;
}
