/** The risks of runs with tools, and how a guard that is to see them does. */
export { RISK_NAMES, RISKS, type RiskName, type RiskPlace, type RiskRoot } from './names.ts';
export {
  type GuardScore,
  type GuardVerdict,
  type RiskLabel,
  type RiskScore,
  scoreGuard,
} from './score.ts';
