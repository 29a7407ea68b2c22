import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMANDS, loadCommand } from './commands.ts';

const FOLDER = new URL('./commands', import.meta.url).pathname;

const files = readdirSync(FOLDER, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /(?<!\.test)\.ts$/u.test(entry.name))
  .map((entry) => relative(FOLDER, join(entry.parentPath, entry.name)).replace(/\.ts$/u, ''));

describe('the list of commands', () => {
  it('is exactly the files of the folder', () => {
    expect(COMMANDS.map((words) => words.join('/')).toSorted()).toEqual(files.toSorted());
  });

  it.each(COMMANDS.map((words) => ({ words, name: words.join(' ') })))(
    '$name says what it is',
    async ({ words, name }) => {
      const command = await loadCommand(words);
      expect(command.summary).toMatch(/^[A-Z].*\.$/u);
      expect(command.examples.length).toBeGreaterThan(0);
      for (const example of command.examples) expect(`${example} `.startsWith(`${name} `)).toBe(true);
      expect(command.keys.length).toBeGreaterThan(0);
      const names = command.options.map((option) => option.name);
      expect(names).not.toContain('json');
      expect(new Set(names).size).toBe(names.length);
      for (const option of [...command.options, ...command.args]) expect(option.description).not.toBe('');
      for (const example of command.examples) {
        for (const flag of example.matchAll(/--([a-z-]+)/gu)) expect([...names, 'json']).toContain(flag[1]);
      }
    },
  );
});
