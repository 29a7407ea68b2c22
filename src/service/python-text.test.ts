import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../base/json.ts';
import {
  comparePythonText,
  inPythonOrder,
  keepPythonOrder,
  parsePythonJson,
  pythonArithmetic,
  pythonFloat,
  pythonFloatText,
  pythonJson,
  pythonRepr,
  pythonText,
  pythonTextRepr,
} from './python-text.ts';

describe('numbers', () => {
  it.each([
    [5, '5.0'],
    [-0, '-0.0'],
    [0.1, '0.1'],
    [1e15, '1000000000000000.0'],
    [1e16, '1e+16'],
    [123456789012345680, '1.2345678901234568e+17'],
    [1e-4, '0.0001'],
    [1e-5, '1e-05'],
    [5e-324, '5e-324'],
    [1e100, '1e+100'],
    [Number.NaN, 'nan'],
    [Number.NEGATIVE_INFINITY, '-inf'],
  ])('repr of the float %d is %s', (number, text) => {
    expect(pythonFloatText(number)).toBe(text);
  });

  it('keeps integers and floats apart through JSON and arithmetic', () => {
    const read = parsePythonJson('[5, 5.0, 5e0, 5.5, -0.0, 2.5e1]');
    expect(pythonJson(read)).toBe('[5, 5.0, 5.0, 5.5, -0.0, 25.0]');
    expect(pythonJson(pythonArithmetic('-', 50, pythonFloat(5)))).toBe('45.0');
    expect(pythonJson(pythonArithmetic('+', 2.5, 2.5))).toBe('5.0');
    expect(pythonJson(pythonArithmetic('*', 0, -1))).toBe('0');
    expect(pythonJson(parsePythonJson('[1e400]'))).toBe('[inf]');
  });
});

describe('texts', () => {
  it('json.dumps escapes what is not plain ASCII', () => {
    expect(pythonJson({ 'é"': ['\n\u007f😀\\', null, true] })).toBe(
      '{"\\u00e9\\"": ["\\n\\u007f\\ud83d\\ude00\\\\", null, true]}',
    );
  });

  it('repr chooses its quotes and escapes what does not print', () => {
    expect(pythonTextRepr("it's")).toBe('"it\'s"');
    expect(pythonTextRepr(`'"`)).toBe(`'\\'"'`);
    expect(pythonTextRepr('a\tb\u00a0c\u200bd\u{e0001}é😀')).toBe("'a\\tb\\xa0c\\u200bd\\U000e0001é😀'");
    expect(pythonRepr({ a: [1, null, { b: false }] })).toBe("{'a': [1, None, {'b': False}]}");
    expect(pythonText('bare')).toBe('bare');
  });

  it('sorts by code points', () => {
    expect(comparePythonText('\uffff', '😀')).toBeLessThan(0);
    expect('\uffff' < '😀').toBe(false);
    expect(comparePythonText('😀', '😀a')).toBeLessThan(0);
    expect(comparePythonText('a', 'a')).toBe(0);
  });
});

describe('member order', () => {
  const usual = ['flight_number', 'date', 'price'];

  it('the usual order needs no mark, another is written out, both come back', () => {
    const plain = keepPythonOrder({ flight_number: 'GH1', date: 'd' }, usual);
    expect(plain).toEqual({ date: 'd', flight_number: 'GH1' });
    const marked = keepPythonOrder({ date: 'd', flight_number: 'GH1' }, usual);
    expect(marked).toEqual({
      $members: [
        ['date', 'd'],
        ['flight_number', 'GH1'],
      ],
    });
  });

  it('survives a recorder that sorts members', () => {
    const names = fc.uniqueArray(fc.constantFrom('date', 'price', 'flight_number', 'a', 'z'), {
      minLength: 1,
    });
    fc.assert(
      fc.property(names, (order) => {
        const given = Object.fromEntries(order.map((name): [string, Json] => [name, 1]));
        const kept = keepPythonOrder(given, usual) as Record<string, Json>;
        const recorded = Object.fromEntries(
          Object.entries(kept).sort(([left], [right]) => (left < right ? -1 : 1)),
        );
        expect(Object.keys(inPythonOrder(recorded, usual))).toEqual(order);
      }),
    );
  });
});
