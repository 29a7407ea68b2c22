import fc from 'fast-check';
import { expect, test } from 'vitest';
import { digestText } from '../../src/base/digest.ts';
import { isNode, ready, type Tree } from '../../src/world/tree.ts';
import { lawChain } from './chain.ts';
import { anyText, anyWrites, emptyWorld, shop, type TableName, type Write } from './fixture.ts';
import { Model, slowDigest, writeTo } from './model.ts';
import { ProviderError, type World } from './world-under-test.ts';

const TRANSACTIONS = 10_000;
const LOOK_EVERY = 500;
const declined = new ProviderError('declined', 'no', { status: 402 });

test('ten thousand random transactions agree with the model, failed ones and rollbacks included', () => {
  const seed = 20_261_129;
  const batches = fc.sample(anyWrites, { seed, numRuns: 500 });
  let world = emptyWorld();
  let model = new Model();
  const checkpoints: { world: World; model: Model }[] = [];
  for (let step = 0; step < TRANSACTIONS; step += 1) {
    const writes = (batches[(step * 7919) % batches.length] as Write[]).slice(step % 3, (step % 3) + 4);
    const fails = step % 11 === 0;
    const next = model.copy();
    const result = world.transact((tx) => {
      for (const write of writes)
        expect(writeTo(tx, write), `seed ${seed}, step ${step}`).toBe(next.write(write));
      if (fails) throw declined;
    });
    world = result.world as World;
    if (!fails) model = next;
    if (step % LOOK_EVERY === 0) {
      checkpoints.push({ world, model: model.copy() });
      look(world, model, `seed ${seed}, step ${step}`);
    }
    if (step % 1777 === 1776) {
      const back = checkpoints[step % checkpoints.length] as (typeof checkpoints)[number];
      world = back.world;
      model = back.model.copy();
    }
  }
  for (const checkpoint of checkpoints) look(checkpoint.world, checkpoint.model, `seed ${seed}, checkpoint`);
});

function look(world: World, model: Model, where: string): void {
  expect(world.contentDigest(), where).toBe(slowDigest(world));
  for (const name of Object.keys(shop) as TableName[]) {
    expect(JSON.stringify([...world.table(`shop.${name}`).scan()]), where).toBe(
      JSON.stringify(model.ordered(name)),
    );
  }
  expect([...world.table('shop.item').by('groupRank', [])], where).toEqual(
    model.ordered('item', ['group', 'rank']),
  );
}

test('the shape of a tree depends on its keys alone', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(anyText, { maxLength: 80, size: 'max' }),
      fc.array(anyText, { maxLength: 40, size: 'max' }),
      (keys, passing) => {
        const straight = withKeys(keys);
        const detour = emptyWorld().transact((tx) => {
          const table = tx.table('shop.bucket');
          const extra = [...new Set(passing)].filter((key) => !keys.includes(key));
          for (const key of [...extra, ...keys.toReversed()]) table.insert({ id: key, count: 1 });
          for (const key of extra) table.delete(key);
        }).world as World;
        expect(shape(detour)).toEqual(shape(straight));
      },
    ),
  );
});

function withKeys(keys: readonly string[]): World {
  return keys.reduce(
    (world, id) => world.transact((tx) => tx.table('shop.bucket').insert({ id, count: 1 })).world as World,
    emptyWorld(),
  );
}

function shape(world: World): unknown {
  const nested = (tree: Tree): unknown => {
    if (tree === null) return null;
    if (!isNode(tree)) return tree.map((entry) => entry.key);
    ready(tree);
    return [nested(tree.left), tree.entry.key, nested(tree.right)];
  };
  return nested((world.table('shop.bucket') as unknown as { root: Tree }).root);
}

test('the chain of a fixed program is pinned', () => {
  const chain = lawChain('groundhog');
  expect(chain).toEqual(lawChain('groundhog'));
  expect(chain).not.toEqual(lawChain('another'));
  expect(new Set(chain).size).toBeGreaterThan(200);
  expect(digestText(chain.join('\n'))).toBe(
    '15b15b6de61ecf0833fcf80f5e29072a91f73ba667e2e8046f19f645cc42f875',
  );
});
