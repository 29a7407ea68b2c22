import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { seedWorld } from '../service/seed.ts';
import { notes } from '../services/notes/index.ts';
import type { World } from '../world/index.ts';
import { type CachedSeed, cachedSeed } from './seed-cache.ts';

const SEED: CachedSeed = {
  recipe: 'notes/small',
  services: ['notes'],
  behaviour: 'one',
  schemas: { notes: notes.schema },
};

describe('the cache of seeded worlds', () => {
  let folder = '';
  const build = vi.fn(() => seedWorld([{ service: notes, seed: 'small' }]) as World);

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'groundhog-cache-'));
    vi.stubEnv('GROUNDHOG_CACHE', folder);
    build.mockClear();
  });

  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });

  it('builds once and gives the same world again', () => {
    const first = cachedSeed(SEED, build);
    const second = cachedSeed(SEED, build);
    expect(build).toHaveBeenCalledTimes(1);
    expect(second.fullDigest()).toBe(first.fullDigest());
    expect(second.merkleRoot()).toBe(first.merkleRoot());
  });

  it('builds again for other code', () => {
    cachedSeed(SEED, build);
    cachedSeed({ ...SEED, behaviour: 'two' }, build);
    expect(build).toHaveBeenCalledTimes(2);
  });

  it('builds again when a file is damaged, and mends it', () => {
    const first = cachedSeed(SEED, build);
    const file = readdirSync(folder).find((name) => name.endsWith('.world')) ?? '';
    const bytes = readFileSync(join(folder, file));
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
    writeFileSync(join(folder, file), bytes);
    expect(cachedSeed(SEED, build).merkleRoot()).toBe(first.merkleRoot());
    expect(build).toHaveBeenCalledTimes(2);
    cachedSeed(SEED, build);
    expect(build).toHaveBeenCalledTimes(2);
  });

  it('keeps few worlds of a recipe, the newest, and those of others', () => {
    cachedSeed({ ...SEED, recipe: 'notes/small+notes-more' }, build);
    for (const behaviour of ['1', '2', '3', '4', '5']) cachedSeed({ ...SEED, behaviour }, build);
    const worlds = readdirSync(folder).filter((name) => name.endsWith('.world'));
    expect(worlds).toHaveLength(4);
    expect(readdirSync(folder)).toHaveLength(8);
    build.mockClear();
    cachedSeed({ ...SEED, behaviour: '5' }, build);
    expect(build).not.toHaveBeenCalled();
  });

  it('does without when the folder cannot be written', () => {
    vi.stubEnv('GROUNDHOG_CACHE', '/dev/null/nowhere');
    expect(cachedSeed(SEED, build).tableNames.length).toBeGreaterThan(0);
  });
});
