import type { Service } from '../service/types.ts';
import { faultProblems } from './laws-faults.ts';
import { randomProblems } from './laws-random.ts';
import {
  contentProblems,
  determinismProblems,
  forkProblems,
  jsonProblems,
  outputProblems,
  pagingProblems,
  reachProblems,
} from './laws-runs.ts';
import { declarationProblems, exampleProblems, probeProblems } from './laws-static.ts';
import { volatileProblems } from './laws-volatile.ts';
import { Subject } from './subject.ts';
import { type ConformanceOptions, LAWS, type Law } from './types.ts';

const CHECKS: Readonly<Record<Law, (subject: Subject) => string[]>> = {
  'declarations fit together': declarationProblems,
  'examples succeed on the small seed': exampleProblems,
  'probes hold': probeProblems,
  'same seed and inputs give the same trajectory': determinismProblems,
  'reads and failures leave the content alone': contentProblems,
  'forks do not leak': forkProblems,
  'responses are JSON': jsonProblems,
  'responses match their output schema': outputProblems,
  'paging is stable': pagingProblems,
  'declared errors are reached': reachProblems,
  'volatile columns are those fed from clock, ids and randomness': volatileProblems,
  'random calls never break an invariant': randomProblems,
  'fault plans never break a world': faultProblems,
};

/** The two functions of a test runner that the kit needs; vitest, `node:test` and others have them. */
export interface TestRunner {
  describe(name: string, body: () => void): unknown;
  it(name: string, body: () => void): unknown;
}

/**
 * Registers one test for each law that a service must keep:
 *
 *     import { describe, it } from 'vitest';
 *     describeConformance(notes, { probes }, { describe, it });
 *
 * A failing test lists what is wrong, each problem on a line.
 */
export function describeConformance(service: Service, options: ConformanceOptions, runner: TestRunner): void {
  runner.describe(`${service.name} keeps the laws of a service`, () => {
    let subject: Subject | null = null;
    for (const law of LAWS) {
      const excuse = options.skip?.[law];
      if (excuse !== undefined) {
        // The reason stays in the list of tests, where a reader looks for what is not proved.
        runner.it(`${law}: does not apply, ${excuse}`, () => undefined);
        continue;
      }
      runner.it(law, () => {
        subject ??= new Subject(service, options);
        const problems = CHECKS[law](subject);
        if (problems.length > 0) throw new ConformanceError(service.name, law, problems);
      });
    }
  });
}

/** What is wrong with a service under one law, without a test runner; empty when nothing is. */
export function conformanceProblems(service: Service, options: ConformanceOptions, law: Law): string[] {
  return CHECKS[law](new Subject(service, options));
}

class ConformanceError extends Error {
  override readonly name = 'ConformanceError';

  constructor(service: string, law: Law, problems: readonly string[]) {
    super(`${service}, "${law}":\n${problems.map((problem) => `- ${problem}`).join('\n')}`);
  }
}
