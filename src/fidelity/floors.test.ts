import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { RECORDING } from '../../test/boxes.ts';
import { readCorpus, scenariosOf } from './corpus.ts';
import { floorsOf } from './floors.ts';

describe('floors', () => {
  it('are what stand-ins without state get', () => {
    const floors = floorsOf(scenariosOf(RECORDING));
    expect(floors.empty).toMatchObject({ pass: 0, strict: 0 });
    // Every answer has a text that matters; the list is no determined one.
    expect(floors.texts).toMatchObject({ strict: 0, pass: 4 / 8 });
    expect(floors.staticMock.strict).toBeLessThan(0.5);
    expect(floorsOf(scenariosOf(RECORDING))).toEqual(floors);
  });
});

const SHARED = new URL('../../../shared/fidelity/github.jsonl', import.meta.url).pathname;

describe.skipIf(!existsSync(SHARED))('floors of the shared recordings', () => {
  it('are the published ones within a point: an independent check of every rule', () => {
    const { empty, texts, staticMock } = floorsOf(readCorpus([SHARED]));
    const near = (share: number, percent: number): void => {
      expect(Math.abs(share * 100 - percent)).toBeLessThan(1);
    };
    near(empty.pass, 17.6);
    near(empty.strict, 17.6);
    near(empty.strictWithBody, 5.2);
    near(texts.pass, 59.8);
    near(texts.strict, 20.5);
    near(texts.strictWithBody, 8.5);
    near(staticMock.pass, 47.4);
    near(staticMock.strict, 24.4);
    near(staticMock.strictWithBody, 15.7);
    near(staticMock.strictStateful, 33.6);
    near(staticMock.strictReads, 9.4);
  });
});
