import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { main } from '../../main.ts';

let written = '';
beforeEach(() => {
  written = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written += String(text);
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
});
afterEach(() => {
  vi.restoreAllMocks();
});

async function show(...argv: string[]): Promise<string> {
  written = '';
  expect(await main(['bank', 'show', ...argv])).toBe(0);
  return written;
}

describe('bank show', () => {
  it('prints what the agent is told and what it is judged by, and keeps the solution to itself', async () => {
    const text = await show('helpdesk/refund-88213');
    for (const part of ['refund-88213: ', 'cluster', '\nTask:\n', ' calls', '  refund (write): ', 'grader']) {
      expect(text).toContain(part);
    }
    for (const part of ['Reference', '"properties"', 'Policy:']) expect(text).not.toContain(part);
    expect(await show('helpdesk/refund-88213', '--reference')).toMatch(/Reference:\n {2}\w+ \{.*\n/u);
    const full = await show('helpdesk/refund-88213', '--full');
    for (const part of ['"properties"', 'Policy:']) expect(full).toContain(part);
  });

  it('says which rows an instance of a family is about', async () => {
    const shown = JSON.parse(await show('helpdesk/refund-family', '--json')) as {
      readonly family: boolean;
      readonly rows: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
      readonly scenario: { readonly task: { readonly text: string } };
    };
    expect(shown.family).toBe(true);
    expect(shown).not.toHaveProperty('reference');
    const ids = Object.values(shown.rows).flatMap(({ id, order_id }) => [id, order_id]);
    expect(ids.some((id) => id !== undefined && shown.scenario.task.text.includes(String(id)))).toBe(true);
    const single = JSON.parse(await show('helpdesk/refund-88213', '--json', '--reference')) as object;
    expect(single).toMatchObject({ family: false, rows: {}, reference: { calls: expect.any(Array) } });
  });

  it('of a whole bank is misuse', async () => {
    expect(await main(['bank', 'show', 'helpdesk', '--json'])).toBe(2);
    expect(JSON.parse(written)).toMatchObject({ error: { code: 'whole-bank' } });
  });
});
