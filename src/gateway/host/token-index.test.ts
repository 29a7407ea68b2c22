import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../../base/random.ts';
import { TokenIndex } from './token-index.ts';

describe('the index of tokens', () => {
  it('holds what a map would, however tokens come and go', () => {
    const random = SeededRandom.from('tokens');
    const index = new TokenIndex<{ readonly id: number }>();
    const owners = Array.from({ length: 9 }, (_, id) => ({ id }));
    const model = new Map<string, { owner: { readonly id: number }; opening: unknown }>();
    for (let round = 0; round < 20_000; round += 1) {
      const token = `token ${random.integer(0, 700)}`;
      // Grows in the first half, shrinks in the second.
      if (random.integer(0, 10) < (round < 10_000 ? 7 : 3)) {
        const worldToken = random.integer(0, 3) === 0 ? { worldToken: `world ${token}` } : {};
        const opening = { service: random.pick([null, 'a', 'b']), actor: 'agent', ...worldToken };
        const owner = random.pick(owners);
        index.add(token, opening, owner);
        model.set(token, { owner, opening });
      } else {
        index.remove(token);
        model.delete(token);
      }
      const asked = `token ${random.integer(0, 700)}`;
      expect(index.find(asked)).toEqual(model.get(asked));
    }
    expect(index.size).toBe(model.size);
    for (const [token, found] of model) expect(index.find(token)).toEqual(found);
    for (const token of model.keys()) index.remove(token);
    expect(index.size).toBe(0);
    expect(index.find('token 1')).toBeUndefined();
  });
});
