import { describe, expect, it } from 'vitest';
import { RECORDING } from '../../test/boxes.ts';
import type { Json } from '../base/json.ts';
import { epochOf, RecordedTime } from './recorded-time.ts';
import type { CorpusRecord } from './types.ts';

/** Exchanges of these days, each with what its answer shows. */
function shown(...told: readonly (readonly [day: string | null, body: Json])[]): CorpusRecord[] {
  const [record] = RECORDING;
  if (!record) throw new Error('the recording has exchanges');
  return told.map(([recordedAt, body]) => ({
    ...record,
    recordedAt,
    response: { ...record.response, body },
  }));
}

/** The seconds before each exchange. */
function waits(records: readonly CorpusRecord[]): number[] {
  const time = new RecordedTime(epochOf({ records }));
  return records.map((record) => time.until(record) / 1_000);
}

describe('the time of a recording', () => {
  it('begins at noon of its first day', () => {
    expect(epochOf({ records: shown(['2021-03-02', null], ['2021-03-01', null]) })).toBe(
      Date.UTC(2021, 2, 1, 12),
    );
    expect(epochOf({ records: shown([null, null]) })).toBe(Date.UTC(2024, 0, 1, 12));
  });

  it('goes on by days', () => {
    expect(waits(shown(['2021-03-01', null], ['2021-03-03', null], ['2021-03-02', null]))).toEqual([
      0, 172_800, 0,
    ]);
  });

  it('goes on by what answers show, from a minute on', () => {
    const at = (moment: string): [string, Json] => [
      '2021-03-01',
      { made: [{ at: `2021-03-01T${moment}Z` }] },
    ];
    expect(waits(shown(at('10:00:00'), at('10:00:59'), at('10:05:00'), at('09:00:00')))).toEqual([
      0, 0, 241, 0,
    ]);
    expect(waits(shown(at('10:00:00'), ['2021-03-01', { at: '2020-01-01T00:00:00Z' }]))).toEqual([0, 0]);
  });
});
