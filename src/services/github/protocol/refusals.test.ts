import { expect, it } from 'vitest';
import { z } from 'zod';
import { parseInput } from '../../../service/run.ts';
import { refusalText } from './refusals.ts';

const schema = z.looseObject({
  labels: z.array(z.string()).optional(),
  state: z.enum(['open', 'closed']).optional(),
  side: z.literal('LEFT').optional(),
  body: z.string().nullable().optional(),
  draft: z.boolean().optional(),
  count: z.int().max(6).optional(),
  author: z.object({ name: z.string() }).optional(),
  milestone: z.union([z.int(), z.string(), z.null()]).optional(),
  topic: z.union([z.string(), z.literal(7)]).optional(),
});

it.each([
  [{ labels: { id: 22, setting: false } }, 'labels', '{"id"=>22, "setting"=>false} is not an array'],
  [{ labels: ['bug', null] }, 'labels/1', 'nil is not a string'],
  [{ state: 'bogus' }, 'state', 'bogus is not a member of ["open", "closed"]'],
  [{ state: null }, 'state', 'nil is not a member of ["open", "closed"]'],
  [{ side: 'RIGHT' }, 'side', 'RIGHT is not a member of ["LEFT"]'],
  [{ body: [1, 'two'] }, 'body', '[1, "two"] is not a string'],
  [{ draft: 'yes' }, 'draft', '"yes" is not a boolean'],
  [{ count: '3' }, 'count', '"3" is not an integer'],
  [{ count: 3.5 }, 'count', '3.5 is not an integer'],
  [{ count: 9 }, 'count', '9 must be less than or equal to 6'],
  [{ milestone: { number: 0 } }, 'milestone', '{"number"=>0} is not an integer, string, or null'],
  [{ author: { name: 7 } }, 'author/name', '7 is not a string'],
])('%j is refused as GitHub does', (input, path, problem) => {
  const parsed = parseInput(schema, input);
  const texts = 'issues' in parsed ? parsed.issues.map(refusalText) : [];
  expect(texts).toEqual([`For 'properties/${path}', ${problem}.`]);
});

it('alternatives of which some are no kind are not gone through', () => {
  const parsed = parseInput(schema, { topic: 8 });
  const texts = 'issues' in parsed ? parsed.issues.map(refusalText) : [];
  expect(texts).toEqual(['No subschema in "anyOf" matched.']);
});
