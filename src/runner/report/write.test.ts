import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TINY, writeTinyBank } from '../../../test/tiny-bank.ts';
import { loadBank } from '../bank.ts';
import { runBank } from '../run.ts';
import { WorldCache } from '../worlds.ts';
import { blamerOf } from './blamer.ts';
import { readRuns } from './read-run.ts';
import { wordsOf } from './report-run.test-kit.ts';
import { reportPage, writeReport } from './write.ts';

const root = mkdtempSync(join(tmpdir(), 'groundhog-report-'));
const bankFolder = join(root, 'bank');
beforeAll(async () => {
  writeTinyBank(bankFolder, TINY);
  const bank = await loadBank([bankFolder], new WorldCache());
  const asked = { targets: [bankFolder], agent: 'oracle' };
  const common = { bank, seed: 's', k: 2, engine: 'inline', asked } as const;
  await runBank({ ...common, agent: 'oracle', out: join(root, 'oracle') });
  await runBank({ ...common, agent: `script:${chattyScript()}`, out: join(root, 'chatty') });
});
afterAll(() => rmSync(root, { recursive: true }));

/** Looks up what it should, and sends a mail that nobody asked for. */
function chattyScript(): string {
  const file = join(root, 'chatty.mjs');
  writeFileSync(
    file,
    `export const name = 'chatty';
const calls = (task) => [
  { type: 'call', tool: 'lookup_order', arguments: { order_id: task.intent.order_id } },
  { type: 'call', tool: 'send_email', arguments: { to: 'mira.alder@example.com', subject: 'Hi', body: 'Hi' } },
];
export const next = (history, task) => calls(task)[history.length] ?? { type: 'answer', text: 'Done.' };
`,
  );
  return file;
}

/** The step of an episode with this anchor, as its words. */
function stepWords(page: string, anchor: string): string {
  const found = new RegExp(`<li class="step[^>]*id="${anchor}">[\\s\\S]*?</li>\\n`, 'u').exec(page);
  return wordsOf({ text: found?.[0] ?? '' });
}

describe('the page', () => {
  it('is not made of what is left of a run', () => {
    const rest = join(root, 'rest');
    cpSync(join(root, 'chatty'), rest, { recursive: true });
    const [first = ''] = readdirSync(join(rest, 'trajectories'));
    rmSync(join(rest, 'trajectories', first));
    expect(() => readRuns([rest])).toThrow(/the run had \d+ trials when it was finished, and \d+ are there/u);
  });

  it('is below 150 KB where no trial is shown step by step', () => {
    const file = writeReport([join(root, 'oracle')], join(root, 'oracle.html'));
    expect(readFileSync(file, 'utf8')).toContain('Every trial succeeded: there is none to show.');
    expect(statSync(file).size).toBeLessThan(150_000);
  });

  it('leads from what broke to the step, which has its changed rows', () => {
    const page = reportPage(readRuns([join(root, 'chatty')]));
    const failures = page.slice(page.indexOf('id="failures"'), page.indexOf('id="grid"'));
    expect(failures).toContain('<a href="#t0-look-0-0-step-1">step 1</a>');
    const words = stepWords(page, 't0-look-0-0-step-1');
    expect(words).toContain('send_email');
    expect(words).toContain('+ inserted helpdesk.emails');
    expect(words).toContain('contract helpdesk.emails');
  });

  it('shows blame in place: one that a blamer makes, or the one beside the trajectory', async () => {
    const run = join(root, 'chatty');
    const blamer = await blamerOf(run);
    const page = reportPage(readRuns([run], [blamer]));
    expect(stepWords(page, 't0-look-0-0-step-1')).toContain(
      'decisive step success of going on falls from 100.0 % to 0.0 %',
    );
    const beside = join(run, 'trajectories', 'look-0.0.blame.json');
    writeFileSync(beside, JSON.stringify({ steps: [], decisive: null, reason: 'written by hand' }));
    expect(wordsOf({ text: reportPage(readRuns([run], [blamer])) })).toContain('Blame : written by hand.');
    rmSync(beside);
  });

  it('says why a trial is not blamed', async () => {
    const run = join(root, 'chatty');
    const blamer = await blamerOf(run);
    writeTinyBank(
      bankFolder,
      TINY.map((one) => ({ ...one, extra: 'tags: [edited]', order: '10034' })),
    );
    const edited = await blamerOf(run);
    const reasons = [blamer, edited].map((one) => wordsOf({ text: reportPage(readRuns([run], [one])) }));
    const why = 'No blame : the scenario is not in its bank as it was recorded.';
    expect(reasons.map((words) => words.includes(why))).toEqual([false, true]);
  });

  it('sets later runs against the first, and has a part for all that its head names', () => {
    const page = reportPage(readRuns([join(root, 'oracle'), join(root, 'chatty')]));
    expect(wordsOf({ text: page })).toContain('chatty − oracle inconclusive :');
    const head = page.slice(page.indexOf('<nav'), page.indexOf('</nav>'));
    const ids = [...head.matchAll(/href="#([^"]+)"/gu)].map(([, id]) => id);
    expect(ids).toContain('difference');
    for (const id of ids) expect(page).toContain(`<h2 id="${id}">`);
  });
});
