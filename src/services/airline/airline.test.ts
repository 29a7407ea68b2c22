import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import { SeededRandom } from '../../base/random.ts';
import { seedWorld } from '../../service/seed.ts';
import { openSession } from '../../session/index.ts';
import { createWorld, typedTables } from '../../world/index.ts';
import { airline } from './index.ts';
import { observe } from './observe.ts';
import { policy } from './policy.ts';
import { schema } from './schema.ts';

const world = seedWorld([{ service: airline, seed: 'small' }]);

function open() {
  return openSession({
    services: [airline],
    world,
    seeds: { airline: 'small' },
    streamSeed: 'test',
    epochMs: airline.epochMs,
    behaviour: { engine: '', services: {} },
  });
}

describe('policy', () => {
  it('is the text of policy.md', () => {
    expect(policy).toBe(readFileSync(new URL('./policy.md', import.meta.url), 'utf8'));
  });
});

describe('money', () => {
  const change = (
    cabin: string,
    payment_id: string,
    flights = [{ flight_number: 'GH101', date: '2024-05-21' }],
  ) => {
    const session = open();
    const input = { reservation_id: 'GHR001', cabin, flights, payment_id };
    const { body } = session.call({ tool: 'update_reservation_flights', input });
    const user = session.world.table('airline.users').get('ada_stone_1001') as unknown as {
      payment_methods: Record<string, { amount?: number }>;
    };
    return { body: JSON.parse(String(body)) as { cabin: string; payment_history: unknown[] }, user };
  };

  it('a flight kept in its cabin keeps its old price, and nothing is paid for no difference', () => {
    const { body } = change('economy', 'credit_card_1000001');
    expect(body).toMatchObject({ cabin: 'economy', flights: [{ price: 152 }] });
    expect(body.payment_history).toHaveLength(1);
  });

  it('a cheaper flight credits a gift card; the cabin member stays', () => {
    const { body, user } = change('basic_economy', 'gift_card_1000002');
    expect(body.cabin).toBe('economy');
    expect(body.payment_history.at(-1)).toEqual({ payment_id: 'gift_card_1000002', amount: -37 });
    expect(user.payment_methods.gift_card_1000002?.amount).toBe(157);
  });

  it('bags already paid for are not paid again', () => {
    const session = open();
    const bags = (nonfree_baggages: number) =>
      String(
        session.call({
          tool: 'update_reservation_baggages',
          input: {
            reservation_id: 'GHR001',
            total_baggages: 9,
            nonfree_baggages,
            payment_id: 'gift_card_1000002',
          },
        }).body,
      );
    expect(bags(2)).toContain('{"payment_id": "gift_card_1000002", "amount": 100}]');
    expect(bags(1)).not.toContain('"amount": -50');
    expect(bags(3)).toBe('Error: gift card balance is not enough');
  });

  it('a booking takes gift cards by the amount and certificates whole', () => {
    const session = open();
    const booking = airline.operations.find(({ id }) => id === 'book_reservation')?.example as JsonObject;
    const payment_methods = [
      { payment_id: 'certificate_1000003', amount: 100 },
      { payment_id: 'gift_card_1000002', amount: 90 },
    ];
    expect(session.call({ tool: 'book_reservation', input: { ...booking, payment_methods } }).ok).toBe(true);
    const user = session.world.table('airline.users').get('ada_stone_1001');
    expect(user?.reservations).toEqual(['GHR001', 'GHR003', 'HATHAT']);
    expect(user?.payment_methods).toMatchObject({ gift_card_1000002: { amount: 30 } });
    expect(Object.keys(user?.payment_methods as object)).not.toContain('certificate_1000003');
  });
});

describe('observe', () => {
  it('gives the rows that the answers of reads show', () => {
    const seen = createWorld({ airline: schema }, 'seen').transact((tx) => {
      const seeding = {
        tx: typedTables(tx, 'airline', schema),
        random: SeededRandom.from('none'),
        nextId: (): string => '',
      };
      const reads = [
        { operation: 'get_reservation_details', input: { reservation_id: 'GHR001' } },
        { operation: 'get_user_details', input: { user_id: 'ada_stone_1001' } },
        {
          operation: 'search_direct_flight',
          input: { origin: 'DEN', destination: 'BOS', date: '2024-05-21' },
        },
        {
          operation: 'search_direct_flight',
          input: { origin: 'DEN', destination: 'BOS', date: '2024-05-22' },
        },
        { operation: 'get_user_details', input: { user_id: 'nobody' } },
      ];
      const exchanges = reads.map(({ operation, input }) => {
        const { body, status } = open().call({ tool: operation, input });
        return { operation, input, status, response: body };
      });
      expect(observe(seeding, exchanges).actor.id).toBe('agent');
    }).world;
    const row = (table: string, key: string) => seen.table(`airline.${table}`).get(key);
    expect(row('reservations', 'GHR001')).toEqual(world.table('airline.reservations').get('GHR001'));
    expect(row('users', 'ada_stone_1001')).toEqual(world.table('airline.users').get('ada_stone_1001'));
    expect(Object.keys(row('flights', 'GH102')?.dates as object)).toEqual(['2024-05-21', '2024-05-22']);
    expect(seen.table('airline.users').size).toBe(1);
  });
});
