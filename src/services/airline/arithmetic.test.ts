import { describe, expect, it } from 'vitest';
import { calculate, hasOnlyArithmetic } from './arithmetic.ts';

function answer(expression: string): string {
  try {
    return calculate(expression);
  } catch (error) {
    return `Error: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Each pair is what Python 3.11 gives for `str(round(float(eval(text)), 2))`, or its exception. */
const WORKED: readonly (readonly [expression: string, answer: string])[] = [
  ['17 + 25', '42.0'],
  ['(20 - (15 + 12)) * 3', '-21.0'],
  [' 1', '1.0'],
  ['00', '0.0'],
  ['1.', '1.0'],
  ['--5', '5.0'],
  ['1 -- 2', '3.0'],
  ['7//2', '3.0'],
  ['-7//2', '-4.0'],
  ['7.5//2', '3.0'],
  ['-6.534 / 8.803 // -838', '0.0'],
  ['1 // 3.823 // 8 // -69.08', '-0.0'],
  ['2**10', '1024.0'],
  ['2**-1', '0.5'],
  ['2**0.5', '1.41'],
  ['1.1**30', '17.45'],
  ['-2**2', '-4.0'],
  ['2 ** 3 ** 2', '512.0'],
  ['10**400/10**399', '10.0'],
  ['12345678901234567890*10', '1.2345678901234568e+20'],
  ['1 / 3', '0.33'],
  ['0.125', '0.12'],
  ['0.375', '0.38'],
  ['2.675', '2.67'],
  ['-0.0', '-0.0'],
  ['0*-1', '0.0'],
  ['', 'Error: invalid syntax (<string>, line 0)'],
  ['1 2', 'Error: invalid syntax (<string>, line 1)'],
  ['(1 2)', 'Error: invalid syntax. Perhaps you forgot a comma? (<string>, line 1)'],
  ['5 +', 'Error: invalid syntax (<string>, line 1)'],
  ['(1', "Error: '(' was never closed (<string>, line 1)"],
  ['1)', "Error: unmatched ')' (<string>, line 1)"],
  ['()', "Error: float() argument must be a string or a real number, not 'tuple'"],
  ['-()', "Error: bad operand type for unary -: 'tuple'"],
  ['1+()', "Error: unsupported operand type(s) for +: 'int' and 'tuple'"],
  ['2(3)', "Error: 'int' object is not callable"],
  ['1.5(2)', "Error: 'float' object is not callable"],
  ['1.5.2', 'Error: invalid syntax (<string>, line 1)'],
  ['1/0', 'Error: division by zero'],
  ['1//0', 'Error: integer division or modulo by zero'],
  ['1.0/0', 'Error: float division by zero'],
  ['1.0//0', 'Error: float floor division by zero'],
  ['0**-1', 'Error: 0.0 cannot be raised to a negative power'],
  [
    '007',
    'Error: leading zeros in decimal integer literals are not permitted; ' +
      'use an 0o prefix for octal integers (<string>, line 1)',
  ],
  ['10**400', 'Error: int too large to convert to float'],
  ['10.0**400', "Error: (34, 'Numerical result out of range')"],
  ['(-8)**0.5', "Error: float() argument must be a string or a real number, not 'complex'"],
];

describe('calculate', () => {
  it.each(WORKED)('%s = %s', (expression, expected) => {
    expect(answer(expression)).toBe(expected);
  });

  it('ends quickly whatever it is given', () => {
    expect(answer('('.repeat(100_000))).toBe('Error: too many nested parentheses (<string>, line 1)');
    expect(answer('-'.repeat(100_000))).toMatch(/^Error: too many nested operators/u);
    expect(answer(`1${'+1'.repeat(100_000)}`)).toBe('100001.0');
    expect(answer('9**9**9**9')).toBe('Error: int too large to convert to float');
    expect(answer(`${'9'.repeat(400)}*1`)).toBe('Error: int too large to convert to float');
  });

  it('takes digits, operators, brackets, points and blanks only', () => {
    expect(hasOnlyArithmetic('(1 + 2.5) * 3 // 4')).toBe(true);
    expect(hasOnlyArithmetic('1,000 + 2')).toBe(false);
    expect(hasOnlyArithmetic('2^3')).toBe(false);
    expect(hasOnlyArithmetic('1\n+2')).toBe(false);
  });
});
