import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EFFECTS, type EffectKind } from '../faults/index.ts';
import { helpdesk } from '../services/helpdesk/index.ts';
import { arbitraryCall } from './arbitrary.ts';
import { faultProblems } from './laws-faults.ts';
import { arbitraryRule } from './plans.ts';
import { Subject } from './subject.ts';

const KINDS = Object.keys(EFFECTS) as EffectKind[];

describe('fault plans never break a world', () => {
  const subject = new Subject(helpdesk, { probes: [] });

  it.each(KINDS)('%s is among what is tried, and strikes', (kind) => {
    const draws = fc.sample(
      fc.tuple(
        arbitraryRule(kind, helpdesk, subject.world),
        fc.array(arbitraryCall(helpdesk, subject.world), { minLength: 8, maxLength: 8 }),
      ),
      { numRuns: 100, seed: 7 },
    );
    let struck = 0;
    for (const [rule, calls] of draws) {
      try {
        const session = subject.open({ faults: { rules: [rule] } });
        subject.play('plan', calls, session);
        if (session.steps().some((step) => step.fault?.kind === kind)) struck += 1;
      } catch (error) {
        if ((error as { readonly code?: string }).code !== 'bad-fault-plan') throw error;
      }
    }
    expect(struck).toBeGreaterThan(0);
  });

  it('finds a service that a fault breaks', () => {
    const fragile = {
      ...helpdesk,
      protocol: {
        ...helpdesk.protocol,
        refusal: () => {
          throw new TypeError('no such refusal');
        },
      },
    };
    expect(() => faultProblems(new Subject(fragile, { probes: [] }))).not.toThrow();
    expect(faultProblems(new Subject(fragile, { probes: [] })).join()).toMatch(/no such refusal/u);
  });
});
