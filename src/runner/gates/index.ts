/** Gates on finished runs: the file, the evaluation, and its forms for CI. */
export { gateAnnotations } from './formats/annotations.ts';
export { junitXml } from './formats/junit.ts';
export { gateMarkdown } from './formats/markdown.ts';
export { sarifJson } from './formats/sarif.ts';
export { type GateReport, gateRuns } from './gate-runs.ts';
export { gatesSchema, readGate } from './read-gates.ts';
export { type DecidedRun, runUntilDecided } from './until-decided.ts';
