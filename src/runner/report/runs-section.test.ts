import { describe, expect, it } from 'vitest';
import type { ReportRun } from './read-run.ts';
import { banksOf, differencesBanner } from './runs-section.ts';

type Config = ReportRun['config'];

function run(bank: Partial<Config['bank']>, other: Partial<Config> = {}): ReportRun {
  const config = {
    bank: { name: 'desk', version: '1.0.0', hash: 'a'.repeat(64), ...bank },
    scenarios: [],
    behaviour: { engine: 'e', services: {} },
    mode: 'full',
    ...other,
  };
  return { config } as unknown as ReportRun;
}

describe('runs on one page', () => {
  it('need no banner where bank, scenarios, behaviour and mode are the same', () => {
    expect(differencesBanner([run({}), run({})])).toBeNull();
  });

  it('of different banks say so, and which they are', () => {
    const text = differencesBanner([run({}), run({ version: '1.1.0', hash: 'b'.repeat(64) })])?.text;
    expect(text).toContain('These runs are of different banks: compare only what they share.');
    expect(text).toContain('desk 1.0.0 and desk 1.1.0');
  });

  it('whose banks share name and version are told apart by their hashes', () => {
    const runs = [run({}), run({ hash: 'b'.repeat(64) }), run({})];
    expect(banksOf(runs)).toEqual(['desk 1.0.0 (aaaaaaaaaaaa)', 'desk 1.0.0 (bbbbbbbbbbbb)']);
    expect(banksOf([run({})])).toEqual(['desk 1.0.0']);
  });

  it('of one bank under another behaviour do not compare either', () => {
    const changed = run({}, { behaviour: { engine: 'f', services: {} } });
    const text = differencesBanner([run({}), changed])?.text;
    expect(text).toContain('These runs do not compare.');
    expect(text).not.toContain('different banks');
  });
});
