import { describe, expect, it } from 'vitest';
import type { Json } from '../base/json.ts';
import { compareErrors } from './compare-errors.ts';
import { Tally } from './tally.ts';

function missed(theirs: Json, ours: Json, status = 422): readonly string[] {
  const tally = new Tally();
  compareErrors(tally, { status, headers: {}, body: theirs }, { status, headers: {}, body: ours });
  return tally.result().misses.map(({ at }) => at);
}

const ITEM = { resource: 'Label', code: 'invalid', field: 'color' };

describe('what an error says', () => {
  it.each([
    ['message', { message: 'Not Found' }, { message: 'not found' }, ['/message']],
    ['ids in it aside', { message: 'no 123456' }, { message: 'no 654321' }, []],
    ['errors', { message: 'm', errors: [ITEM] }, { message: 'm', errors: [] }, ['/errors']],
    ['errors where none are', { message: 'm' }, { message: 'm', errors: [] }, ['/errors']],
    ['no errors', { message: 'm', errors: [ITEM] }, { message: 'm' }, ['/errors']],
    [
      'their order aside',
      { message: 'm', errors: [ITEM, 'x'] },
      { message: 'm', errors: ['x', { ...ITEM, url: 'more' }] },
      [],
    ],
    [
      'their code',
      { message: 'm', errors: [ITEM] },
      { message: 'm', errors: [{ ...ITEM, code: 'missing' }] },
      ['/errors/*'],
    ],
    ['a word', { ok: false, error: 'no_scope' }, { ok: false, error: 'other' }, ['/error']],
    ['its scopes', { ok: false, error: 'e', needed: 'a' }, { ok: false, error: 'e' }, ['/needed']],
    [
      'an object',
      { error: { type: 'card', code: 'declined', message: 'No such: cus_12345678' } },
      { error: { type: 'card', code: 'other', message: 'No such: cus_87654321' } },
      ['/error/code'],
    ],
    [
      'an object without type',
      { error: { code: 'a', message: 'x' } },
      { error: { code: 'a', message: 'y' } },
      [],
    ],
    [
      'a code',
      { errorCode: 'E1', errorSummary: 's', errorCauses: [{ errorSummary: 'c' }] },
      { errorCode: 'E2', errorSummary: 's', errorCauses: [] },
      ['/errorCode', '/errorCauses'],
    ],
    [
      'a name',
      { name: 'UNPROCESSABLE', details: [{ issue: 'A', field: 'f' }] },
      { name: 'UNPROCESSABLE', details: [{ issue: 'B', field: 'f' }] },
      ['/details/*'],
    ],
    ['anything at all', { message: 'm' }, null, ['/message']],
  ] as const)('counts: %s', (_name, theirs, ours, expected) => {
    expect(missed(theirs as Json, ours as Json)).toEqual(expected);
  });

  it('is nothing where there is none', () => {
    expect(missed({ message: 'fine' }, { message: 'other' }, 200)).toEqual([]);
    expect(missed({ ok: false, error: 'a' }, { ok: false, error: 'b' }, 200)).toEqual(['/error']);
    expect(missed(null, { message: 'x' }, 404)).toEqual([]);
  });
});
