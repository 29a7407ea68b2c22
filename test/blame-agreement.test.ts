import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  agreementLines,
  agreementTable,
  type ComparedFailure,
  compareRun,
} from '../scripts/blame-agreement.ts';
import { readLabels } from '../src/runner/labels/index.ts';
import type { LabelPlace } from '../src/runner/labels/types.ts';
import { importTau } from '../src/runner/tau-import.ts';
import { airline } from '../src/services/airline/index.ts';
import { readTauFolder } from '../src/traces/tau/index.ts';

/** Holds the table of docs/blame.md to the labels and the runs, where those are at hand. */

const ROOT = new URL('..', import.meta.url).pathname;
const RECORDED = join(ROOT, '../shared/tau');
const PAGE = readFileSync(join(ROOT, 'docs/blame.md'), 'utf8');

const failure = (at: LabelPlace, place: number, decisive: number | null): ComparedFailure => ({
  label: { scenario: 's', trial: 0, at, code: 'wrong' },
  place,
  decisive,
});

it('counts what is named, hit, nearly hit and missed on either side', () => {
  const table = agreementTable([
    failure({ step: 4 }, 4, 4),
    failure({ step: 4 }, 4, 5),
    failure({ step: 4 }, 4, 2),
    failure({ step: 4 }, 4, null),
    failure({ message: 9 }, 3, 7),
  ]);
  expect(table['labelled at a call']).toEqual({
    failures: 4,
    named: 3,
    exact: 1,
    withinOne: 2,
    later: 1,
    earlier: 1,
  });
  expect(table['labelled at a message']).toMatchObject({ failures: 1, named: 1, exact: 0, later: 1 });
  expect(table.all).toMatchObject({ failures: 5, named: 4 });
});

const absent = existsSync(RECORDED) ? '' : ': left out, there is no ../shared/tau here';
it.skipIf(absent !== '')(
  `the page says how far blame and the labels agree${absent}`,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'groundhog-agreement-'));
    try {
      const out = join(folder, 'run');
      importTau({ service: airline, folder: readTauFolder(RECORDED), out, trials: [0, 1] });
      const labels = readLabels(join(ROOT, 'docs/error-analysis/labels.jsonl'));
      const compared = await compareRun(out, labels, join(RECORDED, 'tau-bench/airline'));
      const table = agreementTable(compared);
      expect(PAGE).toContain(agreementLines(table).join('\n'));
      expect(PAGE).toContain(`The ${labels.length} failed runs`);
      const { all } = table;
      expect(PAGE).toContain(`names no step (${(all?.failures ?? 0) - (all?.named ?? 0)} runs)`);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  120_000,
);
