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
  files = copyService('library', root);
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('copyService', () => {
  it('copies every file under the new name', () => {
    expect(files).toContain('src/services/library/library.contract.test.ts');
    expect(files).toContain('src/services/library/operations/library.ts');
    const text = files.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
    expect(text).not.toMatch(/\bnotes\b|\bNotes/u);
    expect(text).toContain('export const library = defineService({');
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
    for (const name of ['', 'My-Service', '../x', 'class', '9lives']) {
      expect(() => copyService(name, root)).toThrow('cannot be the name of a service');
    }
  });
});
