import { describe, expect, it } from 'vitest';
import { boxes, RECORDING, recorded } from '../../test/boxes.ts';
import { scenariosOf } from './corpus.ts';
import { fidelityPage, measuredDigest } from './page.ts';
import { measure } from './report.ts';
import type { CorpusRecord } from './types.ts';

const unserved = recorded(
  {
    scenario: 'weigh',
    endpoint: 'GET /boxes/{box_id}/weight',
    operation: 'boxes/weigh',
    path: '/boxes/1/weight',
    status: 200,
    response: { grams: 5 },
  },
  50,
);

function reportOf(records: readonly CorpusRecord[]) {
  return measure(scenariosOf(records), {
    service: boxes((answer, call) =>
      call.operation?.id === 'boxes/open' ? { ...answer, status: 202 } : answer,
    ),
    behaviour: { engine: 'e', services: { boxes: 'abc123', other: 'no' } },
  });
}

describe('a report', () => {
  it('has score, floors, lift and misses, and says which code it is of', async () => {
    const { report, results } = await reportOf([...RECORDING, unserved]);
    expect(results).toHaveLength(9);
    expect(report).toMatchObject({
      service: 'boxes',
      behaviour: { engine: 'e', services: { boxes: 'abc123' } },
      exchanges: 9,
      served: 8,
      strict: { value: expect.closeTo(7 / 9, 9) },
      strictServed: { value: expect.closeTo(7 / 8, 9) },
      inventions: 'not checked: no published description',
    });
    const { strict } = report.floors.staticMock;
    expect(report.lift).toBeCloseTo((7 / 9 - strict) / (1 - strict), 9);
    expect(report.misses.map(({ kind }) => kind).toSorted()).toEqual(['status', 'unserved']);
  });

  it('scores what is wanted, although the whole scenario is played', async () => {
    const { report } = await measure(scenariosOf(RECORDING), {
      service: boxes(),
      behaviour: { engine: 'e', services: {} },
      wanted: ({ operation }) => operation === 'boxes/list',
    });
    expect(report).toMatchObject({ exchanges: 1, strict: { value: 1 } });
  });
});

describe('its page', () => {
  it('shows the same, in the same words for the same report', async () => {
    const { report } = await reportOf([...RECORDING, unserved]);
    const page = fidelityPage(report);
    expect(page).toContain('| **current and recent** | 9 | 8 | 77.8 %');
    expect(page).toContain(
      '| `PUT /boxes/{box_id}/open` | status | `202 in place of 200` | 1 | 1 | `200`, not `202` |',
    );
    expect(page).toContain('| `GET /boxes/{box_id}/weight` | 1 |');
    expect(fidelityPage((await reportOf([...RECORDING, unserved])).report)).toBe(page);
  });

  it('names the digest of the code that was measured, so that one of older code can be refused', async () => {
    const { report } = await reportOf(RECORDING);
    expect(measuredDigest(fidelityPage(report))).toBe('abc123');
    expect(measuredDigest('# Another page\n')).toBeUndefined();
  });
});
