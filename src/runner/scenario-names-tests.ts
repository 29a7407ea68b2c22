import { isJsonObject, type Json } from '../base/json.ts';
import { PREDICATE_NAMES } from '../base/predicate.ts';

type Operator = (typeof PREDICATE_NAMES)[number];

/** What is wrong with a test of a value, and where in it. */
export interface TestFault {
  readonly member: string;
  readonly message: string;
  /** The names that would do, where the member itself is wrong; else empty. */
  readonly known: readonly string[];
}

/**
 * The first fault of a test. An object with no operator in it is an equality test of the whole object; one
 * with some operators and something else is meant as a test and would be an equality that never holds.
 */
export function faultOfTest(test: unknown): TestFault | null {
  if (!isJsonObject(test)) return null;
  const members = Object.entries(test);
  if (!members.some(([name]) => isOperator(name))) return null;
  for (const [member, operand] of members) {
    if (!isOperator(member)) {
      return { member, message: `there is no test named ${member}`, known: PREDICATE_NAMES };
    }
    const wanted = wantedOperand(member, operand);
    if (wanted !== null && !isTemplate(operand)) {
      return { member, message: `expected ${wanted}`, known: [] };
    }
  }
  return null;
}

function isOperator(name: string): name is Operator {
  return (PREDICATE_NAMES as readonly string[]).includes(name);
}

/** What an operator takes, in words; null when the operand is that. */
function wantedOperand(operator: Operator, operand: Json | undefined): string | null {
  switch (operator) {
    case 'eq':
    case 'ne':
      return null;
    case 'in':
      return Array.isArray(operand) ? null : 'a list';
    case 'matches':
      return typeof operand === 'string' ? null : 'a regular expression';
    case 'exists':
      return typeof operand === 'boolean' ? null : 'true or false';
    default:
      return typeof operand === 'number' || typeof operand === 'string' ? null : 'a number or a text';
  }
}

/** A template may become a value of any kind when it is filled in. */
function isTemplate(operand: Json | undefined): boolean {
  return typeof operand === 'string' && operand.includes('{{');
}
