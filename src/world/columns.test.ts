import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Json } from '../base/json.ts';
import { compileColumn } from './columns.ts';

const SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  'any JSON': z.json(),
  'any JSON, described': z.json().describe('whatever came'),
  'any JSON or nothing': z.json().optional(),
  'texts behind a getter': z.lazy(() => z.string()),
  'a union that is less than JSON': z.lazy(() => z.union([z.string(), z.array(z.json())])),
  integers: z.int().nullable(),
  choices: z.enum(['open', 'closed']),
};

const VALUES: readonly Json[] = [
  null,
  true,
  0,
  -7,
  0.5,
  '',
  'open',
  [],
  [1, ['a', null]],
  {},
  { a: { b: [] } },
];

describe('a column', () => {
  it.each(Object.entries(SCHEMAS))('takes exactly what its schema takes: %s', (_, schema) => {
    const { fits } = compileColumn('things', 'thing', schema);
    for (const value of VALUES) {
      expect({ value, fits: fits(value) }).toEqual({ value, fits: schema.safeParse(value).success });
    }
  });
});
