import type { Json } from '../../base/json.ts';
import type { SeededRandom } from '../../base/random.ts';
import type { WorldValue } from '../../world/types.ts';

const LONGEST_ENTITY = 80;
const TRIES = 12;

const known = new WeakMap<WorldValue, ReadonlySet<string>>();

/** Every short text and number of a world's rows: what an invented value must not be. */
export function valuesOfWorld(world: WorldValue): ReadonlySet<string> {
  const found = known.get(world);
  if (found) return found;
  const values = new Set<string>();
  for (const name of world.tableNames) {
    for (const row of world.table(name).scan()) {
      for (const cell of Object.values(row)) {
        if (typeof cell === 'number' || (typeof cell === 'string' && cell.length <= LONGEST_ENTITY)) {
          values.add(String(cell));
        }
      }
    }
  }
  known.set(world, values);
  return values;
}

/**
 * A value of the same shape that nobody has given: digits for digits, and letters for letters where there is
 * no digit. Null where none was found.
 */
export function inventedLike(
  value: string | number,
  random: SeededRandom,
  isKnown: (value: string) => boolean,
): string | number | null {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const text = reshaped(String(value), random);
    if (isKnown(text) || text === String(value)) continue;
    return typeof value === 'number' ? Number(text) : text;
  }
  return null;
}

function reshaped(text: string, random: SeededRandom): string {
  if (/\d/u.test(text)) {
    // The first digit stays one that a number may begin with.
    return text.replace(/\d/gu, (digit, at: number) =>
      String(at === 0 && digit !== '0' ? random.integer(1, 9) : random.integer(0, 9)),
    );
  }
  const place = text.includes('@') ? text.slice(0, text.indexOf('@')) : text;
  const rest = text.slice(place.length);
  return place.replace(/[a-z]/giu, (letter) => randomLetter(letter, random)) + rest;
}

const LOWER = 'abcdefghijklmnopqrstuvwxyz';

function randomLetter(letter: string, random: SeededRandom): string {
  const drawn = LOWER.charAt(random.integer(0, LOWER.length - 1));
  return letter === letter.toLowerCase() ? drawn : drawn.toUpperCase();
}

/** The shape of a value: texts of one shape could be mistaken for one another. */
export function shapeOfText(value: Json): string {
  return String(value)
    .replace(/\d+/gu, '0')
    .replace(/[A-Z]+/gu, 'A')
    .replace(/[a-z]+/gu, 'a');
}
