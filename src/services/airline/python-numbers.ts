import { pythonFloatText } from '../../service/index.ts';

/** A value of the calculator: Python's two number types, and the empty tuple that `()` is there. */
export type Value =
  | { readonly type: 'int'; readonly value: bigint }
  | { readonly type: 'float'; readonly value: number }
  | { readonly type: 'tuple' }
  | { readonly type: 'complex' };

/** An exception of Python: its text is the answer, after `Error: `. */
export class PythonException extends Error {
  override readonly name = 'PythonException';
}

/** Past this many bits a whole number is refused; no double can hold a tenth of it. */
const MOST_BITS = 65_536;

/** The result of a binary operator of Python, or its exception. */
export function applyOperator(operator: string, left: Value, right: Value): Value {
  if (!isNumber(left) || !isNumber(right)) {
    const sign = operator === '**' ? '** or pow()' : operator;
    throw new PythonException(`unsupported operand type(s) for ${sign}: '${left.type}' and '${right.type}'`);
  }
  if (operator === '**') return power(left, right);
  if (left.type === 'int' && right.type === 'int') return wholeOperator(operator, left.value, right.value);
  return floatOperator(operator, toFloat(left), toFloat(right));
}

/** `-value`; `+value` changes nothing but refuses the same types. */
export function applySign(operator: string, operand: Value): Value {
  if (!isNumber(operand))
    throw new PythonException(`bad operand type for unary ${operator}: '${operand.type}'`);
  if (operator === '+') return operand;
  return operand.type === 'int'
    ? { type: 'int', value: -operand.value }
    : { type: 'float', value: -operand.value };
}

/** `str(round(float(value), 2))`. */
export function roundedText(value: Value): string {
  if (!isNumber(value)) {
    throw new PythonException(`float() argument must be a string or a real number, not '${value.type}'`);
  }
  return pythonFloatText(roundToCents(toFloat(value)));
}

type Numeric = Extract<Value, { readonly value: unknown }>;

function isNumber(value: Value): value is Numeric {
  return value.type === 'int' || value.type === 'float';
}

function toFloat(operand: Numeric): number {
  const number = Number(operand.value);
  if (operand.type === 'int' && !Number.isFinite(number)) {
    throw new PythonException('int too large to convert to float');
  }
  return number;
}

function wholeOperator(operator: string, left: bigint, right: bigint): Value {
  if (operator === '+') return { type: 'int', value: left + right };
  if (operator === '-') return { type: 'int', value: left - right };
  if (operator === '*') {
    assertSize(bitLength(left) + bitLength(right));
    return { type: 'int', value: left * right };
  }
  if (operator === '//') {
    if (right === 0n) throw new PythonException('integer division or modulo by zero');
    const quotient = left / right;
    const inexact = quotient * right !== left;
    return { type: 'int', value: inexact && left < 0n !== right < 0n ? quotient - 1n : quotient };
  }
  if (right === 0n) throw new PythonException('division by zero');
  return { type: 'float', value: trueQuotient(left, right) };
}

/** Two whole numbers too large for a double may still have a quotient that is not. */
function trueQuotient(left: bigint, right: bigint): number {
  const excess = Math.max(bitLength(left), bitLength(right)) - 1000;
  const shift = excess > 0 ? BigInt(excess) : 0n;
  const quotient = Number(left >> shift) / Number(right >> shift);
  if (!Number.isFinite(quotient)) throw new PythonException('integer division result too large for a float');
  return quotient;
}

function floatOperator(operator: string, left: number, right: number): Value {
  if (operator === '+') return { type: 'float', value: left + right };
  if (operator === '-') return { type: 'float', value: left - right };
  if (operator === '*') return { type: 'float', value: left * right };
  if (operator === '/') {
    if (right === 0) throw new PythonException('float division by zero');
    return { type: 'float', value: left / right };
  }
  if (right === 0) throw new PythonException('float floor division by zero');
  return { type: 'float', value: floorQuotient(left, right) };
}

function floorQuotient(left: number, right: number): number {
  const remainder = left % right;
  let quotient = (left - remainder) / right;
  if (remainder !== 0 && right < 0 !== remainder < 0) quotient -= 1;
  if (quotient === 0) return Math.sign(left) / Math.sign(right) < 0 || Object.is(left / right, -0) ? -0 : 0;
  const floor = Math.floor(quotient);
  return quotient - floor > 0.5 ? floor + 1 : floor;
}

function power(base: Numeric, exponent: Numeric): Value {
  if (base.type === 'int' && exponent.type === 'int' && exponent.value >= 0n) {
    return { type: 'int', value: wholePower(base.value, exponent.value) };
  }
  const [number, times] = [toFloat(base), toFloat(exponent)];
  if (number === 0 && times < 0) throw new PythonException('0.0 cannot be raised to a negative power');
  if (number < 0 && !Number.isInteger(times)) return { type: 'complex' };
  const result = times < 0 ? 1 / floatPower(number, -times) : floatPower(number, times);
  if (!Number.isFinite(result)) throw new PythonException("(34, 'Numerical result out of range')");
  return { type: 'float', value: result };
}

function wholePower(base: bigint, exponent: bigint): bigint {
  if (exponent > BigInt(MOST_BITS) && base !== 0n && base !== 1n && base !== -1n) assertSize(MOST_BITS + 1);
  let result = 1n;
  let square = base;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    assertSize(bitLength(result) + bitLength(square));
    if (rest & 1n) result *= square;
    if (rest > 1n) square *= square;
  }
  return result;
}

/**
 * By squaring, and by square roots for the binary places of a fraction: the power function of the language
 * differs between engines, these do not.
 */
function floatPower(base: number, exponent: number): number {
  const whole = Math.floor(exponent);
  let result = 1;
  let square = base;
  for (let rest = whole; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result *= square;
    square *= square;
  }
  let root = base;
  for (let fraction = exponent - whole; fraction > 0; ) {
    root = Math.sqrt(root);
    fraction *= 2;
    if (fraction >= 1) {
      result *= root;
      fraction -= 1;
    }
  }
  return result;
}

/**
 * `round(x, 2)`: to the nearest hundredth of the exact binary value; the even one when two are equally
 * near.
 */
function roundToCents(number: number): number {
  const size = Math.abs(number);
  // Beyond this a double has no hundredths, and `toFixed` would print an exponent.
  if (!(size < 1e21)) return number;
  const eighths = size * 8;
  // Exact ties are the odd eighths; `toFixed` takes the larger neighbour there.
  const tie = Number.isInteger(eighths) && eighths % 2 === 1;
  const rounded = tie ? evenHundredth(eighths) : Number(size.toFixed(2));
  return number < 0 || Object.is(number, -0) ? -rounded : rounded;
}

function evenHundredth(eighths: number): number {
  const below = (BigInt(eighths) * 100n) / 8n;
  return Number(below % 2n === 0n ? below : below + 1n) / 100;
}

function bitLength(value: bigint): number {
  return (value < 0n ? -value : value).toString(16).length * 4;
}

function assertSize(bits: number): void {
  if (bits > MOST_BITS) throw new PythonException('int too large to convert to float');
}
