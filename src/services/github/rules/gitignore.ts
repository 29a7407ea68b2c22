import { entryOf } from './entries.ts';

/** What new repositories may ignore from the start, by the template's name. */
const TEMPLATES: Readonly<Record<string, readonly string[]>> = {
  C: ['*.o', '*.obj', '*.a', '*.lib', '*.so', '*.dll', '*.exe', '*.out'],
  'C++': ['*.o', '*.obj', '*.a', '*.lib', '*.so', '*.dll', '*.exe', '*.out', '*.gch'],
  Dart: ['.dart_tool/', '.packages', 'build/', 'pubspec.lock'],
  Elixir: ['_build/', 'deps/', 'cover/', '*.beam', 'erl_crash.dump'],
  Go: ['*.exe', '*.test', '*.out', 'go.work', 'vendor/'],
  Haskell: ['dist/', 'dist-newstyle/', '*.hi', '*.o', '.stack-work/'],
  Java: ['*.class', '*.log', '*.jar', '*.war', '*.ear', 'hs_err_pid*'],
  Kotlin: ['*.class', '*.jar', '.kotlin/', 'build/'],
  Lua: ['*.luac', 'luac.out', '*.rock'],
  Node: ['node_modules/', 'npm-debug.log*', 'coverage/', '.env', 'dist/', '*.tgz'],
  Perl: ['blib/', '_build/', 'cover_db/', 'Makefile.old', '*.tar.gz'],
  Python: ['__pycache__/', '*.py[cod]', 'build/', 'dist/', '*.egg-info/', '.venv/', '.pytest_cache/'],
  R: ['.Rhistory', '.RData', '.Rproj.user/'],
  Ruby: ['*.gem', '.bundle/', 'coverage/', 'tmp/', 'vendor/bundle/'],
  Rust: ['target/', '*.rs.bk'],
  Scala: ['*.class', '*.log', 'target/'],
  Swift: ['.build/', 'Packages/', 'xcuserdata/', '*.ipa'],
  TeX: ['*.aux', '*.log', '*.toc', '*.out', '*.synctex.gz'],
};

/** The names of all templates. */
export const GITIGNORE_NAMES: readonly string[] = Object.keys(TEMPLATES);

/** A template's text; undefined for a name that there is none of. */
export function gitignoreNamed(name: string): string | undefined {
  const patterns = entryOf(TEMPLATES, name);
  return patterns && `# ${name}\n${patterns.join('\n')}\n`;
}
