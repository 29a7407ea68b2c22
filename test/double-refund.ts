/** Long runs of the helpdesk that refund one order twice, for tests and benches of blame and shrink. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '../src/base/json.ts';
import { loadBank } from '../src/runner/bank.ts';
import { optionsFor, type PreparedScenario } from '../src/runner/prepare.ts';
import { WorldCache } from '../src/runner/worlds.ts';
import { openSession } from '../src/session/index.ts';
import type { Trajectory } from '../src/trajectory/index.ts';

export type Call = readonly [tool: string, input: JsonObject];

const SHIPPED = new URL('../banks/helpdesk/', import.meta.url).pathname;

/** The scenario `refund-88213` of the shipped bank with room for long runs, and for tickets beside. */
export function writeRoomyBank(directory: string): string {
  mkdirSync(join(directory, 'scenarios'), { recursive: true });
  cpSync(join(SHIPPED, 'bank.yaml'), join(directory, 'bank.yaml'));
  const text = readFileSync(join(SHIPPED, 'scenarios/refund-88213.yaml'), 'utf8')
    .replace('budgets: { calls: 20 }', 'budgets: { calls: 1000 }')
    .replace(
      'contract:\n',
      `contract:
  allow: [{ table: helpdesk.tickets, op: insert }, { table: helpdesk.audit_log, op: insert }]
`,
    );
  writeFileSync(join(directory, 'scenarios/refund-88213.yaml'), text);
  return directory;
}

/** The scenario of `writeRoomyBank`, ready to run. */
export async function roomyScenario(): Promise<PreparedScenario> {
  const directory = mkdtempSync(join(tmpdir(), 'groundhog-roomy-'));
  try {
    const { chosen } = await loadBank([writeRoomyBank(directory)], new WorldCache());
    const [prepared] = chosen;
    if (!prepared) throw new Error('the bank is empty');
    return prepared;
  } finally {
    rmSync(directory, { recursive: true });
  }
}

const OF_ORDER = { order_id: '88213' };
export const REFUND: Call = ['refund', { ...OF_ORDER, amount: 240 }];
const MAIL: Call = [
  'send_email',
  { to: 'mira.alder@example.com', subject: 'Your refund', body: 'We paid 240.00 back for order 88213.' },
];

/** Reads, failed calls and tickets: none of them changes what the contract looks at. */
const HARMLESS: readonly Call[] = [
  ['lookup_order', { order_id: '10034' }],
  ['find_customer', { email: 'mira.alder@example.com' }],
  ['list_refunds', OF_ORDER],
  ['lookup_order', { order_id: '00000' }],
  ['get_policy', { policy_id: 'RP-STD-30' }],
  ['create_ticket', { customer_id: 'C-1001', queue: 'delivery', subject: 'Parcel is late' }],
  ['list_emails', { customer_id: 'C-1001' }],
  ['refund', { order_id: '00000', amount: 10 }],
];

/** So many calls: the work and a second refund, spread among calls that do no harm. */
export function doubleRefundCalls(count: number): {
  readonly calls: readonly Call[];
  readonly second: number;
} {
  const at = (share: number): number => Math.floor(share * count);
  const second = at(0.7);
  const calls = Array.from({ length: count }, (_, index) => HARMLESS[index % HARMLESS.length] as Call);
  calls[at(0.1)] = ['lookup_order', OF_ORDER];
  calls[at(0.25)] = ['check_policy', OF_ORDER];
  calls[at(0.4)] = REFUND;
  calls[second] = REFUND;
  calls[at(0.9)] = MAIL;
  return { calls, second };
}

/** Plays calls as an agent's run and ends it by an answer. */
export function played(
  prepared: PreparedScenario,
  calls: readonly Call[],
  answer = 'I refunded 240.00 for order 88213 under policy RP-STD-30.',
): { readonly trajectory: Trajectory; readonly text: string } {
  const agent = { name: 'double', config: null };
  const session = openSession(optionsFor(prepared, { streamSeed: 'double', trial: 0, agent, asAgent: true }));
  for (const [tool, input] of calls) session.call({ tool, input });
  const trajectory = session.finish({ reason: 'answer', answer });
  return { trajectory, text: session.text() };
}
