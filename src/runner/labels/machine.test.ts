import { describe, expect, it } from 'vitest';
import { type Key, type LabelItem, type LabelState, press, startLabelling } from './machine.ts';
import type { FailureLabel } from './types.ts';

const ITEMS: readonly LabelItem[] = [
  { scenario: 'one', trial: 0, steps: 3, messages: 5 },
  { scenario: 'two', trial: 0, steps: 0, messages: 2 },
  { scenario: 'two', trial: 1, steps: 9, messages: 0 },
];
const label = (scenario: string, trial: number, code: string): FailureLabel => ({
  scenario,
  trial,
  at: { step: 1 },
  code,
});

const NAMED = ['return', 'escape', 'backspace', 'left', 'right', 'up', 'down', 'pageup', 'pagedown'];

/** Keys as a person presses them: names of keys in brackets, other characters as they are. */
function keysOf(text: string): Key[] {
  return (text.match(/<[^>]+>|./gsu) ?? []).map((part) => {
    const name = part.startsWith('<') ? part.slice(1, -1) : part;
    if (name === 'ctrl-c') return { name: 'c', text: '', ctrl: true };
    if (NAMED.includes(name)) return { name, text: '', ctrl: false };
    return { name: part === ' ' ? 'space' : part, text: part, ctrl: false };
  });
}

function pressed(start: LabelState, text: string) {
  const saved: FailureLabel[] = [];
  let state = start;
  for (const key of keysOf(text)) {
    const after = press(state, key);
    state = after.state;
    if (after.saved) saved.push(after.saved);
  }
  return { state, saved };
}

const fresh = (labels: readonly FailureLabel[] = []): LabelState => startLabelling(ITEMS, labels);

describe('labelling', () => {
  it('takes a new code, a step, modes and a note, and keeps them', () => {
    const { state, saved } = pressed(
      fresh(),
      '+Wrong Pick<return>2<return>t1.1 2.6<return>nTook it.<return><return>',
    );
    expect(saved).toEqual([
      {
        scenario: 'one',
        trial: 0,
        at: { step: 2 },
        code: 'wrong-pick',
        mast: ['1.1', '2.6'],
        note: 'Took it.',
      },
    ]);
    expect(state).toMatchObject({ index: 1, notice: 'Kept: wrong-pick at step 2.', draft: { code: null } });
  });

  it('offers a code under a key from then on, and counts messages apart from steps', () => {
    const { saved } = pressed(fresh(), '+first<return><return>am1<return><return>');
    expect(saved.map(({ code, at }) => [code, at])).toEqual([
      ['first', null],
      ['first', { message: 1 }],
    ]);
  });

  it('starts at the first trial without a label, and comes back to one that was passed over', () => {
    expect(fresh([label('one', 0, 'a')]).index).toBe(1);
    const { state, saved } = pressed(fresh([label('one', 0, 'old')]), 'xa<return>');
    expect(saved.map(({ scenario, trial }) => [scenario, trial])).toEqual([['two', 1]]);
    expect(state).toMatchObject({ index: 1, ended: false });
    expect(pressed(state, 'a<return>').state.ended).toBe(true);
  });

  it('goes back to a label and changes it, keeping what the keyboard does not say', () => {
    const known = { ...label('one', 0, 'old'), note: 'why', disputed: 'doubtful' };
    const { saved } = pressed(fresh([known]), 'z+new<return><return>');
    expect(saved).toEqual([{ ...known, code: 'new' }]);
  });

  it('says who labels', () => {
    const start = startLabelling(ITEMS, [], { by: 'first', codes: ['given'] });
    expect(pressed(start, 'a<return>').saved[0]).toMatchObject({ code: 'given', by: 'first' });
  });

  it.each([
    ['nothing without a code', '<return>', 'Type a first code: +'],
    ['a step beyond the last', '3<return>', 'There is no step "3": they go from 0 to 2.'],
    ['a message beyond the last', 'm5<return>', 'There is no message "5": they go from 0 to 4.'],
    ['a step where there is none', 'x0<return>', 'There is no step "0": there is none.'],
    ['no number', 'm<return>', 'There is no message "": they go from 0 to 4.'],
    ['a mode that MAST has not', 't9.9<return>', 'MAST has no mode 9.9.'],
  ])('keeps %s', (_, keys, notice) => {
    const { state, saved } = pressed(fresh(), keys);
    expect(saved).toEqual([]);
    expect(state).toMatchObject({ notice, draft: { code: null, at: null, mast: [] }, entry: null });
  });

  it('lets a typed line be mended or dropped, in whole characters', () => {
    expect(pressed(fresh(), 'nabé😀<backspace><backspace>c<return>').state.draft.note).toBe('abc');
    expect(pressed(fresh(), 'nabc<escape>').state).toMatchObject({ entry: null, draft: { note: '' } });
    expect(pressed(fresh(), 'n q<return>').state).toMatchObject({ ended: false, draft: { note: 'q' } });
  });

  it('ends by q and by Ctrl-C, also while a line is typed, and stays ended', () => {
    for (const keys of ['q', '<ctrl-c>', 'nabc<ctrl-c>', 'qa<return>']) {
      const { state, saved } = pressed(fresh([label('two', 0, 'a')]), keys);
      expect([state.ended, saved]).toEqual([true, []]);
    }
  });

  it('does not leave the list at either end, nor scroll above the first line', () => {
    expect(pressed(fresh(), '<left>').state.index).toBe(0);
    expect(pressed(fresh(), 'xxxx<right>').state.index).toBe(2);
    expect(pressed(fresh(), '<down><down><up>').state.scroll).toBe(1);
    expect(pressed(fresh(), '<pageup>').state.scroll).toBe(0);
    expect(pressed(fresh(), '<down>x').state.scroll).toBe(0);
  });

  it('has ended before it began where nothing failed', () => {
    expect(startLabelling([], []).ended).toBe(true);
  });
});
