import type { Json } from '../../base/json.ts';
import type { Divergence } from '../../session/index.ts';

const SHOWN_CHARACTERS = 1_000;

/** The first difference with both sides. */
export function divergenceLines({ step, field, expected, got }: Divergence): string[] {
  const where = step < 0 ? 'The starting world' : `Step ${step}`;
  return [`${where} diverges in ${field}:`, `  expected ${shown(expected)}`, `  got      ${shown(got)}`];
}

/** A value on one line, cut where it gets long. */
export function shown(value: Json): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}
