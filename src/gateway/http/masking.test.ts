import { describe, expect, it } from 'vitest';
import { notes } from '../../services/notes/index.ts';
import { tokenMask } from './masking.ts';

const mask = tokenMask([notes]);
const SECRET = 'A1b2C3d4E5f6G7h8I9j0';

describe('a mask', () => {
  it.each([
    'hog_session_',
    'hog_control_',
    'hog_environment_',
    'notes_',
    'notes%5f',
    '%6eotes_',
    'hog%5Fsession_',
  ])('hides a token that begins %s', (begin) => {
    const text = mask(`/a/${begin}${SECRET}/b%2`);
    expect(text).toMatch(/^\/a\/(hog_session|hog_control|hog_environment|notes)_\*\*\*\/b%2$/u);
  });

  it('leaves what holds no token as it came', () => {
    for (const text of ['/notes/a%2Fb%zz%', '/notes_1', 'hog_session_', '/%C3%BC'])
      expect(mask(text)).toBe(text);
  });
});
