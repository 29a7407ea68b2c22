/** Runs once before the page tests: looks for Chromium and makes the demo's report, as a user would. */
import { execFileSync } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { CHROMIUM } from './browser.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The folder that the demo wrote. */
    demo: string;
    /** Where pictures of the pages go; kept after the run. */
    pictures: string;
  }
}

export function setup(project: TestProject): () => void {
  requireChromium();
  const demo = mkdtempSync(join(tmpdir(), 'groundhog-demo-'));
  const command = new URL('../../bin/groundhog.js', import.meta.url).pathname;
  execFileSync(process.execPath, [command, 'demo', '--out', demo], { stdio: 'pipe' });
  project.provide('demo', demo);
  project.provide('pictures', mkdtempSync(join(tmpdir(), 'groundhog-pages-')));
  return () => rmSync(demo, { recursive: true });
}

/** Without a browser these tests would say nothing, so they fail instead of being skipped. */
function requireChromium(): void {
  try {
    accessSync(CHROMIUM, constants.X_OK);
  } catch {
    const error = new Error(
      `no Chromium at ${CHROMIUM}: install it (apt-get install chromium) or set CHROMIUM to where it is`,
    );
    error.stack = error.message;
    throw error;
  }
}
