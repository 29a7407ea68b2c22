import type { Probe } from '../../../service/index.ts';

/** A domain world has no vendor to ask: its own README is what it is held to. */
const SOURCE = 'src/services/helpdesk/README.md';
const DATE = '2026-11-29';

/** One fact that the README states. */
export function probe(
  operation: string,
  title: string,
  rest: Omit<Probe, 'operation' | 'title' | 'source' | 'date'>,
): Probe {
  return { operation, title, ...rest, source: SOURCE, date: DATE };
}

/** What is expected when the desk says no. */
export function refusal(status: number, code: string): Probe['expect'] {
  return { status, facts: { 'error.code': code } };
}
