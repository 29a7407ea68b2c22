/**
 * The conformance kit: what every service must keep, checked on the small seed, and generators of calls.
 * Needs `fast-check`; works with any test runner that has `describe` and `it`.
 */
export { arbitraryCall, arbitraryInput, type OpenCall } from './arbitrary.ts';
export { conformanceProblems, describeConformance, type TestRunner } from './conformance.ts';
export { arbitraryPlan, arbitraryRule } from './plans.ts';
export { filled, poolsOf } from './pools.ts';
export {
  type ConformanceOptions,
  LAWS,
  type Law,
  type Listing,
  type Script,
  type ScriptCall,
} from './types.ts';
