/**
 * A bank of small trials on the helpdesk world, written into a folder, for tests of the runner and the
 * command line.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface TinyScenario {
  readonly id: string;
  /** The order that is looked up. */
  readonly order: string;
  /** More reference calls after the look-up, one line of YAML each. */
  readonly calls?: readonly string[];
  /** More YAML at the end of the file, at its outermost level. */
  readonly extra?: string;
}

/** A look-up of one order: one call, one answer. */
export function scenarioText({ id, order, calls = [], extra = '' }: TinyScenario): string {
  return `id: ${id}
title: Looks up an order
cluster: look-ups
world: { services: [helpdesk], seed: small }
task:
  text: What is the status of order ${order}?
  intent: { kind: lookup, order_id: "${order}" }
reference:
  calls: [${[`{ tool: lookup_order, arguments: { order_id: "${order}" } }`, ...calls].join(', ')}]
  answer: Order ${order} is as it is.
invariants:
  - { id: ends-by-answer, kind: termination, by: answer }
graders:
  - { kind: contract, required: true }
  - { kind: reads, required: true, calls: [{ tool: lookup_order, where: { order_id: "${order}" } }] }
budgets: { calls: 6 }
${extra}`;
}

export const BANK_TEXT = `name: tiny
version: 1.0.0
title: Tiny
description: Look-ups.
license: Apache-2.0
`;

/** Writes the bank; gives back its folder. */
export function writeTinyBank(directory: string, scenarios: readonly TinyScenario[]): string {
  mkdirSync(join(directory, 'scenarios'), { recursive: true });
  writeFileSync(join(directory, 'bank.yaml'), BANK_TEXT);
  for (const scenario of scenarios) {
    writeFileSync(join(directory, 'scenarios', `${scenario.id}.yaml`), scenarioText(scenario));
  }
  return directory;
}

export const TINY: readonly TinyScenario[] = ['10034', '10067', '10320', '10103'].map((order, index) => ({
  id: `look-${index}`,
  order,
}));
