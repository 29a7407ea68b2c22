import { applyOperator, applySign, PythonException, roundedText, type Value } from './python-numbers.ts';

/** A parsed expression, evaluated only when all of the text has proved well formed, as Python does. */
type Thunk = () => Value;

interface Token {
  readonly kind: 'number' | 'operator' | 'end';
  readonly text: string;
}

const SYNTAX = 'invalid syntax (<string>, line 1)';
const NESTED_PARENTHESES = 200;
const NESTED_OPERATORS = 1000;

/** The characters an expression may have; anything else is refused before it is read. */
export function hasOnlyArithmetic(expression: string): boolean {
  return /^[0-9+\-*/(). ]*$/.test(expression);
}

/**
 * Evaluates `+ - * / // **`, signs and parentheses with Python's two number types and prints the result as
 * `str(round(float(x), 2))` does.
 * @throws PythonException with the text that Python has for the mistake.
 */
export function calculate(expression: string): string {
  if (expression.trim() === '') throw new PythonException('invalid syntax (<string>, line 0)');
  const parser = new Parser(tokenize(expression));
  return roundedText(parser.whole()());
}

function tokenize(expression: string): Token[] {
  const tokens: Token[] = [];
  for (const [text] of expression.matchAll(/\d+\.?\d*|\.\d+|\*\*|\/\/|[-+*/().]/g)) {
    tokens.push({ kind: /\d/.test(text) ? 'number' : 'operator', text });
  }
  tokens.push({ kind: 'end', text: '' });
  return tokens;
}

class Parser {
  readonly #tokens: readonly Token[];
  #position = 0;
  #parentheses = 0;
  #operators = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  whole(): Thunk {
    const result = this.#sum();
    if (this.#next.kind !== 'end') this.#fail();
    return result;
  }

  get #next(): Token {
    return this.#tokens[this.#position] ?? { kind: 'end', text: '' };
  }

  #takes(...operators: readonly string[]): string | undefined {
    const { kind, text } = this.#next;
    if (kind !== 'operator' || !operators.includes(text)) return undefined;
    this.#position += 1;
    return text;
  }

  #sum(): Thunk {
    return this.#chain(() => this.#product(), ['+', '-']);
  }

  #product(): Thunk {
    return this.#chain(() => this.#signed(), ['*', '/', '//']);
  }

  /** A chain of equal rank from the left; one list, so that a long sum is not a deep stack. */
  #chain(operand: () => Thunk, operators: readonly string[]): Thunk {
    const first = operand();
    const rest: { readonly operator: string; readonly operand: Thunk }[] = [];
    for (let operator = this.#takes(...operators); operator; operator = this.#takes(...operators)) {
      rest.push({ operator, operand: operand() });
    }
    if (rest.length === 0) return first;
    return () => rest.reduce((left, part) => applyOperator(part.operator, left, part.operand()), first());
  }

  #signed(): Thunk {
    const sign = this.#takes('+', '-');
    if (sign) {
      const operand = this.#nested(() => this.#signed());
      return () => applySign(sign, operand());
    }
    const base = this.#primary();
    if (!this.#takes('**')) return base;
    const exponent = this.#nested(() => this.#signed());
    return () => applyOperator('**', base(), exponent());
  }

  #nested(parse: () => Thunk): Thunk {
    this.#operators += 1;
    if (this.#operators > NESTED_OPERATORS) {
      throw new PythonException('too many nested operators (<string>, line 1)');
    }
    const result = parse();
    this.#operators -= 1;
    return result;
  }

  /** An atom; a bracket right after it is a call to Python, which fails when it is evaluated. */
  #primary(): Thunk {
    let callee = this.#atom();
    while (this.#next.kind === 'operator' && this.#next.text === '(') {
      const [called, argument] = [callee, this.#bracket()];
      callee = () => {
        const { type } = called();
        argument();
        throw new PythonException(`'${type}' object is not callable`);
      };
    }
    return callee;
  }

  #atom(): Thunk {
    const { kind, text } = this.#next;
    if (kind === 'operator' && text === '(') return this.#bracket();
    if (kind !== 'number') return this.#fail();
    this.#position += 1;
    const value = numberOf(text);
    return () => value;
  }

  #bracket(): Thunk {
    this.#position += 1;
    this.#parentheses += 1;
    if (this.#parentheses > NESTED_PARENTHESES) {
      throw new PythonException('too many nested parentheses (<string>, line 1)');
    }
    const empty = this.#next.text === ')';
    const result: Thunk = empty ? () => ({ type: 'tuple' }) : this.#sum();
    if (!this.#takes(')')) this.#fail();
    this.#parentheses -= 1;
    return result;
  }

  /** The text that Python has for the place where reading stopped; a bracket too many wins wherever it is. */
  #fail(): never {
    let open = 0;
    for (const { text } of this.#tokens) {
      if (text !== '' && !text.includes('.')) assertNoLeadingZero(text);
      open += text === '(' ? 1 : text === ')' ? -1 : 0;
      if (open < 0) throw new PythonException("unmatched ')' (<string>, line 1)");
    }
    const { kind } = this.#next;
    const comma = this.#parentheses > 0 && kind === 'number';
    if (open > 0 && (comma || kind === 'end')) {
      throw new PythonException("'(' was never closed (<string>, line 1)");
    }
    throw new PythonException(
      comma ? 'invalid syntax. Perhaps you forgot a comma? (<string>, line 1)' : SYNTAX,
    );
  }
}

function numberOf(text: string): Value {
  if (text.includes('.')) return { type: 'float', value: Number(text) };
  assertNoLeadingZero(text);
  return { type: 'int', value: BigInt(text) };
}

function assertNoLeadingZero(text: string): void {
  if (!/^0+[1-9]/.test(text)) return;
  throw new PythonException(
    'leading zeros in decimal integer literals are not permitted; ' +
      'use an 0o prefix for octal integers (<string>, line 1)',
  );
}
