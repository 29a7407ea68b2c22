import type { BankLock } from '../../scenarios/index.ts';
import type { LoadedBank } from '../bank.ts';
import { runReference } from '../prepare.ts';
import { behaviourOf, recipeKey } from '../worlds.ts';
import { PROOF_SEED } from './play.ts';

/** The lock of a bank as it stands: content, seeds, and where every reference ends. */
export function currentLock(bank: LoadedBank): BankLock {
  const services = new Set(bank.all.flatMap((prepared) => prepared.services.map(({ name }) => name)));
  const behaviour = behaviourOf([...services].sort());
  const seeds = new Map(
    bank.all.map(({ scenario, world }) => [recipeKey(scenario.world.services), world.merkleRoot()]),
  );
  const scenarios = bank.all.map((prepared) => {
    const { scenario } = prepared;
    const { session, calls } = runReference(prepared, PROOF_SEED);
    const end = session.world.contentDigest();
    return [scenario.id, { hash: scenario.hash, end, calls: calls.length }] as const;
  });
  return {
    format: 'groundhog.bank-lock',
    version: 1,
    bank: { name: bank.name, version: bank.folder.bank.version, hash: bank.hash },
    behaviour: { engine: behaviour.engine, services: { ...behaviour.services } },
    seeds: Object.fromEntries([...seeds].sort()),
    scenarios: Object.fromEntries(scenarios),
  };
}
