import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { seedWorld } from '../service/seed.ts';
import { notes } from '../services/notes/index.ts';
import { arbitraryInput } from './arbitrary.ts';
import { poolsOf } from './pools.ts';

const world = seedWorld([{ service: notes, seed: 'small' }]);

function samples(schema: z.ZodType, count = 300): unknown[] {
  return fc.sample(arbitraryInput(schema, world), { numRuns: count, seed: 7 });
}

describe('arbitraryInput', () => {
  it('hits rows that exist', () => {
    const ids = samples(z.strictObject({ id: z.string(), tag: z.string() }));
    const hits = ids.filter((input) => world.table('notes.notes').has((input as { id: string }).id));
    expect(hits.length).toBeGreaterThan(90);
    const tags = new Set(ids.map((input) => (input as { tag: string }).tag));
    expect(tags.has('home') && tags.has('room-3')).toBe(true);
  });

  it.each([
    [
      'bounds',
      z.strictObject({ n: z.int().min(3).max(9), x: z.number().gt(0).lt(2), s: z.string().min(2).max(4) }),
    ],
    ['choices', z.strictObject({ e: z.enum(['a', 'b']), l: z.literal(4), b: z.boolean(), n: z.null() })],
    ['alternatives', z.strictObject({ u: z.union([z.int(), z.strictObject({ deep: z.literal('x') })]) })],
    ['patterns', z.strictObject({ p: z.string().regex(/^[a-f]{3}\d$/), d: z.iso.datetime(), m: z.email() })],
    ['lists', z.strictObject({ l: z.array(z.int()).min(1).max(2), r: z.record(z.string(), z.int()) })],
    ['absence', z.strictObject({ o: z.string().optional(), n: z.string().nullable() })],
  ])('fits the schema: %s', (_name, schema) => {
    for (const input of samples(schema)) expect(schema.safeParse(input).error?.issues).toBeUndefined();
  });

  it('gives the same inputs for the same seed', () => {
    const schema = z.strictObject({ id: z.string(), n: z.int() });
    expect(samples(schema, 20)).toEqual(samples(schema, 20));
  });

  it('ends on a schema that refers to itself', () => {
    const tree: z.ZodType = z.lazy(() => z.strictObject({ next: tree.nullable() }));
    expect(samples(tree, 20)).toHaveLength(20);
  });
});

describe('poolsOf', () => {
  it('finds values under the names that inputs use', () => {
    const pools = poolsOf(world);
    expect(pools.get('note_id')).toContain('note_seed0002');
    expect(pools.get('notebook')).toEqual(['book_1', 'book_2']);
    expect(pools.get('revision')).toEqual([1]);
  });
});
