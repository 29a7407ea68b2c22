/** Chromium for the page tests: opens pages from disk and keeps what went wrong on them. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';

export const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export interface View {
  readonly width: 375 | 1280;
  readonly scheme: 'light' | 'dark';
}

/** A phone and a desk, in both colour schemes. */
export const VIEWS: readonly View[] = [
  { width: 1280, scheme: 'light' },
  { width: 1280, scheme: 'dark' },
  { width: 375, scheme: 'light' },
  { width: 375, scheme: 'dark' },
];

/** A page that was opened, with everything that it should not have done. */
export interface OpenPage {
  readonly page: Page;
  /** Console errors and warnings, thrown errors, dialogs. */
  readonly complaints: readonly string[];
  /** Everything that was asked for besides the file itself. */
  readonly requests: readonly string[];
}

export async function launch(): Promise<Browser> {
  return await chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS });
}

/** Opens a file from disk, in a context of its own. */
export async function openFile(
  browser: Browser,
  file: string,
  options: Partial<View> & { readonly script?: boolean } = {},
): Promise<OpenPage> {
  const { width = 1280, scheme = 'light', script = true } = options;
  const context = await browser.newContext({
    viewport: { width, height: width === 375 ? 844 : 900 },
    colorScheme: scheme,
    javaScriptEnabled: script,
  });
  context.setDefaultTimeout(10_000);
  const page = await context.newPage();
  const complaints: string[] = [];
  const requests: string[] = [];
  const url = `file://${file}`;
  page.on('console', (message) => {
    if (message.type() !== 'log') complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (request.url() !== url) requests.push(request.url());
  });
  await page.goto(url);
  return { page, complaints, requests };
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds wrong on the page or a part of it, a line a rule with the first place. */
export async function axeFindings(page: Page, part = 'html'): Promise<string[]> {
  await page.evaluate(AXE);
  const call = `axe.run(${JSON.stringify(part)}, { resultTypes: ['violations'] })`;
  const { violations } = (await page.evaluate(call)) as AxeResults;
  return violations.map(
    ({ id, nodes }) => `${id} (${nodes.length}): ${nodes[0]?.html.slice(0, 160)} ${nodes[0]?.failureSummary}`,
  );
}
