// Adds up the suites' JSON results into the one closing line. Plain JavaScript: CI calls it with the system's
// Node.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [directory, failedSteps] = process.argv.slice(2);
const SUITES = ['test', 'test:nodes', 'test:crash', 'test:python', 'test:clients', 'test:pages'];
let passed = 0;
let failed = 0;
let skipped = 0;
for (const suite of SUITES) {
  const file = readdirSync(directory).find((name) => name === `${suite}.json`);
  if (!file) {
    console.log(`${suite} left no results`);
    failed += 1;
    continue;
  }
  const result = JSON.parse(readFileSync(join(directory, file), 'utf8'));
  passed += result.numPassedTests;
  failed += result.numFailedTests;
  skipped += result.numPendingTests + result.numTodoTests;
  // A suite that could not even be loaded has no tests to count, and is a failure all the same.
  const broken = result.testResults.filter(
    (one) => one.status === 'failed' && one.assertionResults.length === 0,
  );
  failed += broken.length;
  for (const one of broken) console.log(`${suite}: ${one.name} could not be loaded: ${one.message}`);
  // Said again down here: the end of a log is what people read, and at times all they get.
  for (const { fullName, failureMessages } of result.testResults.flatMap((one) => one.assertionResults)) {
    if (failureMessages.length > 0)
      console.log(`${suite}: ${fullName}: ${failureMessages.join(' ').slice(0, 500)}`);
  }
}
if (failed === 0 && failedSteps !== '0') failed = 1;
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = failed === 0 ? 0 : 1;
