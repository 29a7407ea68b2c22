import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyService } from '../../scripts/new-service.ts';
import type { Probe, Service } from '../service/index.ts';
import { conformanceProblems, LAWS } from './index.ts';

const REPOSITORY = resolve(import.meta.dirname, '../..');
let root = '';
let files: string[] = [];

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'new-service-'));
  mkdirSync(join(root, 'src', 'services'), { recursive: true });
  symlinkSync(join(REPOSITORY, 'node_modules'), join(root, 'node_modules'));
  for (const folder of ['base', 'world', 'service']) {
    symlinkSync(join(REPOSITORY, 'src', folder), join(root, 'src', folder));
  }
  cpSync(join(REPOSITORY, 'src/services/notes'), join(root, 'src/services/notes'), { recursive: true });
  files = copyService('library', root, 'publication');
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('copyService', () => {
  it('copies every file under the new name', () => {
    expect(files).toContain('src/services/library/library.contract.test.ts');
    expect(files).toContain('src/services/library/operations/library.ts');
    const text = files.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
    // `note` is also what the kit calls a remark in the coverage table.
    expect(text.replaceAll("note: '", '')).not.toMatch(/note|book_/iu);
    for (const word of ['publication_not_found', 'save_tagged_publication', 'listLibrary', 'by_group'])
      expect(text).toContain(word);
    expect(text).toContain('export const library = defineService({');
  });

  it('gives code that the formatter and the linter have nothing to say about', () => {
    const biome = (folder: string, ...more: string[]) =>
      spawnSync(join(REPOSITORY, 'node_modules/.bin/biome'), [
        'check',
        `--config-path=${join(REPOSITORY, 'biome.json')}`,
        '--vcs-enabled=false',
        ...more,
        folder,
      ]);
    const folder = join(root, 'src/services/library');
    expect(biome(folder, '--write').status).toBe(0);
    expect(biome(folder).status).toBe(0);
    for (const file of files.filter((name) => name.endsWith('.ts'))) {
      const wide = readFileSync(join(root, file), 'utf8')
        .split('\n')
        .filter((line) => line.length > 110 && !/['`].{60,}['`]/u.test(line));
      expect({ file, wide }).toEqual({ file, wide: [] });
    }
  });

  it('gives a service that keeps the laws', async () => {
    const copy: { library: Service; probes: readonly Probe[] } = await import(
      join(root, 'src/services/library/index.ts')
    );
    const listing = { items: 'library', limit: 'limit', cursor: 'after', next: 'next_after' };
    const listings = [{ operation: 'library.list', input: {}, ...listing }];
    for (const law of LAWS) {
      expect(conformanceProblems(copy.library, { probes: copy.probes, listings }, law)).toEqual([]);
    }
  });

  it('refuses names that are none or taken', () => {
    expect(() => copyService('library', root)).toThrow('there is a service named library already');
    expect(() => copyService('tags', root)).toThrow('notes has something called tags already');
    expect(() => copyService('stock', root, 'stock')).toThrow('cannot both be called stock');
    for (const name of ['', 'My-Service', '../x', 'class', '9lives']) {
      expect(() => copyService(name, root)).toThrow('cannot be the name of a service');
    }
  });
});
