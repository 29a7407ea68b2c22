import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { labelAgreement } from './agreement.ts';
import { appendLabel, exportLabels, readLabels } from './label-file.ts';
import type { FailureLabel, LabelPlace } from './types.ts';

let folder = '';
const file = (): string => join(folder, 'labels.jsonl');
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'groundhog-labels-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const label = (scenario: string, code: string, at: LabelPlace | null = { step: 0 }): FailureLabel => ({
  scenario,
  trial: 0,
  at,
  code,
});

describe('the file of labels', () => {
  it('has what was appended, the last word on each trial and labeller', () => {
    const second = { ...label('one', 'c'), by: 'second' };
    for (const one of [label('one', 'a'), label('two', 'b', null), second, label('one', 'd')]) {
      appendLabel(file(), one);
    }
    expect(readLabels(file())).toEqual([label('two', 'b', null), second, label('one', 'd')]);
  });

  it('is empty where it is not there, and passes over a line that a kill tore', () => {
    expect(readLabels(file())).toEqual([]);
    appendLabel(file(), label('one', 'a'));
    appendFileSync(file(), '{"scenario":"tw');
    expect(readLabels(file(), { repair: true })).toEqual([label('one', 'a')]);
    appendLabel(file(), label('two', 'b'));
    expect(readLabels(file())).toHaveLength(2);
  });

  it.each([
    ['no JSON', 'nonsense', 'not JSON'],
    ['a member of another', '{"scenario":"a","trial":0,"at":null,"code":"x","more":1}', 'more'],
    ['an unknown mode', '{"scenario":"a","trial":0,"at":null,"code":"x","mast":["4.1"]}', 'mast.0'],
    ['no place', '{"scenario":"a","trial":0,"at":{"step":-1},"code":"x"}', 'at'],
  ])('refuses %s, with its line', (_, line, words) => {
    writeFileSync(file(), `${line}\n`);
    expect(() => readLabels(file())).toThrow(words);
  });

  it('is exported for tables and programs', () => {
    const labels = [{ ...label('one', 'a'), mast: ['1.1', '2.6'], note: 'He said "no",\nthen left.' }];
    const [table, program] = [join(folder, 'x.csv'), join(folder, 'x.json')];
    exportLabels(table, [...labels, { ...label('two', 'b', { message: 3 }), note: '=1+1' }]);
    expect(readFileSync(table, 'utf8')).toBe(
      'scenario,trial,at,code,mast,note,disputed,by\r\n' +
        'one,0,step 0,a,1.1 2.6,"He said ""no"",\nthen left.",,\r\n' +
        "two,0,message 3,b,,'=1+1,,\r\n",
    );
    exportLabels(program, labels);
    expect(JSON.parse(readFileSync(program, 'utf8'))).toEqual(labels);
    expect(() => exportLabels(join(folder, 'x.xlsx'), labels)).toThrow('neither .csv nor .json');
  });
});

describe('labelAgreement', () => {
  it('is of what both labelled: kappa of the code, and the same place', () => {
    const first = [label('a', 'x'), label('b', 'x'), label('c', 'y'), label('d', 'y'), label('e', 'y')];
    const second = [
      label('a', 'x'),
      label('b', 'y', { step: 1 }),
      label('c', 'y', { message: 0 }),
      label('d', 'y', null),
      label('f', 'x'),
    ];
    const found = labelAgreement(first, second);
    // Observed 3/4, by chance 1/2 · 1/4 + 1/2 · 3/4 = 1/2.
    expect(found).toMatchObject({
      both: 4,
      onlyFirst: 1,
      onlySecond: 1,
      code: { kappa: 0.5, observed: { numerator: 3, denominator: 4 } },
      place: { numerator: 1, denominator: 3 },
    });
    expect(found.differences.map(({ scenario }) => scenario)).toEqual(['b', 'c', 'd']);
  });

  it('has no kappa, and says why, where there is nothing to compare', () => {
    expect(labelAgreement([label('a', 'x')], []).code).toMatchObject({
      kappa: null,
      reason: expect.any(String),
    });
    expect(labelAgreement([], []).place.value).toBeNull();
  });
});
