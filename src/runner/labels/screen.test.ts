import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { syntheticTrajectory } from '../../scoring/synthetic.ts';
import { voidScore } from '../../scoring/trial.ts';
import { press, startLabelling } from './machine.ts';
import { type ShownTrial, screenOf, shownTrial, wrapped } from './screen.ts';

const SHOWN: ShownTrial = {
  checks: ['contract: the row was not changed', 'answer: lacks "4"'],
  task: 'Change it.',
  episode: Array.from({ length: 40 }, (_, index) => `${index}  get_user_details {}`),
};
const STATE = startLabelling([{ scenario: 'one', trial: 0, steps: 40, messages: 0 }], [], {
  codes: ['a-code'],
});
const SIZE = { columns: 60, rows: 20 };

describe('shownTrial', () => {
  it('numbers calls and messages as labels do, says what was lost, how it ended and what the reference has', () => {
    const trajectory = syntheticTrajectory(
      [
        { tool: 'read', input: { id: 1 } },
        { tool: 'pay', input: {}, outcome: 'error' },
      ],
      {
        answer: 'done',
        messages: [
          { role: 'user', text: 'pay it' },
          { role: 'agent', text: 'I will' },
        ],
      },
    );
    const score = voidScore('grader', 'x');
    const calls = [
      { steps: [], message: 'reference call 1 (mail) was not made', expected: { tool: 'mail' } },
      { steps: [0], message: 'call 0 has no partner' },
    ];
    const { episode, checks, task } = shownTrial(trajectory, { ...score, calls });
    const text = episode.join('\n');
    expect(text).toContain('m0 user: pay it');
    expect(text).toContain('m1 agent: I will');
    expect(text).toContain('0  read {"id":1}');
    expect(text).toContain('1  pay {}\n   error: ');
    expect(text).toContain('answer: done\nEnded: answer');
    expect(text).toContain('Against the reference:\nreference call 1 (mail) was not made');
    expect(text).not.toContain('no partner');
    expect([checks, task]).toEqual([[], null]);
    expect(shownTrial(null, score).episode).toEqual(['It has no trajectory.']);
  });
});

describe('the screen', () => {
  it('shows which failure, what broke, the task, the calls by number, codes by key and the keys', () => {
    const { lines } = screenOf(STATE, SHOWN, { columns: 110, rows: 20 });
    const text = lines.join('\n');
    expect(lines).toHaveLength(20);
    for (const part of [
      '1 of 1: one, trial 0   (0 labelled)',
      '✗ contract: the row was not changed',
      'Task: Change it.',
      '0  get_user_details {}',
      'a a-code',
      'first wrong —',
      'q quit',
    ]) {
      expect(text).toContain(part);
    }
  });

  it('scrolls no further than the last line', () => {
    const end = screenOf({ ...STATE, scroll: 999 }, SHOWN, SIZE);
    expect(end.lines.join('\n')).toContain('39  get_user_details {}');
    expect(screenOf({ ...STATE, scroll: end.scroll }, SHOWN, SIZE)).toEqual(end);
  });

  it('shows the line that is typed', () => {
    const typing = press(STATE, { name: 'n', text: 'n', ctrl: false }).state;
    const { lines } = screenOf(press(typing, { name: 'o', text: 'o', ctrl: false }).state, SHOWN, SIZE);
    expect(lines.at(-1)).toBe('note: o▏');
  });

  it('is never larger than the terminal, and lets no text of others steer it', () => {
    const size = fc.record({
      columns: fc.integer({ min: 20, max: 200 }),
      rows: fc.integer({ min: 1, max: 60 }),
    });
    const text = fc.string({ unit: 'binary', maxLength: 300 });
    fc.assert(
      fc.property(size, text, fc.array(text, { maxLength: 20 }), (sizes, task, episode) => {
        const { lines } = screenOf(STATE, { checks: [task], task, episode }, sizes);
        expect(lines.length).toBeLessThanOrEqual(sizes.rows);
        for (const line of lines) {
          expect([...line].length).toBeLessThanOrEqual(sizes.columns);
          expect(line).not.toMatch(/\p{Cc}/u);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('wraps at spaces where there are some, and loses nothing', () => {
    expect(wrapped('one two three', 8)).toEqual(['one two', 'three']);
    expect(wrapped('abcdefghij', 4)).toEqual(['abcd', 'efgh', 'ij']);
    expect(wrapped('a\n\nb', 4)).toEqual(['a', '', 'b']);
  });
});
