import { nearestName } from '../base/errors.ts';
import { isJsonObject, type Json } from '../base/json.ts';
import { PREDICATE_NAMES, type Predicate } from '../base/predicate.ts';

/** What is wrong with a test, and with which member of it. */
export interface TestProblem {
  readonly member: string;
  readonly message: string;
  readonly hint?: string;
}

const NAMES: readonly string[] = PREDICATE_NAMES;

/**
 * Why no value could pass this test as it is written; null where one could. An object without any name of a
 * test is a value to be equal to, and right.
 */
export function testProblem(test: Predicate | Json): TestProblem | null {
  if (!isJsonObject(test)) return null;
  const members = Object.entries(test);
  const unknown = members.find(([name]) => !NAMES.includes(name));
  if (unknown) {
    if (members.every(([name]) => !NAMES.includes(name))) return null;
    const [member] = unknown;
    const nearest = nearestName(member, NAMES);
    const hint = nearest === undefined ? `tests are ${NAMES.join(', ')}` : `did you mean ${nearest}?`;
    return { member, message: `there is no test named ${member}`, hint };
  }
  for (const [member, asked] of members) {
    const message = problemOf(member, asked);
    if (message !== null) return { member, message };
  }
  return null;
}

function problemOf(name: string, asked: Json | undefined): string | null {
  switch (name) {
    case 'eq':
    case 'ne':
      return null;
    case 'in':
      return Array.isArray(asked) && asked.length > 0 ? null : 'in takes a list of values';
    case 'exists':
      return typeof asked === 'boolean' ? null : 'exists takes true or false';
    case 'matches':
      return typeof asked === 'string' ? patternProblem(asked) : 'matches takes a regular expression';
    default:
      return typeof asked === 'number' || typeof asked === 'string'
        ? null
        : `${name} takes a number or a text`;
  }
}

function patternProblem(pattern: string): string | null {
  try {
    new RegExp(pattern, 'u');
    return null;
  } catch (error) {
    return error instanceof SyntaxError ? error.message : 'this is no regular expression';
  }
}
