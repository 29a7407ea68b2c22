import { type LoadedBank, loadBank } from '../src/runner/bank.ts';
import { optionsFor, type PreparedScenario, runReference } from '../src/runner/prepare.ts';
import { WorldCache } from '../src/runner/worlds.ts';
import { type CallRequest, openSession, requestOf, type Session } from '../src/session/index.ts';

/** The long scenario of the bank: 417 calls, every third of them a write, on the standard seed. */
const LONG = 'long-audit';

export interface SessionFixture {
  readonly bank: LoadedBank;
  readonly prepared: PreparedScenario;
  /** The calls of the reference with their arguments filled in: all succeed. */
  readonly requests: readonly CallRequest[];
}

/** Loads the bank and runs the reference of its long scenario once. */
export async function loadSessionFixture(): Promise<SessionFixture> {
  const bank = await loadBank(['helpdesk'], new WorldCache());
  const prepared = bank.all.find(({ scenario }) => scenario.id === LONG);
  if (!prepared) throw new Error(`the bank has no scenario ${LONG}`);
  const { session } = runReference(prepared, 'bench');
  return { bank, prepared, requests: session.steps().map(requestOf) };
}

/** A session on the long scenario as an agent's trial opens it. */
export function openFixture(prepared: PreparedScenario, streamSeed: string): Session {
  return openSession(optionsFor(prepared, { streamSeed, asAgent: true }));
}

/** Makes these calls; all must succeed. */
export function makeCalls(session: Session, requests: readonly CallRequest[]): void {
  for (const request of requests) {
    if (!session.call(request).ok) throw new Error(`${request.tool} failed at step ${session.stepCount - 1}`);
  }
}
