import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Redaction, secretsOf } from './redaction.ts';

describe('secrets of an environment', () => {
  it('are the values of variables that are named for them, and passwords in URLs', () => {
    const secrets = secretsOf({
      OPENAI_API_KEY: 'value-one',
      MY_APIKEY: 'value-two',
      GITHUB_TOKEN: 'value-three',
      aws_secret_access_key: 'value-four',
      DATABASE_URL: 'postgres://someone:value-five@host/db',
      TOKENIZERS_PARALLELISM: 'disabled',
      MONKEY: 'business',
      HOME: '/somewhere/else',
      EMPTY_KEY: undefined,
    });
    expect(secrets.filter((value) => value !== '')).toEqual([
      ...['value-one', 'value-two', 'value-three', 'value-four', 'value-five'],
    ]);
  });

  it('are those of named variables too, whatever they are called', () => {
    expect(secretsOf({ WHATEVER: 'value-one', OTHER: 'value-two' }, ['WHATEVER'])).toContain('value-one');
    expect(secretsOf({ WHATEVER: 'value-one', OTHER: 'value-two' }, ['WHATEVER'])).not.toContain('value-two');
  });
});

describe('masking', () => {
  it.each([
    ['call it with sk-proj-a1b2c3d4e5f6g7h8i9 now', 'call it with [masked] now'],
    ['{"authorization":"Bearer abc.def-123"}', '{"authorization":"[masked]"}'],
    ['Bearer of good news, a task-force-of-sixteen', 'Bearer of good news, a task-force-of-sixteen'],
    ['sk_test_4eC39HqLyjWDarjtT1zdp7dc', 'sk_test_4eC39HqLyjWDarjtT1zdp7dc'],
  ])('knows credentials by their looks, and only those: %s', (text, masked) => {
    expect(new Redaction().text(text)).toBe(masked);
  });

  it('leaves short values alone, which are words', () => {
    expect(new Redaction(['false', 'none', '', '  ']).text('false, none')).toBe('false, none');
  });

  it('finds a secret at any depth, in names and in JSON within texts', () => {
    const secret = 'pa"ss\\wo\nrd';
    const inner = JSON.stringify({ token: secret });
    const value = { [secret]: [{ text: `x${secret}y` }, inner, JSON.stringify({ inner }), 7, null] };
    expect(new Redaction([secret]).json(value)).toEqual({
      '[masked]': [
        { text: 'x[masked]y' },
        '{"token":"[masked]"}',
        JSON.stringify({ inner: '{"token":"[masked]"}' }),
        7,
        null,
      ],
    });
  });

  it('leaves no secret in anything, and changes nothing the second time', () => {
    const secret = fc.string({ minLength: 8, maxLength: 20, unit: 'binary' }).map((text) => text.trim());
    const secrets = fc.array(
      secret.filter(({ length }) => length >= 8),
      { minLength: 1, maxLength: 4 },
    );
    fc.assert(
      fc.property(secrets, fc.array(fc.string({ maxLength: 5 })), fc.nat(), (values, parts, at) => {
        const redaction = new Redaction(values);
        const chosen = values[at % values.length] ?? '';
        const text = [...parts, ''].map((part) => `${part} ${chosen} ${part}`).join('');
        const masked = redaction.json({ text, inner: JSON.stringify({ chosen, text }) });
        const written = JSON.stringify(masked);
        expect(written).not.toContain(JSON.stringify(chosen).slice(1, -1));
        expect(masked.text).not.toContain(chosen);
        expect(redaction.json(masked)).toEqual(masked);
      }),
      { numRuns: 300 },
    );
  });
});
