import { describe, expect, it } from 'vitest';
import { UsageError } from '../base/errors.ts';
import { openScriptedUser, type StateView } from './scripted.ts';
import type { UserScript } from './types.ts';

const script: UserScript = {
  opening: 'I want my money back for order 88213.',
  start: 'asking',
  states: {
    asking: [
      { when: { agentSays: 'e-?mail' }, say: 'mira.alder@example.com' },
      {
        when: { agentSays: 'refund' },
        say: 'Make it store credit instead.',
        goTo: 'decided',
        label: 'change of mind',
      },
    ],
    decided: [
      {
        when: { state: { table: 'helpdesk.store_credits', where: { amount_cents: { gt: 0 } } } },
        say: 'Thank you.',
        goTo: 'end',
      },
      {
        when: {
          agentSays: 'sure',
          state: { table: 'helpdesk.refunds', where: { order_id: '88213' }, absent: true },
        },
        say: 'Yes.',
      },
    ],
  },
  fallback: 'What does that mean?',
  patience: { turns: 3, say: 'I give up.' },
};

const nothing: StateView = () => [];
const view =
  (rows: Record<string, Record<string, string | number>[]>): StateView =>
  (table) =>
    rows[table] ?? [];

describe('a scripted user', () => {
  it('says the line of the first trigger that holds, and changes its mind where the script says so', () => {
    const user = openScriptedUser(script);
    expect(user.opening).toBe('I want my money back for order 88213.');
    expect(user.reply('Which E-MAIL do you use?', nothing)).toEqual({
      text: 'mira.alder@example.com',
      ended: false,
      cause: 'asking/0',
    });
    expect(user.reply('Shall I refund it?', nothing)).toEqual({
      text: 'Make it store credit instead.',
      ended: false,
      cause: 'asking/1',
      label: 'change of mind',
    });
    expect(user.state).toEqual({ at: 'decided', lost: 0 });
  });

  it('sees the world: rows that must be there, and rows that must not', () => {
    const from = { at: 'decided', lost: 0 };
    const done = view({ 'helpdesk.store_credits': [{ amount_cents: 24000 }] });
    expect(openScriptedUser(script, from).reply('Done.', done)).toMatchObject({
      text: 'Thank you.',
      ended: true,
    });
    expect(openScriptedUser(script, from).reply('Sure?', nothing).text).toBe('Yes.');
    const refunded = view({ 'helpdesk.refunds': [{ order_id: '88213' }] });
    expect(openScriptedUser(script, from).reply('Sure?', refunded).cause).toBe('fallback');
  });

  it('loses patience after so many lines that lead nowhere, and not before', () => {
    const user = openScriptedUser(script);
    expect(user.reply('Hm.', nothing).cause).toBe('fallback');
    user.reply('Your e-mail?', nothing);
    expect([1, 2, 3].map(() => user.reply('Hm.', nothing).cause)).toEqual([
      'fallback',
      'fallback',
      'patience',
    ]);
    expect(() => user.reply('Hello?', nothing)).toThrow(UsageError);
  });

  it('goes on from a kept state as the first one would have', () => {
    const first = openScriptedUser(script);
    first.reply('Shall I refund it?', nothing);
    const kept = JSON.parse(JSON.stringify(first.state));
    const second = openScriptedUser(script, kept);
    expect(second.reply('Sure?', nothing)).toEqual(first.reply('Sure?', nothing));
    expect(second.state).toEqual(first.state);
  });

  it('refuses a script that cannot run', () => {
    expect(() => openScriptedUser({ ...script, start: 'nowhere' })).toThrow(/no state of it/);
    const lost = { ...script, states: { asking: [{ say: 'x', goTo: 'nowhere' }] } };
    expect(() => openScriptedUser(lost)).toThrow(/unknown "nowhere"/);
    const broken = { ...script, states: { asking: [{ when: { agentSays: '(' }, say: 'x' }] } };
    expect(() => openScriptedUser(broken)).toThrow(/no regular expression/);
  });
});
