/** Agents write what they want: none of it may become markup, script or a request. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { axeFindings, launch, openFile, VIEWS } from './browser.ts';
import { writeHostileReport } from './hostile-run.ts';

const directory = mkdtempSync(join(tmpdir(), 'groundhog-hostile-'));
let browser: Browser;
let file: string;
beforeAll(async () => {
  file = await writeHostileReport(directory);
  browser = await launch();
});
afterAll(async () => {
  await browser.close();
  rmSync(directory, { recursive: true });
});

describe('hostile text', () => {
  it('is shown and does nothing', async () => {
    const { page, complaints, requests } = await openFile(browser, file);
    for (const summary of await page.locator('details > summary').all()) {
      if (await summary.isVisible()) await summary.click();
    }
    for (const part of ['h1', 'h3', '.episode code', '.said']) await page.locator(part).first().hover();
    expect(await page.evaluate('typeof pwned')).toBe('undefined');
    expect(complaints).toEqual([]);
    expect(requests).toEqual([]);
    expect(await page.locator('img, iframe, object, link, svg[onload]').count()).toBe(0);
    expect(await page.locator('script').count()).toBe(1);
    expect(await page.locator('.said.answer').first().textContent()).toContain(
      '<img src=x onerror="pwned=1">',
    );
    const handlers = 'document.querySelectorAll("[onerror], [onload], [onmouseover]").length';
    expect(await page.evaluate(handlers)).toBe(0);
    await page.context().close();
  });

  it('would not run even where it was markup: the policy lets in one script', async () => {
    const injected = join(directory, 'injected.html');
    const bad = '<img src="x" onerror="pwned=1"><script>pwned=1</script>';
    writeFileSync(injected, readFileSync(file, 'utf8').replace('<main>', `<main>${bad}`));
    const { page } = await openFile(browser, injected);
    expect(await page.evaluate('typeof pwned')).toBe('undefined');
    expect(await page.locator('#filter').isVisible()).toBe(true);
    await page.context().close();
  });

  it('says why a trial is void, how trials ended, and why figures are not there', async () => {
    const { page } = await openFile(browser, file);
    const text = (await page.locator('main').textContent()) ?? '';
    expect(text).toContain('4 infrastructure: the trial broke off, or never began');
    expect(text).toContain('The budget of calls was spent');
    expect(text).toContain('The agent crashed');
    expect(text).toContain('no trial succeeded');
    expect(text).not.toMatch(/±0|NaN|undefined in undefined|\[object/u);
    await page.context().close();
  });
});

describe.each(VIEWS)('at $width px, $scheme', (view) => {
  it('axe finds nothing and nothing is wider than the window', async () => {
    const { page } = await openFile(browser, file, view);
    for (const summary of await page.locator('details.episode > summary').all()) await summary.click();
    await page.screenshot({
      path: join(inject('pictures'), `hostile-${view.width}-${view.scheme}.png`),
      fullPage: true,
    });
    expect(await axeFindings(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(view.width);
    await page.context().close();
  });
});
