/** The report of the demo, as a reader opens it: from disk, in a browser. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { RunSummary } from '../../src/scoring/index.ts';
import { axeFindings, launch, openFile, VIEWS } from './browser.ts';

const demo = inject('demo');
const file = join(demo, 'report.html');
/** Of the bank that the demo ran on; the page must say what the run says. */
const { config } = JSON.parse(readFileSync(join(demo, 'careful', 'run.json'), 'utf8')) as {
  readonly config: {
    readonly bank: { readonly version: string };
    readonly scenarios: readonly unknown[];
  };
};
const AGENTS = ['careful', 'flaky', 'hasty'] as const;

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(async () => {
  await browser.close();
});

function summaryOf(agent: string): RunSummary {
  return JSON.parse(readFileSync(join(demo, agent, 'summary.json'), 'utf8')) as RunSummary;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

describe('opened from disk', () => {
  it('complains of nothing and asks for nothing', async () => {
    const { page, complaints, requests } = await openFile(browser, file);
    expect(complaints).toEqual([]);
    expect(requests).toEqual([]);
    expect(await page.title()).toBe(
      `careful, flaky, hasty on helpdesk ${config.bank.version}: Groundhog report`,
    );
    await page.context().close();
  });

  it('stays small', () => {
    expect(statSync(file).size).toBeLessThan(2_000_000);
  });

  it('shows the figures of the summary as they are, never ±0', async () => {
    const { page } = await openFile(browser, file);
    const rows = page.locator('table.figures tbody tr');
    for (const [column, agent] of AGENTS.entries()) {
      const { success, passHat, metrics } = summaryOf(agent);
      for (const [label, estimate] of [
        ['success', success],
        ['pass^4', passHat['4']],
        ['tool recall', metrics.recall],
      ] as const) {
        if (!estimate || estimate.value === null) throw new Error(`${agent} has no ${label}`);
        const row = rows.filter({
          has: page.locator('th', { hasText: new RegExp(`^${pattern(label)}`, 'u') }),
        });
        const cell = await row.locator('td').nth(column).textContent();
        expect(cell).toContain(percent(estimate.value));
        if (estimate.high !== null) expect(cell).toContain(percent(estimate.high));
      }
    }
    expect(await page.locator('body').textContent()).not.toContain('±0');
    await page.context().close();
  });

  it('draws pass^k from 1 to 4, ends as in the summary', async () => {
    const { page } = await openFile(browser, file);
    const table = page.locator('section:has(#passing) table');
    expect(await table.locator('tbody th').allTextContents()).toEqual([
      'pass^1',
      'pass^2',
      'pass^3',
      'pass^4',
    ]);
    const last = await table.locator('tbody tr').last().locator('td .value').allTextContents();
    expect(last).toEqual(AGENTS.map((agent) => percent(summaryOf(agent).passHat['4']?.value ?? -1)));
    expect(await page.locator('svg.curve polyline').count()).toBe(3);
    await page.context().close();
  });
});

function pattern(text: string): string {
  return text.replace('^', '\\^');
}

describe.each(VIEWS)('at $width px, $scheme', (view) => {
  it('axe finds nothing, folded or not, and nothing is wider than the window', async () => {
    const { page } = await openFile(browser, file, view);
    expect(await axeFindings(page)).toEqual([]);
    await page.locator('a.cell.fail').first().click();
    expect(await axeFindings(page, 'details.episode[open]')).toEqual([]);
    const width = await page.evaluate('document.documentElement.scrollWidth');
    expect(width).toBe(view.width);
    await page.context().close();
  });

  it('has its picture taken', async () => {
    const { page } = await openFile(browser, file, view);
    const name = `${view.width}-${view.scheme}`;
    await page.screenshot({ path: join(inject('pictures'), `report-${name}.png`), fullPage: true });
    await page.locator('a.cell.fail').nth(20).click();
    await page.screenshot({ path: join(inject('pictures'), `episode-${name}.png`) });
    await page.context().close();
  });
});

describe('a failed cell', () => {
  it('leads to its opened episode by a click', async () => {
    const { page } = await openFile(browser, file);
    const cell = page.locator('a.cell.fail[aria-label^="lost-answer, trial 0"]').last();
    await cell.click();
    const episode = page.locator('details.episode[open]');
    expect(await episode.locator('summary').first().textContent()).toContain('lost-answer');
    expect(await episode.textContent()).toContain('The answer was lost on its way.');
    expect(await isInView(page, episode)).toBe(true);
    await page.context().close();
  });

  it('leads there by keyboard, and the focus goes along', async () => {
    const { page } = await openFile(browser, file, { width: 375 });
    await page.locator('a.cell.fail').nth(3).focus();
    await page.keyboard.press('Enter');
    await page.locator('details.episode[open] summary:focus').waitFor();
    await page.keyboard.press('Enter');
    expect(await page.locator('details.episode[open]').count()).toBe(0);
    await page.context().close();
  });

  it('leads on to the step that broke', async () => {
    const { page } = await openFile(browser, file);
    await page.locator('a.cell.fail[aria-label^="lost-answer, trial 0"]').last().click();
    const link = page.locator('details.episode[open] a', { hasText: 'step 4' });
    const id = (await link.getAttribute('href'))?.slice(1) ?? '';
    await link.click();
    const step = page.locator(`[id="${id}"]`);
    expect(await isInView(page, step)).toBe(true);
    expect(await step.textContent()).toMatch(/refund was called 2 times[\s\S]*refunded_cents is 75800/u);
    expect(await step.locator('.cell-change').first().textContent()).toMatch(/37900\s+→\s+75800/u);
    await page.context().close();
  });

  it('can be linked to from outside, and after the filter hid it', async () => {
    const { page: first } = await openFile(browser, file);
    const href = (await first.locator('a.cell.fail').nth(5).getAttribute('href')) ?? '';
    await first.context().close();
    const { page } = await openFile(browser, file);
    await page.selectOption('select[name=outcome]', 'pass');
    await page.evaluate(`location.hash = ${JSON.stringify(href)}`);
    await page.locator('details.episode[open] summary:focus').waitFor();
    await page.context().close();
  });
});

async function isInView(page: Page, part: Locator): Promise<boolean> {
  const box = await part.boundingBox();
  const height = page.viewportSize()?.height ?? 0;
  return box !== null && box.y < height && box.y + box.height > 0;
}

describe('the filter', () => {
  it('narrows by agent, outcome and text, and says how many are left', async () => {
    const { page } = await openFile(browser, file);
    const rows = page.locator('table.grid tr[data-text]:visible');
    const episodes = page.locator('details.episode:visible');
    expect(await rows.count()).toBe(config.scenarios.length);
    await page.selectOption('select[name=run]', { label: 'careful' });
    await page.selectOption('select[name=outcome]', 'fail');
    // The careful agent makes no slips, so its trials of a scenario are alike and shown once.
    const failed = [...new Set(summaryOf('careful').failures.map(({ scenario }) => scenario))];
    expect(failed).toEqual(expect.arrayContaining(['mind-two-of-three', 'two-lines-one-order']));
    expect((await rows.locator('th').allTextContents()).sort()).toEqual(failed.sort());
    expect(await episodes.count()).toBe(failed.length);
    const counted = `${failed.length} scenarios, ${failed.length} trials step by step`;
    expect(await page.locator('#filter output').textContent()).toBe(counted);
    await page.getByLabel('Text').fill('two-lines');
    expect(await rows.count()).toBe(1);
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect.poll(() => rows.count()).toBe(config.scenarios.length);
    await page.context().close();
  });

  it('finds words inside episodes', async () => {
    const { page } = await openFile(browser, file);
    await page.getByLabel('Text').fill('answer of the refund lost');
    expect(await page.locator('table.grid tr[data-text]:visible th').allTextContents()).toContain(
      'lost-answer',
    );
    await page.context().close();
  });
});

describe('without script', () => {
  it('everything can be read, and the filter is not there', async () => {
    const { page } = await openFile(browser, file, { script: false });
    expect(await page.locator('#filter').isVisible()).toBe(false);
    for (const name of [
      'How often it succeeds',
      'Difference from careful',
      'Figures',
      'What broke first, and where',
      'Every trial',
    ]) {
      expect(await page.getByRole('heading', { name, exact: true }).isVisible()).toBe(true);
    }
    const episode = page.locator('details.episode').first();
    await episode.locator('summary').first().click();
    expect(await episode.getByText('What broke').isVisible()).toBe(true);
    await page.context().close();
  });

  it('a cell still opens its episode: the browser unfolds what a link leads into', async () => {
    const { page } = await openFile(browser, file, { script: false });
    await page.locator('a.cell.fail').nth(8).click();
    await page.locator('details.episode[open]').waitFor();
    await page.context().close();
  });
});

describe('on paper', () => {
  it('leaves out what only works on a screen', async () => {
    const { page } = await openFile(browser, file);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('nav').isVisible()).toBe(false);
    expect(await page.locator('#filter').isVisible()).toBe(false);
    expect(await page.locator('.plot').first().isVisible()).toBe(true);
    await page.context().close();
  });
});
