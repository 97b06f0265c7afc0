// Counts the tests of all reports in a folder, names those that failed, prints `N passed, N failed, N skipped` as its last line,
// and fails if a test or a step failed. usage: node tools/count-tests.mjs FOLDER FAILED_STEPS
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder, failedSteps] = process.argv.slice(2);
const sum = { passed: 0, failed: 0, skipped: 0 };

/** Whoever reads only the end of the output learns there what failed, and why. */
function named(file) {
  const failed = file.assertionResults.filter((test) => test.status === 'failed');
  for (const test of failed) console.log(`failed: ${file.name}: ${test.fullName}\n${reason(test.failureMessages)}`);
  if (file.status === 'failed' && failed.length === 0)
    console.log(`failed: ${file.name}\n${reason([file.message ?? ''])}`);
}

function reason(messages) {
  return messages
    .join('\n')
    .split('\n')
    .slice(0, 12)
    .map((line) => `    ${line}`)
    .join('\n');
}

for (const name of readdirSync(folder).filter((each) => each.endsWith('.json'))) {
  const report = JSON.parse(readFileSync(join(folder, name), 'utf8'));
  sum.passed += report.numPassedTests;
  sum.failed += report.numFailedTests;
  sum.skipped += report.numPendingTests + (report.numTodoTests ?? 0);
  for (const file of report.testResults) named(file);
  // A file that could not even be loaded has no tests to fail.
  sum.failed += report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  ).length;
}
// A failed step without a failed test (check, demo, a runner that broke) must not count as nothing.
if (Number(failedSteps) > 0 && sum.failed === 0) sum.failed = Number(failedSteps);
console.log(`${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped`);
process.exit(sum.failed > 0 || sum.passed === 0 ? 1 : 0);
