import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../base/errors.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { airline } from '../services/airline/index.ts';
import { parseTauFile, readTauFolder, type TauFolder, type TauRun } from '../traces/tau/index.ts';
import { type Called, documents, runOf } from './tau.test-kit.ts';
import { replayTau } from './tau-replay.ts';

const RECORDED = resolve(import.meta.dirname, '../../../shared/tau');
const equal = (count: number) => ({ equal: count, of: count });

describe.skipIf(!existsSync(RECORDED))('the recorded runs', () => {
  it('come out byte for byte, with every hash and reward', () => {
    const result = replayTau({ service: airline, folder: readTauFolder(RECORDED) });
    expect(result.differences).toEqual([]);
    expect(result).toMatchObject({
      runs: 100,
      toolOutputs: equal(572),
      goldHashes: equal(91),
      goldByTask: equal(50),
      finalHashes: equal(100),
      rewards: equal(100),
    });
    const first = result.passHat['1'];
    const second = result.passHat['2'];
    if (first?.value == null || second?.value == null) throw new Error('pass^k is missing');
    expect(first.value).toBeCloseTo(0.43, 12);
    expect(first.se).toBeCloseTo(0.055347, 6);
    expect(second.value).toBeCloseTo(0.24, 12);
    expect(second.se).toBeCloseTo(0.061012, 6);
  });
});

function replay(runs: readonly TauRun[], rest: Partial<TauFolder> = {}) {
  return replayTau({ service: airline, folder: { documents: documents(), runs, replays: [], ...rest } });
}

function answers(calls: readonly Omit<Called, 'output'>[]): Json[] {
  const result = replay([runOf(calls.map((call) => ({ ...call, output: 'never' })))]);
  return result.differences.filter(({ check }) => check === 'toolOutputs').map(({ got }) => got);
}

describe('calls that a model gets wrong', () => {
  it('answers as the recorded program would, or says what is wrong, and never hangs', () => {
    expect(
      answers([
        { name: 'fly_me_to', arguments: '{"moon": true}' },
        { name: 'get_user_details', arguments: '{}' },
        { name: 'search_direct_flight', arguments: '{"origin": "DEN"}' },
        { name: 'update_reservation_baggages', arguments: '{"reservation_id": "GHR001"}' },
        { name: 'get_user_details', arguments: '{"user_id": "x", "name": "y"}' },
        { name: 'think', arguments: '{"thought": "cut off' },
        { name: 'think', arguments: '["thought"]' },
        { name: 'calculate', arguments: '{"expression": "2 +"}' },
        {
          name: 'search_onestop_flight',
          arguments: '{"origin": "DEN", "destination": "MIA", "date": "soon"}',
        },
      ]),
    ).toEqual([
      'Unknown action fly_me_to',
      "Error: GetUserDetails.invoke() missing 1 required positional argument: 'user_id'",
      "Error: SearchDirectFlight.invoke() missing 2 required positional arguments: 'destination' and 'date'",
      'Error: UpdateReservationBaggages.invoke() missing 3 required positional arguments: ' +
        "'total_baggages', 'nonfree_baggages', and 'payment_id'",
      "Error: GetUserDetails.invoke() got an unexpected keyword argument 'name'",
      'Error: the arguments are not valid JSON',
      expect.stringMatching(/^Error: /u),
      'Error: invalid syntax (<string>, line 1)',
      "Error: invalid literal for int() with base 10: 'on'",
    ]);
  });
});

const BOOKING = {
  user_id: 'ada_stone_1001',
  origin: 'DEN',
  destination: 'BOS',
  flight_type: 'one_way',
  cabin: 'economy',
  total_baggages: 0,
  nonfree_baggages: 0,
  insurance: 'no',
};

function booking(parts: { flights: string; passengers?: string; payments: string }): Omit<Called, 'output'> {
  const passengers = parts.passengers ?? '[{"first_name": "Ada", "last_name": "Stone", "dob": "1988-03-12"}]';
  const rest = JSON.stringify(BOOKING).slice(1);
  return {
    name: 'book_reservation',
    arguments: [
      `{"flights": ${parts.flights}`,
      `"passengers": ${passengers}`,
      `"payment_methods": ${parts.payments}`,
      rest,
    ].join(', '),
  };
}

const FLIGHT = '[{"flight_number": "GH101", "date": "2024-05-20"}]';

describe('what a door could lose', () => {
  it('prints members in the order in which they were written', () => {
    const [answer] = answers([
      booking({
        flights: '[{"date": "2024-05-20", "price": 1, "flight_number": "GH101"}]',
        passengers: '[{"dob": "1988-03-12", "seat": "2A", "first_name": "Ada"}]',
        payments: '[{"amount": 160, "payment_id": "credit_card_1000001"}]',
      }),
    ]);
    expect(answer).toContain(
      '[{"date": "2024-05-20", "price": 160, "flight_number": "GH101", "origin": "DEN", "destination": "BOS"',
    );
    expect(answer).toContain('"passengers": [{"dob": "1988-03-12", "seat": "2A", "first_name": "Ada"}]');
    expect(answer).toContain('"payment_history": [{"amount": 160, "payment_id": "credit_card_1000001"}]');
  });

  it('keeps floats floats', () => {
    const card = (amount: string) => `[{"payment_id": "credit_card_1000001", "amount": ${amount}}]`;
    const [paid, short, gift] = answers([
      booking({ flights: FLIGHT, payments: card('160.0') }),
      booking({ flights: FLIGHT, payments: card('150.0') }),
      { name: 'send_certificate', arguments: '{"user_id": "ada_stone_1001", "amount": 50.0}' },
    ]);
    expect(paid).toContain('"amount": 160.0');
    expect(short).toBe('Error: payment amount does not add up, total price is 160, but paid 150.0');
    expect(gift).toBe('Certificate certificate_3221322 added to user ada_stone_1001 with amount 50.0.');
  });

  it('gives ids in turn, and none for a fourth certificate', () => {
    const send = { name: 'send_certificate', arguments: '{"user_id": "ada_stone_1001", "amount": 1}' };
    const payments = '[{"payment_id": "credit_card_1000001", "amount": 160}]';
    const book = booking({ flights: FLIGHT, payments });
    const got = answers([send, send, send, send, book, book, book, book]).map((answer) =>
      answer === null ? null : /certificate_\d+|HATHA./u.exec(String(answer))?.[0],
    );
    expect(got).toEqual([
      'certificate_3221322',
      'certificate_3221323',
      'certificate_3221324',
      null,
      'HATHAT',
      'HATHAU',
      'HATHAV',
      'HATHAV',
    ]);
  });

  it('keeps what was charged before a certificate failed at its second turn', () => {
    const certificate = '{"payment_id": "certificate_1000003", "amount": 80}';
    const [failed, profile] = answers([
      booking({ flights: FLIGHT, payments: `[${certificate}, ${certificate}]` }),
      { name: 'get_user_details', arguments: '{"user_id": "ada_stone_1001"}' },
    ]);
    expect(failed).toBe("Error: 'certificate_1000003'");
    expect(profile).not.toContain('certificate_1000003');
  });
});

describe('rewards', () => {
  const cancel = { name: 'cancel_reservation', arguments: '{"reservation_id": "GHR001"}', output: 'never' };
  const actions = [
    { name: 'cancel_reservation', kwargs: { reservation_id: 'GHR001' } },
    { name: 'transfer_to_human_agents', kwargs: { summary: '' } },
  ];
  const reward = (rest: Partial<TauRun>, calls: readonly Called[] = [cancel]): Json =>
    replay([runOf(calls, { reward: -1, actions, ...rest })]).differences.find(
      ({ check }) => check === 'rewards',
    )?.got ?? null;

  it('asks for the state, the outputs and a proper end', () => {
    expect(reward({})).toBe(1);
    expect(reward({}, [])).toBe(0);
    expect(reward({ userStopped: false })).toBe(0);
    const transfer = { name: 'transfer_to_human_agents', arguments: '{"summary": ""}', output: 'never' };
    expect(reward({ userStopped: false }, [cancel, transfer])).toBe(1);
    expect(reward({ outputs: ['1000 dollars'], said: ['You get 1,000 Dollars.'] })).toBe(1);
    expect(reward({ outputs: ['1000 dollars'], said: ['You get 100 dollars.'] })).toBe(0);
  });

  it('gives pass^k for as many k as every task has trials, and says why not', () => {
    const runs = [0, 1, 2].map((trial) => runOf([], { trial, taskId: trial === 2 ? 1 : 0 }));
    const { passHat } = replay(runs);
    expect(passHat['1']).toMatchObject({ value: 1, n: 2, clusters: 2 });
    expect(passHat['2']).toEqual({ value: null, reason: 'task 1 has 1 trials, pass^2 needs 2' });
  });
});

describe('differences', () => {
  it('name run, step, tool and both sides, the first few of them', () => {
    const wrong = { name: 'think', arguments: '{"thought": ""}', output: 'a thought' };
    const result = replay([
      runOf(
        Array.from({ length: 20 }, () => wrong),
        { taskId: 4, trial: 2, goldHash: 'x' },
      ),
    ]);
    expect(result.toolOutputs).toEqual({ equal: 0, of: 20 });
    expect(result.goldHashes).toEqual({ equal: 0, of: 1 });
    expect(result.finalHashes).toEqual({ equal: 0, of: 0 });
    expect(result.differences).toHaveLength(10);
    expect(result.differences[0]).toEqual({
      check: 'toolOutputs',
      run: 'task 4, trial 2',
      step: 0,
      tool: 'think',
      expected: 'a thought',
      got: '',
    });
  });

  it('compares with replay files', () => {
    const content = { gold_hashes: { 0: 'g', 77: 'h' }, runs: [{ task_id: 0, trial: 0, final_hash: 'f' }] };
    const file = parseTauFile('replay.json', JSON.stringify(content));
    if (file.kind !== 'replay') throw new Error('no replay');
    const result = replay([runOf([])], { replays: [file.replay] });
    expect(result.goldByTask).toEqual({ equal: 0, of: 1 });
    expect(result.finalHashes).toEqual({ equal: 0, of: 1 });
  });
});

describe('databases that do not fit', () => {
  const load = (changes: JsonObject): string => {
    try {
      replay([], { documents: { ...documents(), ...(changes as Record<string, Json>) } });
    } catch (error) {
      if (error instanceof UsageError) return error.describe();
      throw error;
    }
    return 'no error';
  };
  const [ada] = Object.values(documents()['users.json'] as JsonObject);

  it('are refused with file, document and reason', () => {
    expect(load({ 'users.json': [] })).toMatch(/^users\.json: expected an object of documents/u);
    expect(load({ 'users.json': {} })).toMatch(
      /^reservations\.json: GHR001: users\.json has no user ada_stone_1001/u,
    );
    expect(load({ 'users.json': { ada_stone_1001: 4 } })).toMatch(
      /^users\.json: ada_stone_1001: expected an object/u,
    );
    const wrongMember = { ada_stone_1001: { ...(ada as JsonObject), email: 7 } };
    expect(load({ 'users.json': wrongMember })).toMatch(/^users\.json: ada_stone_1001: email: /u);
    const unknown = { ada_stone_1001: { ...(ada as JsonObject), shoe_size: 7 } };
    expect(load({ 'users.json': unknown })).toMatch(/^users\.json: ada_stone_1001: .*shoe_size/u);
    expect(load({ 'flights.json': { GH9: { flight_number: 'GH8' } } })).toMatch(
      /GH9: its flight_number is "GH8"/u,
    );
  });
});
