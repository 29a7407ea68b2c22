import { describe, expect, it } from 'vitest';
import { pythonFloat } from '../../service/index.ts';
import { seedWorld } from '../../service/seed.ts';
import { airline } from '../../services/airline/index.ts';
import { AIRLINE_LAYOUT } from './layout.ts';
import { hashDatabase, TauStateHasher, tupleText } from './state-hash.ts';

describe('tupleText', () => {
  it.each([
    [{}, '()'],
    [[], '()'],
    [{ a: 1 }, "(('a', 1),)"],
    [[1], '(1,)'],
    [{ b: [true, null], a: { c: 'x' } }, "(('a', (('c', 'x'),)), ('b', (True, None)))"],
    [{ n: pythonFloat(5), i: 5, f: 0.5 }, "(('f', 0.5), ('i', 5), ('n', 5.0))"],
    [{ q: "it's", '"': 'é' }, `(('"', 'é'), ('q', "it's"))`],
  ])('of %j', (value, text) => {
    expect(tupleText(value)).toBe(text);
  });
});

describe('TauStateHasher', () => {
  const world = seedWorld([{ service: airline, seed: 'small' }]);
  const strip = (table: string, added: string | null): Record<string, never> =>
    Object.fromEntries(
      [...world.table(`airline.${table}`).scan()].map((row) => {
        const { [added ?? '']: _added, ...document } = row;
        const key = row.flight_number !== undefined && table === 'flights' ? row.flight_number : null;
        return [String(key ?? (table === 'users' ? row.user_id : row.reservation_id)), document as never];
      }),
    );
  const database = {
    flights: strip('flights', 'position'),
    reservations: strip('reservations', null),
    users: strip('users', 'user_id'),
  };

  it('hashes a world as the recipe does its database', () => {
    const hasher = new TauStateHasher(world, 'airline', AIRLINE_LAYOUT);
    expect(hasher.hash(world)).toBe(hashDatabase(database));
  });

  it('hashes what grew from it as the recipe does, whatever table changed', () => {
    const hasher = new TauStateHasher(world, 'airline', AIRLINE_LAYOUT);
    const changes = [
      (state: typeof world) =>
        state.transact((tx) => tx.table('airline.users').update('ada_stone_1001', { membership: 'gold' }))
          .world,
      (state: typeof world) =>
        state.transact((tx) => tx.table('airline.reservations').delete('GHR002')).world,
      (state: typeof world) =>
        state.transact((tx) => {
          const row = tx.table('airline.reservations').get('GHR001');
          tx.table('airline.reservations').insert({ ...row, reservation_id: 'HATHAT' } as never);
        }).world,
      (state: typeof world) =>
        state.transact((tx) => tx.table('airline.flights').update('GH301', { destination: 'ATL' })).world,
    ];
    let state = world;
    for (const change of changes) {
      state = change(state);
      expect(hasher.hash(state)).toBe(new TauStateHasher(state, 'airline', AIRLINE_LAYOUT).hash(state));
      expect(hasher.hash(state)).not.toBe(hasher.hash(world));
    }
  });
});
