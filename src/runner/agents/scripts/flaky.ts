import { SeededRandom } from '../../../base/random.ts';
import { deskScript } from './careful.ts';
import { CAREFUL, type Habits } from './desk-work.ts';
import { scripted } from './replay.ts';

/**
 * The flaky agent: the careful one with slips drawn from the trial's seed, so that it solves most scenarios
 * some of the time and few of them every time.
 */
export const next = scripted((task, opening) => deskScript(task, opening, slips(task.seed)));

/** About one trial in three goes wrong; reading twice is common and does no harm. */
export function slips(seed: string): Habits {
  const random = SeededRandom.from(`flaky/${seed}`);
  const draw = random.next();
  return {
    ...CAREFUL,
    skipsCheck: draw < 0.12,
    overpaysCents: draw >= 0.12 && draw < 0.22 ? random.integer(1, 500) : 0,
    givesUp: draw >= 0.22 && draw < 0.34,
    readsTwice: random.chance(0.3),
  };
}
