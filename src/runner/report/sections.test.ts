import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { DEFINITIONS } from '../../scoring/definitions.ts';
import { blameMarkup, stepBlameMarkup } from './blame-markup.ts';
import { definitionsSection, term } from './definitions-section.ts';
import { figuresSection } from './figures-section.ts';
import { flakesSection } from './flakes-section.ts';
import { gateSection } from './gate-section.ts';
import { html } from './markup.ts';
import { passingSection } from './passing-section.ts';
import { readBlameBeside } from './read-blame.ts';
import { readGateOf } from './read-gate.ts';
import { reportRun, wordsOf } from './report-run.test-kit.ts';
import { sealedBanner } from './sealed-banner.ts';
import { successSection } from './success-section.ts';

const root = mkdtempSync(join(tmpdir(), 'groundhog-sections-'));
afterAll(() => rmSync(root, { recursive: true }));

/** Two attempts of each: pass@2 is 2/3, pass^2 is 1/3. */
const OUTCOMES = { a: '11', b: '10', c: '00' };

describe('what the scenarios say of attempts', () => {
  const one = reportRun(OUTCOMES);
  const many = reportRun(OUTCOMES, { attempts: 'many' });

  it('decides which figure leads', () => {
    expect(wordsOf(successSection([one]))).toMatch(
      /pass\^2 : all of 2 attempts.+33\.3 %.+success :.+50\.0 %/u,
    );
    expect(wordsOf(successSection([many]))).toMatch(/pass@2 : at least one of 2.+66\.7 %.+success :/u);
    expect(wordsOf(figuresSection([many]))).toMatch(/pass@2 any of 2 attempts succeeds 66\.7 %/u);
    expect(wordsOf(figuresSection([many]))).not.toContain('pass^2');
    expect(wordsOf(passingSection([many]))).toMatch(/pass@1.+50\.0 %.+pass@2.+66\.7 %/u);
  });

  it('names both where they differ', () => {
    const mixed = {
      ...one,
      config: {
        ...one.config,
        scenarios: [...one.config.scenarios.slice(1), ...many.config.scenarios.slice(0, 1)],
      },
    };
    const words = wordsOf(successSection([mixed]));
    expect(words).toMatch(/many attempts in 1 of 3 scenarios.+pass@2 :.+66\.7 %.+pass\^2 :.+33\.3 %/u);
  });
});

describe('definitions', () => {
  it('stand on the page once, and every name points to its own', () => {
    const page = definitionsSection().text;
    for (const [figure, { text }] of Object.entries(DEFINITIONS)) {
      expect(page.match(new RegExp(`id="def-${figure}"`, 'gu'))).toHaveLength(1);
      expect(wordsOf({ text: page })).toContain(text);
    }
    expect(term('recall').text).toContain('aria-describedby="def-recall">tool recall</a>');
  });
});

describe('flaky scenarios', () => {
  it('are those of mixed outcome, nearest to a half first', () => {
    const words = wordsOf(flakesSection([reportRun({ a: '1111', b: '1110', c: '1100', d: '0v' })]));
    expect(words).toContain('mine: 2 flaky 1 always solved, 0 never; 1 scenario with one trial');
    expect(words).toMatch(/c 2 of 4 , [\d.]+ to [\d.]+ % b 3 of 4/u);
  });
});

describe('a gate beside a run', () => {
  const gate = {
    run: 'runs/mine',
    baseline: 'runs/main',
    profile: 'pre-merge',
    verdict: 'fail',
    checks: [{ check: 'harm', verdict: 'fail', reason: 'the interval lies <below> 0' }],
  };
  const folderWith = (name: string, text: string): string => {
    mkdirSync(join(root, name));
    writeFileSync(join(root, name, 'gate.json'), text);
    return join(root, name);
  };

  it('is read as `gate --json` and as `run --gate --json` print it', () => {
    const alone = readGateOf(folderWith('alone', JSON.stringify(gate)));
    const ofRun = readGateOf(folderWith('of-run', JSON.stringify({ run: 'x', gate: { ...gate, looks: 1 } })));
    expect(alone).toMatchObject({ verdict: 'fail', baseline: 'runs/main' });
    expect(ofRun).toEqual(alone);
    const words = wordsOf(gateSection([reportRun(OUTCOMES, { gate: alone })]));
    expect(words).toContain('✗ fail under pre-merge , against runs/main');
    expect(words).toContain('harm the interval lies &lt;below&gt; 0');
  });

  it('is no section where there is none, and says so where the file is something else', () => {
    expect(gateSection([reportRun(OUTCOMES, { gate: readGateOf(root) })])).toBeNull();
    const broken = readGateOf(folderWith('broken', '{"verdict":"pass"}'));
    expect(wordsOf(gateSection([reportRun(OUTCOMES, { gate: broken })]))).toContain(
      'gate.json is not the JSON of a gate',
    );
  });
});

describe('blame', () => {
  const link = (step: number) => html`<a href="#s${step}">step ${step}</a>`;
  const blame = {
    steps: [
      { step: 0, before: 1, after: 1, drop: 0 },
      { step: 1, before: 1, after: 0.25, drop: 0.75 },
    ],
    decisive: { step: 1, tool: 'refund', drop: 0.75, reason: 'contract: twice' },
    reason: null,
  };

  it('is read from beside the trajectory', () => {
    const file = join(root, 'a.0.traj.jsonl');
    expect(readBlameBeside(file)).toBeNull();
    writeFileSync(join(root, 'a.0.blame.json'), JSON.stringify({ ...blame, points: [], scenario: 'a' }));
    expect(readBlameBeside(file)).toEqual(blame);
    writeFileSync(join(root, 'a.0.blame.json'), '[]');
    expect(readBlameBeside(file)).toEqual({ unreadable: expect.stringContaining('not the JSON of a blame') });
  });

  it('names the decisive step above, and marks it where it stands', () => {
    const markup = blameMarkup(blame, link);
    expect(markup?.text).toContain('<a href="#s1">step 1</a>');
    expect(wordsOf(markup)).toContain(
      'Blame names step 1 , refund : success of going on falls from 100.0 % to 25.0 %. From then on: contract: twice.',
    );
    expect(wordsOf(stepBlameMarkup(blame, 1))).toContain('decisive step success of going on falls from');
    expect(stepBlameMarkup(blame, 0)).toBeNull();
  });

  it('has a reason where it has no step', () => {
    const none = { steps: [], decisive: null, reason: 'the run succeeded' };
    expect(wordsOf(blameMarkup(none, link))).toContain('Blame : the run succeeded.');
    expect(wordsOf(blameMarkup({ unreadable: 'x' }, link))).toContain('No blame : x.');
    expect(blameMarkup(null, link)).toBeNull();
  });
});

describe('sealed scenarios', () => {
  it('are told of, with their canaries', () => {
    const run = reportRun(OUTCOMES);
    expect(sealedBanner([run])).toBeNull();
    const [first, ...rest] = run.config.scenarios;
    if (!first) throw new Error('no scenario');
    const sealed = { config: { ...run.config, scenarios: [{ ...first, canary: 'canary:1' }, ...rest] } };
    expect(wordsOf(sealedBanner([sealed, sealed]))).toMatch(
      /contains sealed scenarios\..+1 canary a canary:1/u,
    );
  });
});
