import { describe, expect, it } from 'vitest';
import { notes } from '../../services/notes/index.ts';
import { tokenMask } from './masking.ts';

const mask = tokenMask([notes]);
const SECRET = 'A1b2C3d4E5f6G7h8I9j0';

describe('a mask', () => {
  it.each(['ghs_', 'ghc_', 'notes_', 'ghs%5f', '%67hs_', '%67%68%73%5F'])(
    'hides a token that begins %s',
    (begin) => {
      const text = mask(`/a/${begin}${SECRET}/b%2`);
      expect(text).toMatch(/^\/a\/(ghs|ghc|notes)_\*\*\*\/b%2$/u);
    },
  );

  it('leaves what holds no token as it came', () => {
    for (const text of ['/notes/a%2Fb%zz%', '/notes_1', 'ghs_', '/%C3%BC']) expect(mask(text)).toBe(text);
  });
});
