/**
 * Runs of a bank with one of twelve risks in each, made through the world, and how a guard that is to see
 * them does. `generateRisks` gives them in memory, `writeRisks` writes them into a folder.
 */
export { generateRisks, type RiskRun, type RiskSet } from './generate.ts';
export { scoreVerdicts } from './verdicts.ts';
export { type RisksManifest, rootOf, writeRisks } from './write.ts';
