import { SeededRandom } from '../../src/base/random.ts';
import { emptyWorld, type shop } from './fixture.ts';
import { writeTo } from './model.ts';
import { ProviderError, type Row, type Transaction, type World } from './world-under-test.ts';

const STEPS = 400;
const declined = new ProviderError('declined', 'no', { status: 402 });
const TEXTS = ['', 'a', 'B', 'ä', '\u0000', 'a\u0000b', '\ud83d\ude00', '\ud83d', '\ufffe', 'zz'];

/**
 * The digests of a fixed random program, one line a step: content, full and, at times, the Merkle root. It
 * uses every kind of write, failing transactions, ids, random numbers, time and new seeds. Equal on every
 * engine: run it on two of them and compare.
 */
export function lawChain(seed: string): string[] {
  const random = SeededRandom.from(seed);
  const chain: string[] = [];
  let world: World = emptyWorld(seed);
  for (let step = 0; step < STEPS; step += 1) {
    world = nextWorld(world, random);
    const root = step % 20 === 0 ? ` ${world.merkleRoot()}` : '';
    chain.push(`${world.contentDigest()} ${world.fullDigest()}${root}`);
  }
  return chain;
}

function nextWorld(world: World, random: SeededRandom): World {
  const kind = random.integer(0, 19);
  if (kind === 0) return world.advance(random.integer(0, 100_000));
  if (kind === 1) return world.reseed(`seed ${random.integer(0, 9)}`);
  const result = world.transact((tx) => {
    for (let count = random.integer(1, 4); count > 0; count -= 1) write(tx, random);
    if (kind === 2) throw declined;
  });
  return result.world as World;
}

/** Numbers that print in all the ways that numbers print. */
function anyNumber(random: SeededRandom): number {
  const scale = random.pick([1, 10, 1000, 1e21, 1e-7, 3]);
  return ((random.integer(0, 2_000_001) - 1_000_000) * scale) / random.pick([1, 3, 7, 1000]);
}

function write(tx: Transaction, random: SeededRandom): void {
  const group = random.pick(['G-001', 'G-002', 'G-003']);
  const item = random.pick(TEXTS) + random.integer(0, 9);
  const data = { [random.pick(TEXTS)]: [anyNumber(random), { b: true, a: null }], x: tx.random.nextUint32() };
  const rows: Record<keyof typeof shop, Row> = {
    group: { id: random.chance(0.3) ? tx.nextId('shop.group') : group, title: random.pick(TEXTS) },
    item: {
      id: random.chance(0.3) ? tx.nextId('shop.item') : item,
      code: random.pick([null, 'c1', 'c2']),
      group: random.pick([null, group]),
      rank: random.pick([anyNumber(random), random.pick(TEXTS), true, null]),
      data,
    },
    line: { item, number: random.integer(0, 3), amount: anyNumber(random) },
    hold: { number: random.integer(0, 2), group },
    bucket: { id: random.pick(['x', 'y']), count: random.integer(0, 99) },
  };
  const table = random.pick(['item', 'item', 'item', 'group', 'line', 'line', 'hold', 'bucket'] as const);
  const op = random.pick(['insert', 'insert', 'update', 'delete'] as const);
  const row = rows[table];
  if (op === 'update')
    writeTo(tx, { op, table, row, columns: Object.keys(row).filter((name) => name !== 'id') });
  else writeTo(tx, { op, table, row });
}
