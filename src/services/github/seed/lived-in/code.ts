import type { SeededRandom } from '../../../../service/index.ts';
import { MODULES, THINGS, VERBS } from './words.ts';

/** One function of a module: what it is called, and the number in it. */
interface Part {
  readonly name: string;
  readonly amount: number;
}

/** The files of a repository as they grow: modules of small functions, each change a few lines. */
export class Code {
  readonly #random: SeededRandom;
  readonly #modules = new Map<string, Part[]>();

  constructor(random: SeededRandom, modules: number) {
    this.#random = random;
    for (const name of random.shuffle([...MODULES]).slice(0, modules)) {
      this.#modules.set(name, [this.#part([]), this.#part([])]);
    }
  }

  get modules(): string[] {
    return [...this.#modules.keys()];
  }

  /** The text of every file of a first commit. */
  firstFiles(name: string, description: string): Map<string, string> {
    const files = new Map([
      ['README.md', `# ${name}\n\n${description}\n\n## Use\n\n    npm install ${name}\n`],
      ['CHANGELOG.md', '# Changes\n\n## Unreleased\n'],
      ['package.json', `{\n  "name": "${name}",\n  "version": "0.1.0",\n  "type": "module"\n}\n`],
      ['.github/workflows/checks.yml', 'name: Checks\non: [push, pull_request]\njobs: {}\n'],
    ]);
    for (const module of this.modules) files.set(pathOf(module), this.textOf(module));
    return files;
  }

  textOf(module: string): string {
    const parts = this.#modules.get(module) ?? [];
    const bodies = parts.map(
      ({ name, amount }) =>
        `export function ${name}(value: number): number {\n  return value + ${amount};\n}\n`,
    );
    return `/** Everything about ${module}. */\n\n${bodies.join('\n')}`;
  }

  /** Adds a function to a module, or changes the number in one; gives what to call that. */
  change(module: string): string {
    const parts = this.#modules.get(module) ?? [];
    if (parts.length < 8 && this.#random.chance(0.6)) {
      const part = this.#part(parts);
      parts.push(part);
      return `Add ${part.name} to ${module}`;
    }
    const at = this.#random.integer(0, parts.length - 1);
    const old = parts[at] ?? this.#part(parts);
    parts[at] = { name: old.name, amount: old.amount + this.#random.integer(1, 9) };
    return `Correct ${old.name} in ${module}`;
  }

  /** The code as it is now, to be changed apart from this one. */
  branched(): Code {
    const copy = new Code(this.#random, 0);
    for (const [module, parts] of this.#modules) copy.#modules.set(module, [...parts]);
    return copy;
  }

  /** Takes a module over as it is there: what a merge brings. */
  take(module: string, from: Code): void {
    this.#modules.set(module, [...(from.#modules.get(module) ?? [])]);
  }

  #part(taken: readonly Part[]): Part {
    for (;;) {
      const verb = this.#random.pick(VERBS);
      const thing = this.#random.pick(THINGS);
      const name = `${verb}${thing.charAt(0).toUpperCase()}${thing.slice(1)}`;
      if (!taken.some((part) => part.name === name)) return { name, amount: this.#random.integer(1, 90) };
    }
  }
}

/** Where a module is. */
export function pathOf(module: string): string {
  return `src/${module}.ts`;
}
