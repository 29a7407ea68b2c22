import { describe, expect, it } from 'vitest';
import { Throttle } from './throttle.ts';
import type { Answered } from './types.ts';

const OK: Answered = { status: 200, headers: {}, body: null };

/** Sends requests that are answered like this, one after another, on a clock of its own. */
async function send(answers: readonly Answered[], calls = answers.length) {
  let nowMs = 1_000_000;
  const sentMs: number[] = [];
  const waits: string[] = [];
  const throttle = new Throttle({
    intervalMs: 1_000,
    nowMs: () => nowMs,
    sleep: (durationMs) => {
      nowMs += durationMs;
      return Promise.resolve();
    },
    waiting: (reason, durationMs) => waits.push(`${reason} ${durationMs}`),
  });
  const got: number[] = [];
  for (let call = 0; call < calls; call += 1) {
    const answer = await throttle.send(() => {
      sentMs.push(nowMs - 1_000_000);
      return Promise.resolve(answers[sentMs.length - 1] ?? OK);
    });
    got.push(answer.status);
  }
  return { sentMs, waits, got };
}

describe('the throttle', () => {
  it('keeps the interval between requests', async () => {
    expect((await send([OK, OK, OK])).sentMs).toEqual([0, 1_000, 2_000]);
  });

  it('waits for as long as the service says, and asks again', async () => {
    const { sentMs, waits, got } = await send(
      [{ ...OK, status: 429, headers: { 'retry-after': '7' } }, OK],
      1,
    );
    expect(sentMs).toEqual([0, 7_000]);
    expect(got).toEqual([200]);
    expect(waits).toEqual(['the service says retry-after 7000']);
  });

  it('waits until the limit is there again once it is used up', async () => {
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1060' };
    expect((await send([{ ...OK, headers }, OK])).sentMs).toEqual([0, 61_000]);
  });

  it('gives up after a few tries', async () => {
    const refused = { ...OK, status: 403, headers: { 'retry-after': '2' } };
    const { sentMs, got } = await send([refused, refused, refused, OK], 1);
    expect(sentMs).toHaveLength(3);
    expect(got).toEqual([403]);
  });

  it('takes a refusal for other reasons as an answer', async () => {
    expect((await send([{ ...OK, status: 403 }], 1)).got).toEqual([403]);
  });
});
