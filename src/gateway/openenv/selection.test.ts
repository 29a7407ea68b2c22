import { describe, expect, it } from 'vitest';
import { servedSource } from '../../runner/served.ts';
import { type ResetWishes, select, ValidationProblem } from './selection.ts';

const bank = await servedSource({ scenarios: ['helpdesk'] });
const free = await servedSource({ services: ['notes'] });

function chosen(wishes: ResetWishes, source = bank): readonly unknown[] {
  const { scenario, trial, episodeId } = select(source, wishes, 0);
  return [scenario, trial, episodeId];
}

/** What is said of an id that cannot be taken. */
function problem(wishes: ResetWishes): string {
  try {
    return `none: ${chosen(wishes).join()}`;
  } catch (error) {
    return error instanceof ValidationProblem ? (error.errors[0]?.msg ?? '') : String(error);
  }
}

describe('an episode id', () => {
  it('names an episode, also with the bank before it', () => {
    expect(chosen({ episodeId: 'refund-88213#3' })).toEqual(['refund-88213', 3, 'refund-88213#3']);
    expect(chosen({ episodeId: 'helpdesk/refund-88213#3' }).slice(0, 2)).toEqual(['refund-88213', 3]);
    expect(chosen({ episodeId: 'refund-88213' })).toEqual(['refund-88213', 0, 'refund-88213']);
    expect(chosen({ scenario: 'helpdesk/refund-88213', episodeId: 'refund-88213#4' })).toEqual([
      'refund-88213',
      4,
      'refund-88213#4',
    ]);
  });

  it.each(['refund-8821#3', 'refund-8821', 'Refund-88213', 'refund-88213#x', 'refund-88213#-1'])(
    'that is nearly one, as %s, opens no other',
    (episodeId) => {
      expect(problem({ episodeId })).toMatch(/did you mean refund-88213#\d\?/u);
    },
  );

  it('of the form of one that is not served is refused, and says what is', () => {
    expect(problem({ episodeId: 'zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz#1' })).toMatch(/such as \S+#1$/u);
    expect(problem({ episodeId: 'refund-88213~99#1' })).toContain('names no episode');
  });

  it('cannot contradict the scenario', () => {
    const other = bank.choices.find((choice) => choice !== 'refund-88213') ?? '';
    expect(problem({ scenario: 'refund-88213', episodeId: `${other}#1` })).toContain('another scenario');
    expect(problem({ scenario: 'refund-88213', episodeId: 'refund-8821#1' })).toContain('did you mean');
    expect(chosen({ scenario: 'refund-88213', episodeId: 'run#7' })).toEqual(['refund-88213', 0, 'run#7']);
  });

  it('that names an episode names the one that is played', () => {
    expect(chosen({ episodeId: 'refund-88213#3', trial: 5 })[2]).toBe('refund-88213#5');
    expect(chosen({ episodeId: 'refund-88213', seed: 2 })[2]).toBe('refund-88213#2');
  });

  it('that looks like none is free, and hashed', () => {
    const id = '6f9619ff-8b86-d011-b42d-00c04fc964ff';
    expect(chosen({ episodeId: id })).toEqual(chosen({ episodeId: id }));
    expect(chosen({ episodeId: id })[2]).toBe(id);
  });

  it('of free play leads back to the same trial', () => {
    const [, trial, id] = chosen({ trial: 7 }, free);
    expect(chosen({ episodeId: String(id) }, free)).toEqual([null, trial, id]);
  });
});

describe('a scenario', () => {
  it('that is not served is answered with the nearest one', () => {
    expect(() => chosen({ scenario: 'refund-8821' })).toThrow(/no scenario named refund-8821/u);
    try {
      chosen({ scenario: 'helpdesk/refund-8821' });
    } catch (error) {
      expect(error).toMatchObject({ hint: 'did you mean refund-88213?' });
    }
  });
});
