/** The report of one run, and of two with blame and a gate: by mouse, by keyboard, for screen readers. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { compareRuns } from '../../src/runner/compare/index.ts';
import { DEFINITIONS } from '../../src/scoring/definitions.ts';
import { axeFindings, launch, openFile, VIEWS } from './browser.ts';

const demo = inject('demo');
const root = mkdtempSync(join(tmpdir(), 'groundhog-runs-'));
const careful = join(demo, 'careful');
const flaky = join(root, 'flaky');
const files = { one: join(root, 'one.html'), two: join(root, 'two.html') } as const;

let browser: Browser;
beforeAll(async () => {
  cpSync(join(demo, 'flaky'), flaky, { recursive: true });
  const gates = new URL('../../examples/ci-gate/gates.yaml', import.meta.url).pathname;
  writeFileSync(
    join(flaky, 'gate.json'),
    groundhog('gate', flaky, '--baseline', careful, '--gates', gates, '--json'),
  );
  groundhog('report', careful, '--out', files.one);
  groundhog('report', careful, flaky, '--blame', '--out', files.two);
  browser = await launch();
});
afterAll(async () => {
  await browser.close();
  rmSync(root, { recursive: true });
});

/** Runs the command line as a user does; gives back what it printed to stdout. */
function groundhog(...words: readonly string[]): string {
  const command = new URL('../../bin/groundhog.js', import.meta.url).pathname;
  const { stdout, stderr, status } = spawnSync(process.execPath, [command, ...words], { encoding: 'utf8' });
  if (status === null || status === 2) throw new Error(stderr);
  return stdout;
}

async function focusedLabel(page: Page): Promise<string> {
  return String(await page.evaluate('document.activeElement.getAttribute("aria-label")'));
}

describe.each(VIEWS)('at $width px, $scheme', (view) => {
  it.each(['one', 'two'] as const)('axe finds nothing on the page of %s, folded or not', async (name) => {
    const { page, complaints, requests } = await openFile(browser, files[name], view);
    expect(await axeFindings(page)).toEqual([]);
    await page.locator('a.cell.fail').first().click();
    for (const summary of await page.locator('section:has(#difference) summary').all()) await summary.click();
    await page.locator('.figures a.term').first().focus();
    await page.keyboard.press('Tab');
    expect(await page.locator('#tip').isVisible()).toBe(true);
    expect(await axeFindings(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(view.width);
    expect([complaints, requests]).toEqual([[], []]);
    const picture = `runs-${name}-${view.width}-${view.scheme}.png`;
    await page.screenshot({ path: join(inject('pictures'), picture), fullPage: true });
    await page.context().close();
  });
});

describe('what a figure counts', () => {
  it('is said on hover, stays while the pointer is on it, and goes with Escape', async () => {
    const { page } = await openFile(browser, files.one);
    const tip = page.locator('#tip');
    expect(await tip.isVisible()).toBe(false);
    await page.locator('.figures a.term', { hasText: 'tool recall' }).hover();
    expect(await tip.textContent()).toBe(DEFINITIONS.recall.text);
    await tip.hover();
    expect(await tip.isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    expect(await tip.isVisible()).toBe(false);
    await page.context().close();
  });

  it('is said on focus, by the keyboard, and is the description of the name', async () => {
    const { page } = await openFile(browser, files.one, { width: 375 });
    await page.locator('.figures a.term', { hasText: 'tool precision' }).focus();
    await page.keyboard.press('Tab');
    const tip = page.locator('#tip');
    expect(await tip.textContent()).toBe(DEFINITIONS.recall.text);
    const box = await tip.boundingBox();
    expect(box && box.x >= 0 && box.x + box.width <= 375).toBe(true);
    const id = await page.locator(':focus').getAttribute('aria-describedby');
    expect(await page.locator(`[id="${id}"]`).textContent()).toBe(DEFINITIONS.recall.text);
    await page.keyboard.press('Tab');
    expect(await tip.textContent()).toBe(DEFINITIONS.redundant.text);
    await page.context().close();
  });
});

describe('the grid of trials', () => {
  it('is one stop of the tab key, and arrow keys walk through it', async () => {
    const { page } = await openFile(browser, files.two);
    expect(await page.locator('table.grid [tabindex="0"]').count()).toBe(1);
    await page.locator('table.grid [tabindex="0"]').focus();
    const first = await focusedLabel(page);
    expect(first).toContain('trial 0');
    await page.keyboard.press('ArrowRight');
    const [scenario] = first.split(',');
    expect(await focusedLabel(page)).toContain(`${scenario}, trial 1`);
    await page.keyboard.press('End');
    expect(await focusedLabel(page)).toContain(`${scenario}, trial 3`);
    await page.keyboard.press('ArrowDown');
    expect(await focusedLabel(page)).not.toContain(`${scenario},`);
    await page.keyboard.press('Control+Home');
    expect(await focusedLabel(page)).toBe(first);
    await page.keyboard.press('ArrowUp');
    expect(await focusedLabel(page)).toBe(first);
    await page.context().close();
  });

  it('says of a focused cell why it failed, and Enter opens its steps', async () => {
    const { page } = await openFile(browser, files.two);
    await page.locator('table.grid [tabindex="0"]').focus();
    await page.locator('a.cell.fail').first().focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowLeft');
    const tip = await page.locator('#tip').textContent();
    expect(tip).toMatch(/, trial \d failed: ./u);
    expect(await page.locator(':focus').getAttribute('aria-description')).toBe(tip);
    await page.keyboard.press('Enter');
    await page.locator('details.episode[open] summary:focus').waitFor();
    await page.context().close();
  });

  it('keeps its stop among the cells that the filter leaves', async () => {
    const { page } = await openFile(browser, files.two);
    await page.selectOption('select[name=run]', { label: 'flaky' });
    await page.getByLabel('Text').fill('lost-answer');
    const stop = page.locator('table.grid [tabindex="0"]');
    expect(await stop.isVisible()).toBe(true);
    expect(await stop.getAttribute('aria-label')).toContain('lost-answer, trial 0');
    await page.context().close();
  });
});

describe('the difference of two runs', () => {
  it('says what `compare` says, and leads to failed trials', async () => {
    const { page } = await openFile(browser, files.two);
    const section = page.locator('section:has(> #difference)');
    const { comparison, flipped } = compareRuns([careful, flaky], { evidence: 0 });
    const said = (await section.textContent()) ?? '';
    expect(said).toContain(`${comparison.verdict}:\n${comparison.reason}`);
    expect(await section.locator('.tag.flip').count()).toBe(flipped.length);
    const row = section.locator('li', { hasText: 'flipped' }).first();
    const scenario = (await row.locator('.scenario').textContent())?.split(' ')[0];
    await row.locator('a').last().click();
    const open = page.locator('details.episode[open] summary strong');
    expect(await open.textContent()).toBe(scenario);
    await page.context().close();
  });

  it('is not there for one run', async () => {
    const { page } = await openFile(browser, files.one);
    expect(await page.locator('#difference, a[href="#difference"]').count()).toBe(0);
    await page.context().close();
  });
});

describe('a failed check', () => {
  it('leads to its step with the changed rows, and blame marks the decisive one', async () => {
    const { page } = await openFile(browser, files.two);
    const failures = page.locator('section:has(> #failures)');
    await failures
      .locator('a', { hasText: /^step \d+$/u })
      .first()
      .click();
    const id = decodeURIComponent(new URL(page.url()).hash.slice(1));
    expect(id).toMatch(/-step-\d+$/u);
    const step = page.locator(`[id="${id}"]`);
    await step.waitFor({ state: 'visible' });
    expect(await step.locator('.finding').count()).toBeGreaterThan(0);
    expect(await step.locator('.changed').textContent()).toMatch(/rows? changed/u);
    const episode = page.locator('details.episode[open]');
    const decisive = episode.locator('.blamed.decisive');
    expect(await decisive.textContent()).toMatch(/decisive\s+step success of going on falls from/u);
    await page.context().close();
  });

  it('counts towards the gate whose JSON lies in the folder', async () => {
    const { page } = await openFile(browser, files.two);
    const gate = page.locator('section:has(> #gate)');
    expect(await gate.locator('p .verdict').textContent()).toMatch(/fail/u);
    expect(await gate.locator('li', { hasText: 'harm' }).textContent()).toContain('below 0');
    await page.context().close();
  });
});
