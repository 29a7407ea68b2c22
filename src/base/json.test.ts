import { describe, expect, it } from 'vitest';
import { type Json, jsonText, keepText, textByParts } from './json.ts';

describe('the text of a value', () => {
  const part = keepText({ title: 'Flickers “at night”', '7': [1, { deep: null }] });
  const other = keepText({ title: 'Hums' });

  it('is what JSON.stringify gives, however much of it is kept', () => {
    const values: readonly Json[] = [
      part,
      [part, other],
      [part, other, part],
      [part, { title: 'not kept' }],
      [],
      [[part]],
      { item: part },
      'text',
      null,
    ];
    for (const value of values) {
      expect(jsonText(value)).toBe(JSON.stringify(value));
      expect(jsonText(value)).toBe(JSON.stringify(value));
    }
  });

  it('is put together of parts only where all of it is kept', () => {
    const text = ({ title }: { readonly title?: Json }): string => String(title);
    expect(textByParts([other, other], text)).toBe('[Hums,Hums]');
    expect(textByParts(other, text)).toBe('Hums');
    for (const value of [[], [other, {}], [other, null], { other }, 'Hums', null]) {
      expect(textByParts(value, text)).toBeNull();
    }
  });
});
