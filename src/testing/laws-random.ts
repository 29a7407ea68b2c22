import fc from 'fast-check';
import { InvariantError } from '../base/errors.ts';
import { arbitraryCall, type OpenCall } from './arbitrary.ts';
import { filled, poolsOf } from './pools.ts';
import type { Subject } from './subject.ts';

/**
 * Random sequences of calls never raise an InvariantError. A failure gives the seed, the path of the shortest
 * sequence found, and its calls with their inputs as they were made.
 */
export function randomProblems(subject: Subject): string[] {
  const { runs = 40, length = 15, seed = 4_711 } = subject.options.random ?? {};
  const calls = fc.array(arbitraryCall(subject.service, subject.world), { minLength: 1, maxLength: length });
  const property = fc.property(calls, (sequence) => crashOf(subject, sequence) === null);
  const result = fc.check(property, { numRuns: runs, seed });
  if (!result.failed) return [];
  const shortest = withoutIdle(subject, result.counterexample?.[0] ?? []);
  return [
    [
      `an invariant broke: ${crashOf(subject, shortest) ?? 'not any more when repeated'}`,
      `  seed ${result.seed}, path ${result.counterexamplePath ?? ''}, ${result.numShrinks} times shortened`,
      ...callLines(subject, shortest),
    ].join('\n'),
  ];
}

function crashOf(subject: Subject, sequence: readonly OpenCall[]): string | null {
  return subject.play('random', sequence).crash?.message ?? null;
}

/** The sequence without the calls that it breaks without; shrinking leaves some in. */
function withoutIdle(subject: Subject, sequence: readonly OpenCall[]): readonly OpenCall[] {
  let rest = sequence;
  for (let index = sequence.length - 1; index >= 0; index -= 1) {
    const fewer = rest.filter((_, position) => position !== index);
    if (crashOf(subject, fewer) !== null) rest = fewer;
  }
  return rest;
}

function callLines(subject: Subject, sequence: readonly OpenCall[]): string[] {
  const session = subject.open();
  return sequence.map((open, index) => {
    const input = filled(open.input, poolsOf(session.world));
    try {
      session.call({ tool: open.tool, input });
    } catch (error) {
      if (!(error instanceof InvariantError)) throw error;
    }
    return `  ${index + 1}. ${open.tool} ${JSON.stringify(input)}`;
  });
}
